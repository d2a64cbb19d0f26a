import { secretKindOf, secretLabel, isSecret } from './judge.ts';
import { redact } from './text.ts';
import { hasMark, replacement } from './span.ts';

/** A secret in a structured value: its kind and the dotted path of its field. */
export interface FieldRedaction {
  readonly kind: string;
  readonly field: string;
}

export interface DeeplyRedacted<T> {
  readonly value: T;
  readonly redactions: readonly FieldRedaction[];
}

/** Real values are less deep; a deeper part is dropped, because it was not checked. */
const DEPTH = 400;
const TOO_DEEP = replacement('too-deep');

const join = (path: string, key: string | number): string => (path === '' ? String(key) : `${path}.${key}`);

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** The name of a field's value: its key, or the `name` beside a `value`. */
const nameOf = (key: string, owner: Readonly<Record<string, unknown>>): string => {
  const beside = key === 'value' ? (owner['name'] ?? owner['key']) : undefined;
  return typeof beside === 'string' ? beside : key;
};

const redactString = (text: string, name: string, field: string, log: FieldRedaction[]): string => {
  const { text: clean, redactions: inside } = redact(text);
  const claim = secretKindOf(name);
  // A text with a redaction mark was judged before.
  if (claim !== undefined && !hasMark(text) && isSecret(text, claim, 'quoted')) {
    const [first] = inside;
    const kind = first !== undefined && first.end - first.start === text.length ? first.kind : secretLabel(claim, name, text);
    log.push({ kind, field });
    return replacement(kind);
  }
  for (const { kind } of inside) log.push({ kind, field });
  return clean;
};

/** A free name for a redacted key, so that two keys that become equal stay two fields. */
const freeKey = (key: string, usedKeys: ReadonlySet<string>): string => {
  let free = key;
  for (let n = 2; usedKeys.has(free); n++) free = `${key} ${n}`;
  return free;
};

const redactObject = (owner: Readonly<Record<string, unknown>>, path: string, depth: number, log: FieldRedaction[]): unknown => {
  const before = log.length;
  const usedKeys = new Set<string>();
  const entries = Object.entries(owner).map(([key, value]): [string, unknown] => {
    const cleanKey = redact(key);
    const cleanName = freeKey(cleanKey.text, usedKeys);
    usedKeys.add(cleanName);
    const field = join(path, cleanName);
    for (const { kind } of cleanKey.redactions) log.push({ kind, field });
    return [cleanName, typeof value === 'string' ? redactString(value, nameOf(key, owner), field, log) : walk(value, field, depth + 1, log)];
  });
  return log.length === before ? owner : Object.fromEntries(entries);
};

/** Redacts secrets that extend over several items of a list, such as a key with one line in each item. */
const redactAcross = (list: readonly unknown[], path: string, log: FieldRedaction[]): readonly unknown[] => {
  if (list.length < 2 || !list.every((item) => typeof item === 'string')) return list;
  const starts: number[] = [];
  let length = 0;
  for (const item of list) {
    starts.push(length);
    length += item.length + 1;
  }
  const itemAt = (place: number): number => starts.findLastIndex((start) => start <= place);
  const across = redact(list.join('\n')).redactions.filter(({ start, end }) => itemAt(start) !== itemAt(end - 1));
  if (across.length === 0) return list;
  const items: (string | undefined)[] = [...list];
  for (const { kind, start, end } of across.toReversed()) {
    const [first, last] = [itemAt(start), itemAt(end - 1)];
    log.push({ kind, field: join(path, first) });
    const rest = items[last]?.slice(end - (starts[last] ?? 0)) ?? '';
    items[first] = `${items[first]?.slice(0, start - (starts[first] ?? 0)) ?? ''}${replacement(kind)}${rest}`;
    for (let index = first + 1; index <= last; index++) items[index] = undefined;
  }
  return items.filter((item) => item !== undefined);
};

const walk = (value: unknown, path: string, depth: number, log: FieldRedaction[]): unknown => {
  if (typeof value === 'string') return redactString(value, '', path, log);
  if (!isContainer(value)) return value;
  if (depth > DEPTH) {
    log.push({ kind: 'too-deep', field: path });
    return TOO_DEEP;
  }
  if (!Array.isArray(value)) return redactObject(value, path, depth, log);
  const before = log.length;
  const items = redactAcross(value, path, log).map((item: unknown, index) => walk(item, join(path, index), depth + 1, log));
  return log.length === before ? value : items;
};

/** Redacts every string of a JSON-shaped value. The value itself comes back when it held no secret. */
export const redactDeep = <T>(value: T, path = ''): DeeplyRedacted<T> => {
  const log: FieldRedaction[] = [];
  // Redaction replaces strings by strings, so the type stays valid.
  return { value: walk(value, path, 0, log) as T, redactions: log };
};
