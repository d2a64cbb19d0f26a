import { ok, refuse, type Result } from '../../core/result.ts';
import { indentAt, itemsAt, type ListSpan, layoutOf, objectAt, prettyJson, setJsonValue, unsetJsonValue } from './edit.ts';
/** The items of the list at a path of names; undefined if there is none. */
function listAt(text: string, names: readonly string[]): ListSpan | undefined {
  let offset = 0;
  for (const name of names) {
    const member = objectAt(text, offset)?.members.findLast((candidate) => candidate.name === name);
    if (member === undefined) return undefined;
    offset = member.start;
  }
  return itemsAt(text, offset);
}

/** The text with an item added to the end of a list; a missing list is created. Every other byte stays. */
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
  const layout = layoutOf(source);
  const indent = indentAt(source, last.start);
  return ok(`${source.slice(0, last.end)},${layout.eol}${indent}${prettyJson(value, indent, layout)}${source.slice(last.end)}`);
}

/** The text without the matching items of a list; an emptied list is removed, and with it objects that contained nothing else. Every other byte stays. */
export function removeJsonItems(text: string, names: readonly string[], matches: (value: unknown) => boolean): Result<string> {
  const list = listAt(text, names);
  if (list === undefined) return ok(text);
  const checked = setJsonValue(text, ['\u0000'], 0);
  if (!checked.ok) return checked;
  const at = list.items.findIndex(({ start, end }) => matches(JSON.parse(text.slice(start, end))));
  const item = list.items[at];
  if (item === undefined) return ok(text);
  if (list.items.length === 1) return unsetJsonValue(text, names);
  const next = list.items[at + 1];
  const [from, to] = next === undefined ? [list.items[at - 1]?.end ?? item.start, item.end] : [item.start, next.start];
  return removeJsonItems(text.slice(0, from) + text.slice(to), names, matches);
}

function hasValue(text: string, names: readonly string[]): boolean {
  let value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  for (const name of names) value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return value !== undefined;
}

const notAList = (names: readonly string[]): Result<never> =>
  refuse('CONFIG_ERROR', `${names.join('.')} is not a list, so nothing can be added to it`, { hint: 'fix the file in an editor; nothing was changed' });
