import type { Message, SessionFacts } from '../../core/episode/episode.ts';
import type { Draft } from '../../core/record/draft.ts';
import type { DraftVerdict } from './answer.ts';

/** What the drafter's own forms add to words that were said. */
const OURS = new Set(
  'commit commits committed earlier edits more requests file test passes fail dead recorded stated user none files changed since tests pass lint clean builds last left alone asked answered seen done from plan while work tried given later same session'.split(
    ' ',
  ),
);
/** Fields with a choice of words, which are judged by the schema. */
const CHOICES = new Set('status area outcome kind severity active priority strength type label'.split(' '));
const LEAST = 4;
/** Words may be joined, cut or bent on the way into an item; more than this many that nobody said is invention. */
const STRANGE = 0.25;

const WORD = /[\p{L}\p{N}]+/gu;
const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(WORD) ?? [];

/** The words of a conversation, of whoever spoke and whatever was done. */
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

/** A number or a name with digits is either said or made up; a word can also be a bent one. */
const isExact = (word: string): boolean => /\p{N}/u.test(word);

/** What the forms count themselves. */
const COUNTED = /\b\d+ (?=files? changed\b|edits\b|more\b|earlier commits?\b)/g;

/** What of a text nobody said; a word that was cut off before `…` may be the beginning of one. */
function strangersIn(text: string, said: ReadonlySet<string>): readonly string[] {
  const whole = text.replace(/[\p{L}\p{N}]+…/gu, ' ').replace(COUNTED, ' ');
  return wordsIn(whole).filter((word) => (word.length >= LEAST || (isExact(word) && word.length > 2)) && !said.has(word) && !OURS.has(word));
}

/**
 * The verdict on a draft that was made without a model: what it says has to stand in the conversation it was made from. A name or a number that nobody
 * said, or an item mostly of such words, blocks; tags that nobody said are a small flaw.
 */
export function verifyByRules(draft: Draft, said: ReadonlySet<string>): DraftVerdict {
  const blocks = [draft['title'], draft['content'], draft['related_files']].flatMap(textsIn).flatMap((text) => {
    const strange = strangersIn(text, said);
    const all = wordsIn(text).filter((word) => word.length >= LEAST).length;
    const invented = strange.some(isExact) || strange.length > STRANGE * Math.max(all, 1);
    return invented ? [`nobody said ${strange.slice(0, 3).join(', ')}: ${text.slice(0, 80)}`] : [];
  });
  const flaws = textsIn(draft['tags']).filter((tag) => strangersIn(tag, said).length > 0);
  return { passed: blocks.length === 0, issues: blocks.length > 0 ? blocks : flaws.map((tag) => `nobody said the tag ${tag}`) };
}
