import type { ForeignDatabase, ForeignMemories, NamedMemory, ForeignPlaces, SourceFile } from '../../core/ports/foreign-memories.ts';
import { projectKey } from '../../core/project/identity.ts';
import { FOLDERS } from '../../core/record/category.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Memory } from '../memory/memory.ts';
import { OLD_LAYOUT_MARK } from '../../core/ports/project.ts';
import type { MigrationSource, SourceContents, SourceKind } from './source.ts';
import { readAutoMemory } from './sources/auto-memory.ts';
import { isBasicMemory, readBasicMemory } from './sources/basic-memory.ts';
import { readClaudeMem } from './sources/claude-mem.ts';
import { readInfiniteMemory } from './sources/infinite-memory.ts';
import { isJsonStore, readJsonStore } from './sources/json-store.ts';
import { isKnowledgeGraph, readKnowledgeGraph } from './sources/knowledge-graph.ts';
import { readMemoryFolder, readMemoryModule } from './sources/memory-folder.ts';

/** The project that memories are imported into. */
export interface MigrationContext {
  readonly memory: Pick<Memory, 'store' | 'md5'>;
  readonly project: { readonly key: string; readonly path: string; readonly worktree: string };
}

export interface FoundSources {
  readonly sources: readonly MigrationSource[];
  /** Hints at sources that cover more than this project and are imported only when named. */
  readonly hints: readonly string[];
}

const RECORD_FOLDERS = Object.values(FOLDERS);

const source = (kind: SourceKind, place: string, read: SourceContents): MigrationSource => ({ kind, place, ...read });
const readInPlace = (kind: SourceKind, place: string, inPlace: string): MigrationSource => ({ kind, place, inPlace, items: [], left: [] });

/** Everything about this project in another layout. */
async function detectSources(places: ForeignPlaces, context: MigrationContext): Promise<FoundSources> {
  const { shared, privateRoot, hashFolder, memoryFolder, autoMemory, claudeMem, basicMemory } = places;
  const sources: MigrationSource[] = [];
  const inPlace = countJsonRecords(shared.files);
  if (shared.files.some(({ path }) => path === OLD_LAYOUT_MARK))
    sources.push(source('infinite-memory-1.2', shared.place, readInfiniteMemory(shared.files, context.project)));
  else if (inPlace > 0) sources.push(readInPlace('json-store', shared.place, `${inPlace} records are read as they stand, as the shared root`));
  const plain = await countPlainRecords(privateRoot.files, context.memory);
  if (plain > 0) sources.push(readInPlace('infinite-memory-1.3', privateRoot.place, `${plain} files are read as they stand, as the private root`));
  if (hashFolder) sources.push(source('memory-module', hashFolder.place, readMemoryModule(hashFolder.files)));
  if (memoryFolder) sources.push(source('memory-folder', memoryFolder.place, readMemoryFolder(memoryFolder.files)));
  if (autoMemory) sources.push(source('auto-memory', autoMemory.place, readAutoMemory(autoMemory.files)));
  if (claudeMem) sources.push(fromClaudeMem(claudeMem, context));
  const hints =
    basicMemory === undefined ? [] : [`notes of basic-memory lie in ${basicMemory}: holdfast migrate ${basicMemory} imports them into this project`];
  return { sources, hints };
}

/** Memories of other tools: those at the paths, or those found for the project. */
export async function findSources(
  memories: ForeignMemories,
  paths: readonly string[],
  context: MigrationContext & { readonly project: Parameters<ForeignMemories['near']>[0] },
): Promise<Result<FoundSources>> {
  if (paths.length === 0) return ok(await detectSources(memories.near(context.project), context));
  const sources: MigrationSource[] = [];
  for (const path of paths) {
    const memory = memories.named(path);
    const identified = memory.ok ? identifySource(memory.value, context) : memory;
    if (!identified.ok) return identified;
    sources.push(identified.value);
  }
  return ok({ sources, hints: [] });
}

/** Detects the kind of memory at a path that a person named. */
function identifySource(memory: NamedMemory, context: MigrationContext): Result<MigrationSource> {
  const { place } = memory;
  if ('tables' in memory) return memory.tables['observations'] || memory.tables['session_summaries'] ? ok(fromClaudeMem(memory, context)) : unknown(place);
  if ('file' in memory) return isKnowledgeGraph(memory.file.text) ? ok(source('knowledge-graph', place, readKnowledgeGraph(memory.file))) : unknown(place);
  if (!('files' in memory)) return unknown(place);
  const { files } = memory;
  const has = (pattern: RegExp): boolean => files.some((file) => pattern.test(file.path));
  if (has(/^(_session\.json|_index\.md)$/)) return ok(source('infinite-memory-1.2', place, readInfiniteMemory(files, context.project)));
  if (isJsonStore(files)) return ok(source('json-store', place, readJsonStore(files)));
  if (has(/^conversations\/.+\.md$|^master\.md$/)) return ok(source('memory-folder', place, readMemoryFolder(files)));
  if (has(/^memory\/MEMORY\.md$/)) return ok(source('memory-module', place, readMemoryModule(files)));
  if (has(/^MEMORY\.md$/)) return ok(source('auto-memory', place, readAutoMemory(files)));
  return isBasicMemory(files) ? ok(source('basic-memory', place, readBasicMemory(files))) : unknown(place);
}

const unknown = (place: string): Result<never> =>
  refuse('INPUT_ERROR', `${place} does not exist, or holds no memory that can be imported.`, {
    hint: 'known are: Infinite Memory folders, a store of JSON records, _memory/, a tree with memory/MEMORY.md, auto memory, a knowledge graph as JSON lines, basic-memory notes, claude-mem.db',
  });

const countJsonRecords = (files: readonly SourceFile[]): number =>
  files.filter(({ path }) => /^[^/]+\/[^/]+\.json$/.test(path) && RECORD_FOLDERS.includes(path.split('/')[0] ?? '')).length;

/** Counts files without front matter in Infinite Memory's folders, except those that Holdfast imported word for word. */
async function countPlainRecords(files: readonly SourceFile[], { store }: MigrationContext['memory']): Promise<number> {
  const plain = files.filter(({ path, text }) => /^(decisions|analysis|subagent)\/[^/]+\.md$/.test(path) && !/^\uFEFF?---\r?\n/.test(text));
  if (plain.length === 0) return 0;
  const written = (await store.journal.entries()).filter((entry) => entry.root === 'private' && entry.op !== 'adopt');
  const ours = new Set(written.map(({ path }) => path));
  return plain.filter(({ path }) => !ours.has(path)).length;
}

/** claude-mem names a project by its folder. */
function fromClaudeMem({ place, tables }: ForeignDatabase, { memory, project }: MigrationContext): MigrationSource {
  const keyOf = (name: string): string => projectKey(name, memory.md5);
  const names = new Set([project.key, keyOf(project.worktree), keyOf(project.path)]);
  return source(
    'claude-mem',
    place,
    readClaudeMem(tables, (name) => name !== '' && names.has(keyOf(name))),
  );
}
