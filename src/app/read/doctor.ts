import { keptConflicts } from '../bundle/conflicts.ts';
import { catchUpViews } from '../index/catch-up.ts';
import { configWarnings } from '../config/warnings.ts';
import type { ItemFacts } from '../../core/ports/index.ts';
import type { RootName } from '../../core/ports/store.ts';
import type { Memory } from '../memory/memory.ts';
import { viewRootOf, viewTexts } from '../views/render.ts';
import { currentRecord } from '../write/current.ts';
import { committedViews, unmerged } from './shared-findings.ts';
import { staleFiles } from './staleness.ts';

export interface Finding {
  readonly level: 'problem' | 'note';
  readonly what: string;
  readonly where?: string;
  readonly mend: string;
}

/** What is wrong with a memory and how to mend it. */
export async function examine(memory: Memory): Promise<readonly Finding[]> {
  await catchUpViews(memory);
  const conflicted = await unmerged(memory);
  return [
    ...conflicted,
    ...unreadable(memory, conflicted),
    ...(await untrueViews(memory)),
    ...(await committedViews(memory)),
    ...(await doubles(memory)),
    ...(await conflicts(memory)),
    ...(await stale(memory)),
    ...configWarnings(memory).map(({ key, message }) => ({
      level: 'problem' as const,
      what: `setting ${key || '(all)'}: ${message}`,
      mend: 'holdfast config list shows what is in force',
    })),
  ];
}

const unreadable = (memory: Memory, besides: readonly Finding[]): Finding[] =>
  memory.index
    .problems()
    .filter((file) => !besides.some(({ where }) => where === memory.store.absolute(file)))
    .map((file) => ({
      level: 'problem',
      what: `cannot be read as a record: ${file.problem}`,
      where: memory.store.absolute(file),
      mend: 'mend the file by hand; holdfast leaves it alone',
    }));

async function untrueViews(memory: Memory): Promise<Finding[]> {
  const findings: Finding[] = [];
  if ((await memory.store.journal.position()) === 0) return findings;
  const shown = new Set<RootName>();
  for (const root of memory.store.roots) if (await memory.store.stat({ root, path: '' })) shown.add(viewRootOf(root));
  for (const root of shown) {
    for (const [path, text] of await viewTexts(memory, root)) {
      const there = await memory.store.read({ root, path });
      if (there?.text !== text)
        findings.push({
          level: 'problem',
          what: there ? 'the view does not match the records' : 'the view is missing',
          where: memory.store.absolute({ root, path }),
          mend: 'holdfast rebuild',
        });
    }
  }
  return findings;
}

/** Two files that claim one id: only a person can say which is right. */
async function doubles(memory: Memory): Promise<Finding[]> {
  const byName = new Map<string, string[]>();
  for (const item of memory.index.items({ kind: 'record', status: 'active' })) {
    const name = `${item.category}/${item.id}`;
    byName.set(name, [...(byName.get(name) ?? []), memory.store.absolute(item)]);
  }
  return [...byName]
    .filter(([, files]) => files.length > 1)
    .map(([name, files]) => ({
      level: 'problem',
      what: `${name} has ${files.length} files`,
      where: files.join(', '),
      mend: 'keep one: holdfast retire PATH takes another out of use',
    }));
}

const nameOf = ({ category, id }: ItemFacts): string => (category === undefined ? id : `${category}/${id}`);

/** Changed here and in a bundle: only a person can say which is right, and doubling it is no fault of the memory. */
async function conflicts(memory: Memory): Promise<Finding[]> {
  const whose = memory.key === 'user' ? ' --user' : '';
  return (await keptConflicts(memory)).map(({ ours, theirs }) => ({
    level: 'note',
    what: `${nameOf(ours)} was changed here and in an imported bundle; theirs is kept as ${nameOf(theirs)}`,
    where: memory.store.absolute(theirs),
    mend:
      ours.kind === 'record'
        ? `holdfast retire ${nameOf(theirs)}${whose} settles it with ours, holdfast retire ${nameOf(ours)}${whose} with theirs; holdfast edit ${nameOf(ours)}${whose} takes up what is missing`
        : `take up what is missing in ${memory.store.absolute(ours)}, then delete the file above`,
  }));
}

async function stale(memory: Memory): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const item of memory.index.items({ kind: 'record', status: 'active' })) {
    if (item.files.length === 0) continue;
    const current = await currentRecord(memory, item);
    const changed = current.ok ? staleFiles(memory, current.value.record) : [];
    if (changed.length > 0)
      findings.push({
        level: 'note',
        what: `${item.category}/${item.id}: changed since it was written: ${changed.join(', ')}`,
        mend: `holdfast edit ${item.id}, or retire it`,
      });
  }
  return findings;
}
