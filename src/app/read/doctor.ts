import { importConflicts } from '../bundle/versions.ts';
import { catchUpViews } from '../index/catch-up.ts';
import { configWarnings } from '../config/show.ts';
import type { ItemFacts } from '../../core/ports/index.ts';
import { isFailure } from '../../core/failure.ts';
import type { FileRef, RootName } from '../../core/ports/store.ts';
import { roleOf, watchedFolders } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import { viewRootOf, viewTexts } from '../views/render.ts';
import { currentRecord } from '../write/current.ts';
import { committedViews, unmerged, unmergedSession } from './shared-findings.ts';
import { secretFinding } from './secret-finding.ts';
import { staleFiles } from './show.ts';

export interface Finding {
  readonly level: 'problem' | 'note';
  readonly what: string;
  readonly where?: string;
  readonly mend: string;
}

/** The problems of a memory and how to fix them. */
export async function findProblems(memory: Memory): Promise<readonly Finding[]> {
  await catchUpViews(memory);
  const conflicted = await unmerged(memory);
  return [
    ...conflicted,
    ...(await unmergedSession(memory)),
    ...(await unreadable(memory, conflicted)),
    ...(await skipped(memory)),
    ...(await outdatedViews(memory)),
    ...(await committedViews(memory)),
    ...(await duplicateIds(memory)),
    ...(await conflicts(memory)),
    ...(await stale(memory)),
    ...memory.index.files().flatMap((file) => secretFinding(memory.store.absolute(file), file.secrets)),
    ...configWarnings(memory).map(({ key, message }) => ({
      level: 'problem' as const,
      what: `setting ${key || '(all)'}: ${message}`,
      mend: 'holdfast config list shows the values in use',
    })),
  ];
}

/** Files that are no records, and files that the system does not let anyone read. */
async function unreadable(memory: Memory, besides: readonly Finding[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const file of memory.index.files()) {
    const where = memory.store.absolute(file);
    if (besides.some((finding) => finding.where === where)) continue;
    const what = file.problem === undefined ? await whyClosed(memory, file) : `Not a readable record: ${file.problem}`;
    if (what !== undefined)
      findings.push({ level: 'problem', what, where, mend: file.problem === undefined ? 'check the permissions of the file' : await remedy(memory, file) });
  }
  return findings;
}

/** Undefined for a file that can be read. */
async function whyClosed(memory: Memory, file: FileRef): Promise<string | undefined> {
  try {
    await memory.store.read(file);
    return undefined;
  } catch (cause) {
    if (!isFailure(cause)) throw cause;
    return cause.message;
  }
}

/** Undoes the change that made it unreadable, if the journal has the version before. */
async function remedy({ store }: Memory, { root, path, hash }: FileRef & { readonly hash: string }): Promise<string> {
  const last = (await store.journal.entries()).findLast((entry) => entry.root === root && entry.path === path);
  const fix = 'fix the file in an editor; holdfast does not change it';
  return last?.before !== undefined && last.after === hash ? `holdfast undo '#${last.seq}' restores the version before it, or ${fix}` : fix;
}

/** Files that no command reads, such as links, devices and endless files in a clone. */
async function skipped(memory: Memory): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const root of memory.store.roots) {
    for (const folder of watchedFolders(root)) {
      for (const { name, why } of await memory.store.skipped(root, folder)) {
        const path = [folder, name].filter((part) => part !== '').join('/');
        if (name !== '' && roleOf({ root, path }).role === 'other') continue;
        findings.push({
          level: 'problem',
          what: `is not read: ${why}`,
          where: memory.store.absolute({ root, path }),
          mend: 'move it away, or put a plain text file there',
        });
      }
    }
  }
  return findings;
}

async function outdatedViews(memory: Memory): Promise<Finding[]> {
  const findings: Finding[] = [];
  if ((await memory.store.journal.position()) === 0) return findings;
  const viewRoots = new Set<RootName>();
  for (const root of memory.store.roots) if (await memory.store.stat({ root, path: '' })) viewRoots.add(viewRootOf(root));
  for (const root of viewRoots) {
    for (const [path, text] of await viewTexts(memory, root)) {
      const view = await memory.store.read({ root, path });
      if (view?.text !== text)
        findings.push({
          level: 'problem',
          what: view ? 'The view does not match the records.' : 'The view is missing.',
          where: memory.store.absolute({ root, path }),
          mend: 'holdfast rebuild',
        });
    }
  }
  return findings;
}

/** Files with the same id; only a person can decide which is right. */
async function duplicateIds(memory: Memory): Promise<Finding[]> {
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
      mend: 'keep one file and retire the others with holdfast retire PATH',
    }));
}

const nameOf = ({ category, id }: ItemFacts): string => (category === undefined ? id : `${category}/${id}`);

/** Items that were changed here and in an imported bundle; only a person can decide which version is right. */
async function conflicts(memory: Memory): Promise<Finding[]> {
  const whose = memory.key === 'user' ? ' --user' : '';
  return (await importConflicts(memory)).map(({ ours, theirs }) => ({
    level: 'note',
    what: `${nameOf(ours)} was changed here and in an imported bundle, which was saved as ${nameOf(theirs)}`,
    where: memory.store.absolute(theirs),
    mend:
      ours.kind === 'record'
        ? `keep yours with holdfast retire ${nameOf(theirs)}${whose}, or the imported version with holdfast retire ${nameOf(ours)}${whose}; combine them with holdfast edit ${nameOf(ours)}${whose}`
        : `copy what is missing into ${memory.store.absolute(ours)}, then delete the file above`,
  }));
}

async function stale(memory: Memory): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const item of memory.index.items({ kind: 'record', status: 'active' })) {
    if (item.files.length === 0 || (await whyClosed(memory, item)) !== undefined) continue;
    const current = await currentRecord(memory, item);
    const changed = current.ok ? staleFiles(memory, current.value.record) : [];
    if (changed.length > 0)
      findings.push({
        level: 'note',
        what: `${item.category}/${item.id} may be out of date. Files changed since it was written: ${changed.join(', ')}`,
        mend: `update it with holdfast edit ${item.id}, or retire it`,
      });
  }
  return findings;
}
