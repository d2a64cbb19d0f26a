import { ok, refuse, type Result } from '../../core/result.ts';
import { isObject } from '../../core/value.ts';

/** Matches strings too, so that they are skipped. The pattern of a block comment stops at its first end, so that text between two comments is not matched. */
const TOKEN = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/|,(?=(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*[}\]])/g;

/** The text as strict JSON of the same length: comments and trailing commas become blanks. */
const toStrictJson = (text: string): string => text.replace(TOKEN, (token) => (token.startsWith('"') ? token : token.replace(/[^\n]/g, ' ')));

interface Region {
  readonly start: number;
  readonly end: number;
}

/** The places of comments; a `//` comment includes the end of its line. */
const commentsIn = (text: string): readonly Region[] =>
  [...text.matchAll(TOKEN)].flatMap(({ 0: token, index: start }) => {
    const end = start + token.length;
    return token.startsWith('/') ? [{ start, end: token.startsWith('//') && text[end] === '\n' ? end + 1 : end }] : [];
  });

/** The region that an edit replaces, moved so that it cuts no comment, and behind the comments in it if it is blank. */
function besideComments({ start, end }: Region, text: string, isBlank: boolean): Region {
  const comments = commentsIn(text);
  const uncut = Math.max(start, ...comments.filter((one) => one.start < start && start < one.end).map((one) => one.end));
  const within = isBlank ? comments.filter((one) => one.start >= start && one.start < end).map((one) => one.end) : [];
  const from = Math.max(uncut, ...within);
  const cut = comments.find((one) => one.start < end && end < one.end);
  const to = cut === undefined ? end : cut.start < from ? cut.end : cut.start;
  return { start: from, end: Math.max(from, to) };
}

/** Applies an edit of strict JSON to a text with comments and trailing commas, and keeps those. The edit must change one place only. */
export function editCommented(text: string | undefined, edit: (json: string | undefined) => Result<string>): Result<string> {
  if (text === undefined) return edit(text);
  const before = toStrictJson(text);
  const edited = edit(before);
  if (!edited.ok || before === text) return edited;
  const after = edited.value;
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const replaced = { start: head, end: text.length - tail };
  const { start, end } = besideComments(replaced, text, before.slice(replaced.start, replaced.end).trim() === '');
  const changed = text.slice(0, start) + after.slice(head, after.length - tail) + text.slice(end);
  return hasSameValue(changed, after)
    ? ok(changed)
    : refuse('CONFIG_ERROR', 'a comment is in the place of the change', { hint: 'move the comment to a line of its own; nothing was changed' });
}

/** Whether a text with comments and a text without them have the same value. */
function hasSameValue(text: string, json: string): boolean {
  const valueOf = (one: string): string => JSON.stringify(JSON.parse(one.replace(/^\uFEFF/, '')));
  try {
    return json.trim() === '' ? toStrictJson(text).trim() === '' : valueOf(toStrictJson(text)) === valueOf(json);
  } catch {
    return false;
  }
}

/** The value at a path of names in a text with comments; undefined if there is none or the text cannot be read. */
export function commentedValue(text: string | undefined, names: readonly string[]): unknown {
  try {
    return names.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), JSON.parse(toStrictJson(text ?? '{}').replace(/^\uFEFF/, '')));
  } catch {
    return undefined;
  }
}
