import { ok, refuse, type Result } from '../../core/result.ts';
import { setJsonValue, unsetJsonValue, itemsAt, objectAt, type Span } from './edit.ts';

/** Adds to and takes from the lists of a JSON text, and leaves every other byte as its owner wrote it. */

/** The items of the list at a path of names; undefined if there is none. */
function listAt(text: string, names: readonly string[]): { readonly start: number; readonly end: number; readonly items: readonly Span[] } | undefined {
  let offset = 0;
  for (const name of names) {
    const there = objectAt(text, offset)?.members.findLast((member) => member.name === name);
    if (there === undefined) return undefined;
    offset = there.start;
  }
  return itemsAt(text, offset);
}

const indentOf = (text: string, offset: number): string => /[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';

/** The text with an item behind those that a list has; the list is made where there is none. */
export function appendJsonItem(text: string | undefined, names: readonly string[], value: unknown): Result<string> {
  const source = text === undefined || text.trim() === '' ? '{}\n' : text;
  const checked = setJsonValue(source, ['\u0000'], 0);
  if (!checked.ok) return checked;
  const list = listAt(source, names);
  const last = list?.items.at(-1);
  if (list === undefined || last === undefined) {
    if (list === undefined && hasValue(source, names)) return notAList(names);
    return setJsonValue(source, names, [value]);
  }
  const between = source.slice(list.start + 1, list.items[0]?.start ?? list.end);
  if (!between.includes('\n')) return ok(`${source.slice(0, last.end)}, ${JSON.stringify(value)}${source.slice(last.end)}`);
  const eol = source.includes('\r\n') ? '\r\n' : '\n';
  const indent = indentOf(source, last.start);
  const unit = /\n([ \t]+)"/.exec(source)?.[1] ?? '  ';
  const written = JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
  return ok(`${source.slice(0, last.end)},${eol}${indent}${written}${source.slice(last.end)}`);
}

/** The text without the items of a list that match; a list that held nothing else goes, and with it what held nothing but the list. */
export function removeJsonItems(text: string, names: readonly string[], matches: (value: unknown) => boolean): Result<string> {
  const list = listAt(text, names);
  if (list === undefined) return ok(text);
  const checked = setJsonValue(text, ['\u0000'], 0);
  if (!checked.ok) return checked;
  const at = list.items.findIndex(({ start, end }) => matches(JSON.parse(text.slice(start, end))));
  const found = list.items[at];
  if (found === undefined) return ok(text);
  if (list.items.length === 1) return unsetJsonValue(text, names);
  const next = list.items[at + 1];
  const [from, to] = next === undefined ? [list.items[at - 1]?.end ?? found.start, found.end] : [found.start, next.start];
  return removeJsonItems(text.slice(0, from) + text.slice(to), names, matches);
}

function hasValue(text: string, names: readonly string[]): boolean {
  let value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  for (const name of names) value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return value !== undefined;
}

const notAList = (names: readonly string[]): Result<never> =>
  refuse('CONFIG_ERROR', `${names.join('.')} is not a list, so nothing can be added to it`, { hint: 'fix the file in an editor; nothing was changed' });
