import type { IndexedFile, ItemFacts } from '../../core/ports/index.ts';
import { idOfStem } from '../../core/project/filename.ts';
import { categoryFrom } from '../../core/record/category.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Memory } from '../memory/memory.ts';
import { roleOf, stemOf } from '../memory/layout.ts';

const nameOf = (item: ItemFacts): string => (item.category ? `${item.category}/${item.id}` : item.path);

/** The one record or document a person means by `use-sqlite`, `decision/use-sqlite` or a path. */
export async function resolveItem(memory: Memory, name: string): Promise<Result<ItemFacts>> {
  const found = candidates(memory, name);
  const [first, ...others] = found.length > 0 ? found : await formerly(memory, name);
  const unread = first ? undefined : unreadable(memory, name);
  if (unread)
    return refuse('READ_ERROR', `${unread.path} cannot be read: ${unread.problem ?? ''}`, {
      hint: 'holdfast doctor says what is wrong; holdfast merge settles what git could not',
    });
  if (!first) return refuse('NOT_FOUND', `No record or document ${JSON.stringify(name)} found.`, { missing: true, hint: 'find its id with holdfast search' });
  if (others.length === 0) return ok(first);
  return refuse(
    'AMBIGUOUS_ID',
    `${JSON.stringify(name)} could be ${[first, ...others].map((item) => `${nameOf(item)} (${item.root}: ${item.path})`).join(', ')}`,
    {
      hint: 'give category/id or the path of the file',
    },
  );
}

function candidates(memory: Memory, name: string): readonly ItemFacts[] {
  const direct = memory.index.byId(name);
  if (direct.length > 0) return direct;
  const slash = name.indexOf('/');
  const category = slash > 0 ? categoryFrom(name.slice(0, slash)) : undefined;
  if (category) {
    const inCategory = memory.index.byId(name.slice(slash + 1)).filter((item) => item.category === category);
    if (inCategory.length > 0) return inCategory;
  }
  const path = name.replaceAll('\\', '/').replace(/^\.claude\/memory\//, '');
  return memory.index.items().filter((item) => item.path === path || memory.store.absolute(item) === name || item.path.endsWith(`/${path}`));
}

/** A file that is called so and cannot be read, which is no reason to deny that it is there. */
export function unreadable(memory: Memory, name: string): IndexedFile | undefined {
  const bare = name.slice(name.lastIndexOf('/') + 1).replace(/\.(md|json)$/, '');
  const folder = name.includes('/') ? (categoryFrom(name.slice(0, name.indexOf('/'))) ?? name.slice(0, name.lastIndexOf('/'))) : undefined;
  return memory.index.problems().find((file) => {
    const role = roleOf(file);
    const stem = stemOf(file.path);
    if (memory.store.absolute(file) === name || file.path === name) return true;
    if (role.role !== 'record') return stem === bare && folder === undefined;
    return (
      (stem === bare || idOfStem(role.category, stem) === bare) &&
      (folder === undefined || folder === role.category || folder.endsWith(file.path.split('/')[0] ?? ''))
    );
  });
}

/** A record that has been renamed answers to its old name as well. */
async function formerly(memory: Memory, name: string): Promise<readonly ItemFacts[]> {
  const bare = name.slice(name.indexOf('/') + 1);
  for (const entry of (await memory.store.journal.entries()).toReversed()) {
    if (entry.op === 'rename' && entry.after === undefined && (entry.id === name || entry.id?.endsWith(`/${bare}`))) {
      const successor = (await memory.store.journal.entries()).find(({ group, from }) => group === entry.group && from === entry.path);
      if (successor) return memory.index.items().filter((item) => item.root === successor.root && item.path === successor.path);
    }
  }
  return [];
}
