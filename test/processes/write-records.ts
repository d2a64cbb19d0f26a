import { createRecord } from '../../src/app/write/create.ts';
import { moveRecord } from '../../src/app/write/status.ts';
import { updateRecord } from '../../src/app/write/update.ts';
import { openProject } from '../open.ts';
import type { Draft } from '../../src/core/record/draft.ts';
import type { Result } from '../../src/core/result.ts';

/** The arguments of a writing process: home, project, its name, how many records, and `mixed` to update and retire as well. */
export type WriterArguments = readonly string[];

const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** On a busy machine sixteen writers wait long for each other; what counts is that none loses anything. */
const PATIENCE = { indexMs: 600_000, lockMs: 600_000 } as const;

/** Writes records until it is done or killed, and says on standard output what was acknowledged. */
export async function writeRecords([home = '', project = '', name = '', count = '0', mode = 'create']: WriterArguments): Promise<void> {
  const { memory, close } = must(openProject({ home, cwd: project, now: Date.now, patience: PATIENCE }));
  say({ ready: true });
  for (let n = 0; n < Number(count); n++) {
    const title = `Record ${name} ${n}`;
    const content = { status: 'accepted', context: 'one of many', decision: `${title} ${'x'.repeat(500)}`, rationale: ['to see what survives'] };
    const { record, place, hash } = must(
      await createRecord(memory, { category: 'decision', draft: { title, tags: [name], content }, root: 'private', actor: name }),
    );
    say({ path: place.path, updates: 0 });
    if (mode !== 'mixed') continue;
    const next = {
      ...record,
      tags: [...record.tags, 'more'],
      changes: [...(record.changes ?? []), { date: record.updated_at, summary: 'again' }],
    } as unknown as Draft;
    must(await updateRecord(memory, { place, draft: next, hash, actor: name }));
    say({ path: place.path, updates: 1 });
    if (n % 3 !== 0) continue;
    must(await moveRecord(memory, 'retire', place, { actor: name }));
    say({ path: place.path, updates: 1, status: 'retired' });
  }
  await close();
}
