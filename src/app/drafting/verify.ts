import type { Message, SessionFacts } from '../../core/episode/episode.ts';
import type { Draft } from '../../core/record/draft.ts';
import type { DraftVerdict } from './answer.ts';

/** Words that the drafting rules add themselves. */
const OURS = new Set(
  'commit commits committed earlier edits more requests file test passes fail dead recorded stated user none files changed since tests pass lint clean builds last left alone asked answered seen done from plan while work tried given later same session'.split(
    ' ',
  ),
);
/** Fields with fixed values, which the schema checks. */
const CHOICES = new Set('status area outcome kind severity active priority strength type label'.split(' '));
const LEAST = 4;
/** Drafting may join, cut or inflect words; a larger share of unsaid words counts as invented. */
const STRANGE = 0.25;

const WORD = /[\p{L}\p{N}]+/gu;
const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(WORD) ?? [];

/** All words of a conversation, tool calls included. */
export function quotedIn(messages: Iterable<Message>, facts?: SessionFacts): ReadonlySet<string> {
  const words = new Set<string>(wordsIn(Object.values(facts ?? {}).join(' ')));
  for (const { text, thinking = '', toolCalls = [] } of messages) {
    const parts = [text, thinking, ...toolCalls.flatMap(({ name, input, files, command = '' }) => [name, input, command, ...files])];
    for (const part of parts) for (const word of wordsIn(part)) words.add(word);
  }
  return words;
}

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, one]) => (CHOICES.has(name) ? [] : textsIn(one)));
};

/** A number or a name with digits must occur exactly; a word may be inflected. */
const isExact = (word: string): boolean => /\p{N}/u.test(word);

/** Counts that the drafting rules add. */
const COUNTED = /\b\d+ (?=files? changed\b|edits\b|more\b|earlier commits?\b)/g;

/** Words of a text that the conversation does not contain; a word cut off before `…` may be a prefix. */
function strangersIn(text: string, said: ReadonlySet<string>): readonly string[] {
  const whole = text.replace(/[\p{L}\p{N}]+…/gu, ' ').replace(COUNTED, ' ');
  return wordsIn(whole).filter((word) => (word.length >= LEAST || (isExact(word) && word.length > 2)) && !said.has(word) && !OURS.has(word));
}

/**
 * Verifies a draft made without a model: its words must occur in the conversation. A name or number that does not, or an item mostly of such words,
 * blocks; a tag that does not is a small flaw.
 */
export function verifyByRules(draft: Draft, said: ReadonlySet<string>): DraftVerdict {
  const blocks = [draft['title'], draft['content'], draft['related_files']].flatMap(textsIn).flatMap((text) => {
    const strange = strangersIn(text, said);
    const all = wordsIn(text).filter((word) => word.length >= LEAST).length;
    const invented = strange.some(isExact) || strange.length > STRANGE * Math.max(all, 1);
    return invented ? [`not in the conversation: ${strange.slice(0, 3).join(', ')} (in ${JSON.stringify(text.slice(0, 80))})`] : [];
  });
  const flaws = textsIn(draft['tags']).filter((tag) => strangersIn(tag, said).length > 0);
  return { passed: blocks.length === 0, issues: blocks.length > 0 ? blocks : flaws.map((tag) => `not in the conversation: the tag ${tag}`) };
}
