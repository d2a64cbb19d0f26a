import { categoryOfFolder } from '../../../core/record/category.ts';
import type { SourceFile } from '../../../core/ports/foreign-memories.ts';
import type { SourceFileItem, SkippedItem, SourceContents } from '../source.ts';

const DOCUMENT = /^(project\.md|(context|progress)\/[^/]+\.md)$/;
const INDEX = /^_index(-archive)?\.md$/;

/** Infinite Memory 1.2 lay in the project; 1.3 moved to the home and put the key and path of the project into its session file. */
export function readInfiniteMemory(files: readonly SourceFile[], project: { readonly key: string; readonly path: string }): SourceContents {
  const items: SourceFileItem[] = [];
  const left: SkippedItem[] = [];
  for (const { path, text } of files) {
    const [folder = '', name = ''] = path.split('/');
    const isRecord = path.split('/').length === 2 && categoryOfFolder(folder) !== undefined && name.endsWith('.md');
    if (path === '_session.json') {
      const session = withProject(text, project);
      if (session === undefined) left.push({ what: path, why: 'is not JSON' });
      else items.push({ from: path, path, text: session });
    } else if (isRecord || DOCUMENT.test(path)) items.push({ from: path, path, text });
    else if (INDEX.test(path)) items.push({ from: path, path: `memory/infinite-memory${path.replace('_', '-')}`, text });
    else left.push({ what: path, why: 'has no place in a memory' });
  }
  return { items, left };
}

function withProject(text: string, { key, path }: { readonly key: string; readonly path: string }): string | undefined {
  try {
    const session: unknown = JSON.parse(text);
    if (session === null || typeof session !== 'object' || Array.isArray(session)) return undefined;
    return `${JSON.stringify({ ...session, projectKey: key, projectPath: path }, undefined, 2)}\n`;
  } catch {
    return undefined;
  }
}
