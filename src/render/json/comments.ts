import { ok, type Result } from '../../core/result.ts';
import { isObject } from '../../core/value.ts';

const TOKEN = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\/|,(?=(?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)*[}\]])/g;

/** The text as strict JSON of the same length: comments and trailing commas are blanks. */
const strict = (text: string): string => text.replace(TOKEN, (token) => (token.startsWith('"') ? token : token.replace(/[^\n]/g, ' ')));

/** Applies an edit of strict JSON to a text with comments and trailing commas, which stay. The edit must change one place. */
export function editCommented(text: string | undefined, edit: (json: string | undefined) => Result<string>): Result<string> {
  if (text === undefined) return edit(text);
  const before = strict(text);
  const edited = edit(before);
  if (!edited.ok || before === text) return edited;
  const after = edited.value;
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return ok(text.slice(0, head) + after.slice(head, after.length - tail) + text.slice(text.length - tail));
}

/** The value at a path of names in a text with comments; undefined if there is none, or where the text cannot be read. */
export function commentedValue(text: string | undefined, names: readonly string[]): unknown {
  try {
    return names.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), JSON.parse(strict(text ?? '{}').replace(/^\uFEFF/, '')));
  } catch {
    return undefined;
  }
}
