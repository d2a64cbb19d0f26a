import { secretKindOf, secretLabel, isSecret } from './judge.ts';
import { redact } from './text.ts';
import { hasMark, replacement } from './span.ts';

/** A secret in a structured value: what it was and the dotted path of the field that held it. */
export interface FieldRedaction {
  readonly kind: string;
  readonly field: string;
}

export interface DeeplyRedacted<T> {
  readonly value: T;
  readonly found: readonly FieldRedaction[];
}

/** Nothing real nests deeper; what does is dropped rather than kept unread. */
const DEPTH = 400;
const TOO_DEEP = replacement('too-deep');

const join = (path: string, key: string | number): string => (path === '' ? String(key) : `${path}.${key}`);

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** The name a field's value goes by: its key, or the `name` beside a `value`. */
const nameOf = (key: string, owner: Readonly<Record<string, unknown>>): string => {
  const beside = key === 'value' ? (owner['name'] ?? owner['key']) : undefined;
  return typeof beside === 'string' ? beside : key;
};

const redactString = (text: string, name: string, field: string, found: FieldRedaction[]): string => {
  const { text: clean, found: inside } = redact(text);
  const claim = secretKindOf(name);
  // A text with a mark was judged before.
  if (claim !== undefined && !hasMark(text) && isSecret(text, claim, 'quoted')) {
    const [first] = inside;
    const kind = first !== undefined && first.end - first.start === text.length ? first.kind : secretLabel(claim, name, text);
    found.push({ kind, field });
    return replacement(kind);
  }
  for (const { kind } of inside) found.push({ kind, field });
  return clean;
};

/** A key that held a secret is redacted too; two that become alike stay two fields. */
const freeKey = (key: string, taken: ReadonlySet<string>): string => {
  let free = key;
  for (let n = 2; taken.has(free); n++) free = `${key} ${n}`;
  return free;
};

const redactObject = (owner: Readonly<Record<string, unknown>>, path: string, depth: number, found: FieldRedaction[]): unknown => {
  const before = found.length;
  const taken = new Set<string>();
  const entries = Object.entries(owner).map(([key, value]): [string, unknown] => {
    const cleanKey = redact(key);
    const shown = freeKey(cleanKey.text, taken);
    taken.add(shown);
    const field = join(path, shown);
    for (const { kind } of cleanKey.found) found.push({ kind, field });
    return [shown, typeof value === 'string' ? redactString(value, nameOf(key, owner), field, found) : walk(value, field, depth + 1, found)];
  });
  return found.length === before ? owner : Object.fromEntries(entries);
};

/** A secret may run over the items of a list, such as a key with a line an item: seen item by item it would not be known for one. */
const joined = (list: readonly unknown[], path: string, found: FieldRedaction[]): readonly unknown[] => {
  if (list.length < 2 || !list.every((item) => typeof item === 'string')) return list;
  const starts: number[] = [];
  let length = 0;
  for (const item of list) {
    starts.push(length);
    length += item.length + 1;
  }
  const itemAt = (place: number): number => starts.findLastIndex((start) => start <= place);
  const across = redact(list.join('\n')).found.filter(({ start, end }) => itemAt(start) !== itemAt(end - 1));
  if (across.length === 0) return list;
  const items: (string | undefined)[] = [...list];
  for (const { kind, start, end } of across.toReversed()) {
    const [first, last] = [itemAt(start), itemAt(end - 1)];
    found.push({ kind, field: join(path, first) });
    const rest = items[last]?.slice(end - (starts[last] ?? 0)) ?? '';
    items[first] = `${items[first]?.slice(0, start - (starts[first] ?? 0)) ?? ''}${replacement(kind)}${rest}`;
    for (let index = first + 1; index <= last; index++) items[index] = undefined;
  }
  return items.filter((item) => item !== undefined);
};

const walk = (value: unknown, path: string, depth: number, found: FieldRedaction[]): unknown => {
  if (typeof value === 'string') return redactString(value, '', path, found);
  if (!isContainer(value)) return value;
  if (depth > DEPTH) {
    found.push({ kind: 'too-deep', field: path });
    return TOO_DEEP;
  }
  if (!Array.isArray(value)) return redactObject(value, path, depth, found);
  const before = found.length;
  const items = joined(value, path, found).map((item: unknown, index) => walk(item, join(path, index), depth + 1, found));
  return found.length === before ? value : items;
};

/** Redacts every string of a JSON-shaped value. The value itself comes back when it held no secret. */
export const redactDeep = <T>(value: T, path = ''): DeeplyRedacted<T> => {
  const found: FieldRedaction[] = [];
  // Strings stay strings and shapes stay shapes, so the type holds.
  return { value: walk(value, path, 0, found) as T, found };
};
