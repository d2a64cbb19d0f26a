import type { Memory } from '../../../../app/memory/memory.ts';
import { shortName } from '../../../../app/read/resolve.ts';
import type { InjectedItem, Injection } from '../../../../core/ports/injection-log.ts';
import { ok } from '../../../../core/result.ts';
import type { UseOutcome } from '../../../../core/use/item-use.ts';
import type { Cli, Command } from '../../command.ts';
import { shownTime } from '../../instant.ts';
import { inert } from '../../paint.ts';

const LIMIT = 20;

export const whyCommand: Command = {
  name: 'why',
  about: 'Shows what was injected, when, which signals chose it, and what the session made of it; newest first.',
  positionals: '',
  most: 0,
  options: [
    { name: 'session', value: 'S', about: 'only this session' },
    { name: 'limit', value: 'N', about: `maximum number of injections (default ${LIMIT})` },
  ],
  examples: [
    ['holdfast why', 'the latest injections in this project'],
    ['holdfast why --session 3f2a --json', 'everything that one session got'],
  ],
  run: async (cli, args) => {
    const limit = args.number('limit', { min: 1, max: 10_000 });
    if (!limit.ok) return limit;
    const { memory } = await cli.open();
    const session = args.text('session');
    const { log } = await cli.recallContext();
    const uses = new Map<string, ReadonlyMap<string, UseOutcome>>();
    const usesIn = (one: string): ReadonlyMap<string, UseOutcome> => uses.get(one) ?? (uses.set(one, log.usesIn(one)), usesIn(one));
    const injections = log
      .injections(session, limit.value ?? LIMIT)
      .map((injection) => ({ ...injection, items: injection.items.map((item) => withUse(item, usesIn(injection.session))) }));
    return ok({
      json: { ...(session !== undefined && { session, tokens: log.spent(session) }), injections },
      lines:
        injections.length === 0 ? ['Nothing was injected yet.'] : [...injections.flatMap((injection) => linesOf(injection, cli, memory)), ...hints(injections)],
    });
  },
};

/** The use of an item, once its session has ended. */
const OUTCOMES: Readonly<Record<UseOutcome, string>> = {
  contradicted: 'the user said the opposite afterwards',
  repeated: 'the user said it again all the same',
  fetched: 'the agent looked it up',
  followed: 'the agent used its words',
  unused: 'the agent made no use of it',
  passed: 'the agent made no use of it',
};

const hints = (injections: readonly Pick<Injection, 'items'>[]): readonly string[] =>
  injections.some(({ items }) => items.some(({ id }) => id.startsWith('rule:'))) ? ['holdfast feedback rule:ID wrong: that sentence is not quoted again'] : [];

interface UsedItem extends InjectedItem {
  readonly use?: UseOutcome;
}

function withUse(item: InjectedItem, uses: ReadonlyMap<string, UseOutcome>): UsedItem {
  const use = uses.get(item.id);
  return use === undefined ? item : { ...item, use };
}

const linesOf = (
  { at, session, event, tokens, items }: Omit<Injection, 'items'> & { readonly items: readonly UsedItem[] },
  { paint }: Cli,
  memory: Memory,
): string[] => [
  `${paint.bold(shownTime(at))}  ${event}  session ${inert(session)}  about ${tokens} tokens`,
  ...items.flatMap(({ id, title, score, reasons, use }) => [
    `  ${inert(shortName(memory, id))}  ${inert(title)}${score === 0 ? '' : paint.dim(`  ${score.toFixed(2)}`)}`,
    ...[...reasons, ...(use === undefined ? [] : [OUTCOMES[use]])].map((reason) => `    ${paint.dim(inert(reason))}`),
  ]),
];
