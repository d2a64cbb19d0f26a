import { nearestKey } from '../../core/config/unknown.ts';
import type { IndexedFile, ItemFacts } from '../../core/ports/index.ts';
import { idOfStem } from '../../core/project/filename.ts';
import { categoryFrom } from '../../core/record/category.ts';
import { isShortId, longShortId, shortIdOfName, cutShortId } from '../../core/record/short-id.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { roleOf, stemOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';

/** A record's name for people and agents: the shortest beginning of its short id that is unique in the memory. A document keeps its name. */
export function shortId({ index }: Pick<Memory, 'index'>, { category, id }: Pick<ItemFacts, 'category' | 'id'>): string {
  if (category === undefined) return id;
  const long = longShortId(category, id);
  return cutShortId(long, index.shortIdsBeside(long));
}

/** The same for a name such as `decision/use-sqlite`; any other name stays as it is. */
export function shortName({ index }: Pick<Memory, 'index'>, name: string): string {
  const long = shortIdOfName(name);
  return long === undefined ? name : cutShortId(long, index.shortIdsBeside(long));
}

const nameOf = (item: ItemFacts): string => (item.category ? `${item.category}/${item.id}` : item.path);

/** Finds the one record or document named by `use-sqlite`, `decision/use-sqlite`, a short id, a unique beginning of an id, or a path. */
export async function resolveItem(memory: Memory, name: string): Promise<Result<ItemFacts>> {
  const [first, ...others] = await matchesOf(memory, name);
  const unread = first ? undefined : unreadable(memory, name);
  if (unread)
    return refuse('READ_ERROR', `${unread.path} cannot be read: ${unread.problem ?? ''}`, {
      hint: 'holdfast doctor says what is wrong; holdfast merge resolves git conflicts',
    });
  if (!first)
    return refuse('NOT_FOUND', `No record or document ${JSON.stringify(name)} found.${suggestion(memory, name)}`, {
      missing: true,
      hint: name.startsWith('rule:')
        ? `a quoted sentence is no record: holdfast feedback ${name} wrong keeps it from being quoted again`
        : 'find its id with holdfast search or holdfast list',
    });
  if (others.length === 0) return ok(first);
  const all = [first, ...others];
  // The same id in two roots differs only in its file.
  const isOne = all.every((item) => nameOf(item) === nameOf(first));
  const shown = all
    .slice(0, MAX_NAMED)
    .map((item) => (isOne ? `${nameOf(item)} (${item.root}: ${item.path})` : item.category ? `${shortId(memory, item)} (${nameOf(item)})` : nameOf(item)));
  const more = others.length >= MAX_NAMED ? ` and ${others.length + 1 - MAX_NAMED} more` : '';
  return refuse('AMBIGUOUS_ID', `${JSON.stringify(name)} could be ${shown.join(', ')}${more}.`, {
    hint: isOne ? 'give the path of the file' : 'give one of these ids, or more of the name',
  });
}

const MAX_NAMED = 8;

/** All items that a name may mean: exact ids, or else former ids, or else beginnings of ids. */
async function matchesOf(memory: Memory, name: string): Promise<readonly ItemFacts[]> {
  const exact = candidates(memory, name);
  // A record whose id is another's short id, perhaps on purpose, must not hide that one.
  const short =
    exact.length > 0 && isShortId(name)
      ? itemsBeginningWith(memory, name).filter((item) => !exact.some((one) => one.root === item.root && one.path === item.path))
      : [];
  if (exact.length > 0) return [...exact, ...short];
  const former = await itemsRenamedFrom(memory, name);
  return former.length > 0 ? former : itemsBeginningWith(memory, name);
}

function itemsBeginningWith(memory: Memory, name: string): readonly ItemFacts[] {
  const slash = name.indexOf('/');
  const category = slash > 0 ? categoryFrom(name.slice(0, slash)) : undefined;
  const text = (category ? name.slice(slash + 1) : name).toLowerCase();
  if (text === '') return [];
  const items = memory.index.byBeginning(text).filter((item) => category === undefined || item.category === category);
  // A printed short id must keep working, whatever other ids begin with.
  const short = isShortId(text) ? items.filter(({ category: kind, id }) => kind !== undefined && longShortId(kind, id).startsWith(text)) : [];
  if (short.length > 0) return short;
  const named = items.filter(({ id }) => id.startsWith(text));
  return named.length > 0 ? named : items;
}

/** ` Did you mean d4f7 (decision/use-sqlite)?` for a misspelt id or beginning of one. */
function suggestion(memory: Memory, name: string): string {
  const items = memory.index.items();
  const givenId = name.slice(name.indexOf('/') + 1).toLowerCase();
  const ids = [...new Set(items.map(({ id }) => id))];
  const near = nearestKey(givenId, ids) ?? nearestKey(givenId, [...new Set(ids.map((id) => id.slice(0, givenId.length)))]);
  const item = near === undefined ? undefined : (items.find(({ id }) => id === near) ?? items.find(({ id }) => id.startsWith(near)));
  if (item === undefined) return '';
  return ` Did you mean ${item.category ? `${shortId(memory, item)} (${nameOf(item)})` : nameOf(item)}?`;
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

/** A file of that name that exists but cannot be read. */
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

/** Finds a renamed record by its former name. */
async function itemsRenamedFrom(memory: Memory, name: string): Promise<readonly ItemFacts[]> {
  const bare = name.slice(name.indexOf('/') + 1);
  const hadName = (id: string | undefined): boolean =>
    id !== undefined && (id === name || id.endsWith(`/${bare}`) || (isShortId(bare) && shortIdOfName(id)?.startsWith(bare) === true));
  for (const entry of (await memory.store.journal.entries()).toReversed()) {
    if (entry.op === 'rename' && entry.after === undefined && hadName(entry.id)) {
      const successor = (await memory.store.journal.entries()).find(({ group, from }) => group === entry.group && from === entry.path);
      if (successor) return memory.index.items().filter((item) => item.root === successor.root && item.path === successor.path);
    }
  }
  return [];
}
