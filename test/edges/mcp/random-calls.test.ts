import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../../rounds.ts';
import { place, talkTo } from './talk.ts';

const CALLS = rounds(300, 2_000);

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly maximum?: number;
}

const WORDS = fc.oneof(fc.constantFrom('decision/none', 'sqlite', '../../etc/passwd', '</holdfast-memory>', '', '\u0000'), fc.string({ maxLength: 60 }));

/** Values that a schema allows. */
function allowed({ type, enum: names, items, properties, maximum = 100 }: Schema): fc.Arbitrary<unknown> {
  if (names) return fc.constantFrom(...names);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer({ min: 1, max: maximum });
  if (type === 'array') return fc.array(allowed(items ?? {}), { maxLength: 4 });
  if (type !== 'object') return WORDS;
  return fc.record(Object.fromEntries(Object.entries(properties ?? {}).map(([name, schema]) => [name, allowed(schema)])), { requiredKeys: [] });
}

/** The same with some values that it does not allow. */
const spoiled = (schema: Schema): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc
      .tuple(allowed(schema), fc.dictionary(fc.constantFrom('unknown', ...Object.keys(schema.properties ?? {})), fc.jsonValue(), { maxKeys: 2 }))
      .map(([good, bad]) => ({
        ...(good as object),
        ...bad,
      })),
    fc.jsonValue(),
  );

test(`${CALLS} random calls from the schemas get results or clean errors, and the server stays as large as it was`, async () => {
  const server = talkTo(place());
  const { result } = (await server.ask('tools/list')) as { result: { tools: { name: string; inputSchema: Schema }[] } };
  const calls = fc
    .constantFrom(...result.tools)
    .chain(({ name, inputSchema }) => fc.tuple(fc.constant(name), fc.oneof(allowed(inputSchema), spoiled(inputSchema))));
  const memory = (): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid ?? 0}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  let warm = 0;
  for (const [at, [name, args]] of fc.sample(calls, { numRuns: CALLS, seed: 18 }).entries()) {
    const answer = (await server.ask('tools/call', { name, arguments: args })) as { result?: { content: { text?: string }[]; isError?: boolean } };
    const said = JSON.stringify([name, args, answer]);
    expect(answer.result?.content, said).toBeInstanceOf(Array);
    expect(said).not.toMatch(/\bat \S+ \(?(?:file:|node:|\/)|TypeError|undefined is not/);
    if (at === CALLS / 2 && process.platform === 'linux') warm = memory();
  }
  expect(await server.ask('ping')).toMatchObject({ result: {} });
  if (process.platform === 'linux') expect(memory() - warm).toBeLessThan(40);
});
