import { catchUp } from '../index/catch-up.ts';
import { configWarnings } from '../config/warnings.ts';
import type { Memory } from '../memory/memory.ts';
import { viewTexts } from '../views/render.ts';
import { currentRecord } from '../write/current.ts';
import { staleFiles } from './staleness.ts';

export interface Finding {
  readonly level: 'problem' | 'note';
  readonly what: string;
  readonly where?: string;
  readonly mend: string;
}

/** What is wrong with a memory and how to mend it. */
export async function examine(memory: Memory): Promise<readonly Finding[]> {
  await catchUp(memory);
  return [
    ...unreadable(memory),
    ...(await untrueViews(memory)),
    ...(await doubles(memory)),
    ...(await stale(memory)),
    ...configWarnings(memory).map(({ key, message }) => ({
      level: 'problem' as const,
      what: `setting ${key || '(all)'}: ${message}`,
      mend: 'holdfast config list shows what is in force',
    })),
  ];
}

const unreadable = (memory: Memory): Finding[] =>
  memory.index.problems().map((file) => ({
    level: 'problem',
    what: `cannot be read as a record: ${file.problem}`,
    where: memory.store.absolute(file),
    mend: 'mend the file by hand; holdfast leaves it alone',
  }));

async function untrueViews(memory: Memory): Promise<Finding[]> {
  const findings: Finding[] = [];
  if ((await memory.store.journal.position()) === 0) return findings;
  for (const root of memory.store.roots) {
    if (!(await memory.store.stat({ root, path: '' }))) continue;
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
  for (const item of memory.index.items({ kind: 'record' })) {
    const name = `${item.category}/${item.id}`;
    byName.set(name, [...(byName.get(name) ?? []), memory.store.absolute(item)]);
  }
  return [...byName]
    .filter(([, files]) => files.length > 1)
    .map(([name, files]) => ({
      level: 'problem',
      what: `${name} has ${files.length} files`,
      where: files.join(', '),
      mend: 'keep one and rename or retire the others',
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
