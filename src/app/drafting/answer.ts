import { isObject } from '../../core/value.ts';
import type { Action } from '../../core/lifecycle/candidate.ts';
import type { Draft } from '../../core/record/draft.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Message, SessionFacts } from '../../core/episode/episode.ts';

/** A drafter's answer. */
export interface DraftAnswer {
  /** Absent if the answer is a record without an envelope. */
  readonly action?: Action;
  readonly record?: Draft;
  readonly target?: string;
  readonly reason?: string;
  readonly justification: string;
}

export interface DraftVerdict {
  readonly passed: boolean;
  /** Why it failed, or small flaws. */
  readonly issues: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

const ACTIONS: Readonly<Record<string, Action>> = { create: 'CREATE', update: 'UPDATE', delete: 'DELETE', retire: 'DELETE', noop: 'NOOP', none: 'NOOP' };
const ENVELOPE = new Set(['action', 'target', 'reason', 'justification', 'record', 'draft']);
const LONGEST_LINE = 300;

const line = (value: unknown): string => (typeof value === 'string' ? value.replace(/\s+/g, ' ').trim().slice(0, LONGEST_LINE) : '');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON object in a model's answer: alone, in a code fence, or with words around it. */
export function jsonIn(answer: string): Json | undefined {
  const text = answer.replace(/^\uFEFF/, '').trim();
  const fenced = [...text.matchAll(/```[a-z]*[ \t]*\n([\s\S]*?)```/gi)].map(([, inner = '']) => inner);
  const braces = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  return [text, ...fenced, braces].map(parse).find(isObject);
}

/** Reads a draft: an envelope with the record in it, or the record itself with the envelope's fields beside its own. */
export function readDraftAnswer(answer: string): Result<DraftAnswer> {
  const value = jsonIn(answer);
  if (!value) return refuse('INPUT_ERROR', 'the draft is not a JSON object', { hint: 'one JSON object, with or without a code fence' });
  const word = value['action'];
  const action = typeof word === 'string' ? ACTIONS[word.toLowerCase()] : undefined;
  if (word !== undefined && action === undefined) {
    return refuse('INPUT_ERROR', `the draft's action is ${JSON.stringify(word).slice(0, 40)}`, { hint: 'create, update, delete or noop' });
  }
  const inner = value['record'] ?? value['draft'];
  const bare = Object.fromEntries(Object.entries(value).filter(([key]) => !ENVELOPE.has(key)));
  const record = isObject(inner) ? inner : Object.keys(bare).length > 0 ? bare : undefined;
  if (record === undefined && (action === undefined || action === 'CREATE' || action === 'UPDATE')) {
    return refuse('INPUT_ERROR', 'the draft has no record', { hint: 'put it under "record"' });
  }
  return ok({
    ...(action !== undefined && { action }),
    ...(record !== undefined && { record }),
    ...(typeof value['target'] === 'string' && { target: value['target'] }),
    ...(line(value['reason']) !== '' && { reason: line(value['reason']) }),
    justification: line(value['justification']) || line(value['reason']),
  });
}

const severityOf = (issue: unknown): string => (isObject(issue) ? line(issue['severity'] ?? issue['level']).toUpperCase() : '');
const wordsOf = (issue: unknown): string => (isObject(issue) ? line(issue['text'] ?? issue['message'] ?? issue['issue']) : line(issue));

/** Parses a verdict. An unreadable verdict fails; a failure with more than small flaws blocks. */
export function readVerdict(answer: string): Result<DraftVerdict> {
  const value = jsonIn(answer);
  const result = line(value?.['result'] ?? value?.['verdict']).toUpperCase();
  if (!value || !['PASS', 'FAIL', 'BLOCK', 'ADVISORY'].includes(result)) {
    return refuse('INPUT_ERROR', 'the verdict cannot be read', { hint: 'a JSON object with "result" and "issues"' });
  }
  const issues = Array.isArray(value['issues']) ? (value['issues'] as readonly unknown[]) : [];
  const blocks = issues.filter((issue) => severityOf(issue) === 'BLOCK');
  const minor = issues.length > 0 && issues.every((issue) => severityOf(issue) === 'ADVISORY');
  const passed = blocks.length === 0 && (result === 'PASS' || result === 'ADVISORY' || (result === 'FAIL' && minor));
  const issueTexts = (blocks.length > 0 ? blocks : issues).map(wordsOf).filter(Boolean);
  return ok({ passed, issues: issueTexts.length > 0 || passed ? issueTexts : ['the verifier gave no reason'] });
}

/** Words that the drafting rules themselves write into a draft. */
const RULE_WORDS = new Set(
  'commit commits committed earlier edits more requests file test passes fail dead recorded stated user none files changed since tests pass lint clean builds last left alone asked answered seen done from plan while work tried given later same session chosen among options offered listed decided object carry place working request after'.split(
    ' ',
  ),
);
/** Fields with fixed values, which the schema checks. */
const FIXED_VALUE_FIELDS = new Set('status area outcome kind severity active priority strength type label'.split(' '));
const SHORTEST_WORD = 4;
/** Drafting may join, cut or inflect words; a larger share of words from outside the conversation counts as invented. */
const MAX_UNKNOWN_SHARE = 0.25;

const WORD = /[\p{L}\p{N}]+/gu;
const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(WORD) ?? [];

/** All words of a conversation, tool calls included. */
export function conversationWords(messages: Iterable<Message>, facts?: SessionFacts): ReadonlySet<string> {
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
  return Object.entries(value).flatMap(([name, one]) => (FIXED_VALUE_FIELDS.has(name) ? [] : textsIn(one)));
};

/** A number or a name with digits must occur exactly; other words may be inflected. */
const isExact = (word: string): boolean => /\p{N}/u.test(word);

/** Counts that the drafting rules add. */
const COUNTED = /\b\d+ (?=files? changed\b|edits\b|more\b|earlier commits?\b)/g;

/** Words of a text that the conversation does not contain; a word cut off before `…` is ignored. */
function unknownWordsIn(text: string, allowedWords: ReadonlySet<string>): readonly string[] {
  const whole = text.replace(/[\p{L}\p{N}]+…/gu, ' ').replace(COUNTED, ' ');
  return wordsIn(whole).filter(
    (word) => (word.length >= SHORTEST_WORD || (isExact(word) && word.length > 2)) && !allowedWords.has(word) && !RULE_WORDS.has(word),
  );
}

/**
 * Verifies a draft made without a model: its words must occur in the conversation. A name or number that does not, or an item mostly of such words,
 * blocks; a tag that does not is a small flaw.
 */
export function verifyByRules(draft: Draft, allowedWords: ReadonlySet<string>): DraftVerdict {
  const blocks = [draft['title'], draft['content'], draft['related_files']].flatMap(textsIn).flatMap((text) => {
    const unknown = unknownWordsIn(text, allowedWords);
    const all = wordsIn(text).filter((word) => word.length >= SHORTEST_WORD).length;
    const invented = unknown.some(isExact) || unknown.length > MAX_UNKNOWN_SHARE * Math.max(all, 1);
    return invented ? [`not in the conversation: ${unknown.slice(0, 3).join(', ')} (in ${JSON.stringify(text.slice(0, 80))})`] : [];
  });
  const flaws = textsIn(draft['tags']).filter((tag) => unknownWordsIn(tag, allowedWords).length > 0);
  return { passed: blocks.length === 0, issues: blocks.length > 0 ? blocks : flaws.map((tag) => `not in the conversation: the tag ${tag}`) };
}
