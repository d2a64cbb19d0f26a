import { repeats } from '../../capture/triage/repeats.ts';
import type { ItemFacts } from '../../core/ports/index.ts';
import type { FileRef, RootName } from '../../core/ports/store.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Memory } from '../memory/memory.ts';
import { candidateAnswer, type CandidateAnswer } from '../../core/lifecycle/candidate.ts';
import type { Category } from '../../core/record/category.ts';
import { sameMatter } from '../../recall/match/same-matter.ts';
import { analyze } from '../../recall/text/analyze.ts';
import { catchUp } from '../index/catch-up.ts';

const SHARED_PREFIX = /^(\.\/)?\.claude\/memory\//;

/** Resolves a target: relative to a root, `.claude/memory/…` in the project, or absolute. */
export async function placeOfTarget(memory: Memory, target: string, fallback: RootName): Promise<Result<FileRef>> {
  const plain = target.replaceAll('\\', '/');
  if (SHARED_PREFIX.test(plain) && memory.store.roots.includes('shared')) return memory.store.locate('shared', plain.replace(SHARED_PREFIX, ''));
  if (/^(\/|[A-Za-z]:\/)/.test(plain)) {
    for (const root of memory.store.roots) {
      const located = await memory.store.locate(root, target);
      if (located.ok) return located;
    }
    return memory.store.locate(fallback, target);
  }
  const located = await memory.store.locate(fallback, target);
  if (!located.ok) return located;
  for (const root of [fallback, ...memory.store.roots]) {
    const place = { root, path: located.value.path };
    if (await memory.store.stat(place)) return ok(place);
  }
  return located;
}

const plainFolder = (folder: string): string =>
  folder
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/(?<=.)\/+$/, '');

/** The root at a folder: `.claude/memory` of the project, or a root given by its full path. */
export function rootAtFolder(memory: Memory, folder: string): Result<RootName> {
  const name = plainFolder(folder);
  const match = memory.store.roots.find(
    (root) => (root === 'shared' && name === '.claude/memory') || plainFolder(memory.store.absolute({ root, path: '' })) === name,
  );
  if (match) return ok(match);
  const known = memory.store.roots.map((root) => plainFolder(memory.store.absolute({ root, path: '' })));
  return refuse('PATH_ERROR', `${JSON.stringify(folder)} is not a folder of records of this project.`, { hint: `use ${known.join(' or ')}` });
}

/** The number of best text matches that are considered. */
const CANDIDATES = 50;

/** The active record that new information is about, in all roots or in one. */
export async function candidateFor(memory: Memory, category: Category, newInfo: string, event?: string, root?: RootName): Promise<Result<CandidateAnswer>> {
  await catchUp(memory);
  const like = memory.index.search(analyze(newInfo), { kind: 'record', category, status: 'active', ...(root && { root }) }, CANDIDATES);
  const entries = like.map(({ item: { path, title, tags, body } }) => ({ path, title, tags, text: body }));
  // If the lines are about different things, use the first, which triage ranks highest.
  const [first = ''] = newInfo.trim().split('\n');
  return candidateAnswer(category, sameMatter(newInfo, entries) ?? sameMatter(first, entries), event);
}

const MOST_CHECKED = 5;

/** An active record, of any category or of one, that repeats a text. */
export function recordRepeating({ index }: { readonly index: Pick<Memory['index'], 'search'> }, text: string, category?: Category): ItemFacts | undefined {
  const terms = [...new Set(analyze(text))];
  if (terms.length === 0) return undefined;
  return index
    .search(terms, { kind: 'record', status: 'active', ...(category && { category }) }, MOST_CHECKED)
    .find(({ item }) => repeats(text, `${item.title}\n${item.body}`))?.item;
}
