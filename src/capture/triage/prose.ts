import type { Message } from '../../core/episode/episode.ts';
import { isChange } from './activity.ts';
import { foreignText } from './tool-answers.ts';
import { spokenLines } from '../../core/episode/spoken-lines.ts';

/** The speaker of a text; `plan` is a plan that was pasted as a prompt, `answer` the user's answer to a question of the agent. */
export type Voice = 'user' | 'plan' | 'answer' | 'agent';

export interface Sentence {
  /** As it was written, without list marks. */
  readonly text: string;
  /** For matching: emphasis gone, code replaced by `code`. */
  readonly plain: string;
  /** Number of its line in the message, from 0. */
  readonly line: number;
  /** The headings and lead-ins above it, innermost last. */
  readonly under: string;
  /** The lead-in it follows on its own line, such as `Storage` in `**Storage**: one file a record`. */
  readonly label: string;
  readonly listed: boolean;
  readonly asks: boolean;
}

/** The prose of one message. */
export interface Passage {
  readonly messageId: string;
  readonly voice: Voice;
  readonly sentences: readonly Sentence[];
  /** The message also changes a file. */
  readonly acts: boolean;
  /** It follows text from outside, such as a web page, and may repeat it. */
  readonly afterOutside: boolean;
}

const MAX_SENTENCES = 400;
const ABBREVIATION = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|fig)|\s\w)\.$/i;

const SENTENCE_END = /[.!?…]["'”’)*_`\]]*\s+(?=["'“‘(*_`[]*[\p{Lu}\d`✅❌])/u;

/** Splits at the ends of sentences, but not at full stops in paths, versions and abbreviations. */
function split(line: string): string[] {
  const parts: string[] = [];
  let rest = line;
  let unfinished = '';
  for (let match = SENTENCE_END.exec(rest); match !== null; match = SENTENCE_END.exec(rest)) {
    const end = match.index + match[0].length;
    const part = unfinished + rest.slice(0, end);
    rest = rest.slice(end);
    if (ABBREVIATION.test(part.trim())) unfinished = part;
    else {
      parts.push(part);
      unfinished = '';
    }
  }
  return [...parts, unfinished + rest].map((part) => part.trim()).filter((part) => part !== '');
}

const plainOf = (text: string): string =>
  text
    .replace(/`[^`]*`/g, ' code ')
    .replace(/\[([^[\]]{0,400})\]\([^()]{0,400}\)/g, '$1')
    .replace(/https?:\/\/\S+/g, ' code ')
    .replace(/[*_~]{1,3}(?=\S)|(?<=\S)[*_~]{1,3}/g, '')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();

const LIST_MARK = /^\s*(?:[-*•+]|\d+[.)]|[✅❌✓✗]|\[[ x]\])\s+/;
const HEADING = /^\s*(#{1,6})\s+(.+?)\s*#*$/;
/** `**Root cause**: …`, `**Bug 1 — the label**: …`, `Fix: …`; without emphasis only a few words. */
const LEAD_IN = /^(?:(?:\*\*|__)([^*_:]{2,80}?):?(?:\*\*|__)(?:\s*[:—–-])?|((?:[A-Z][\w'’/-]*)(?: [\w'’/-]+){0,2}):)(?:\s+|$)/;

/** A line that is emphasised as a whole is a heading. */
const WHOLE_EMPHASIS = /^\s*(?:\*\*|__)([^*_]{2,80}?):?(?:\*\*|__):?\s*$/;

interface Place {
  readonly depth: number;
  readonly words: string;
}

/** The sentences of a text, each with its headings. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let headings: Place[] = [];
  let lead = '';
  spokenLines(text).forEach((raw, line) => {
    if (sentences.length >= MAX_SENTENCES) return;
    const heading = HEADING.exec(raw);
    if (heading) {
      const depth = (heading[1] as string).length;
      headings = [...headings.filter((place) => place.depth < depth), { depth, words: plainOf(heading[2] as string) }];
      lead = '';
      return;
    }
    const emphasis = WHOLE_EMPHASIS.exec(raw)?.[1];
    if (emphasis !== undefined) {
      lead = plainOf(emphasis);
      return;
    }
    const body = raw.replace(LIST_MARK, '').replace(LIST_MARK, '').trim();
    if (body === '') return;
    const leadIn = LEAD_IN.exec(body);
    const label = leadIn === null ? '' : plainOf(leadIn[1] ?? leadIn[2] ?? '');
    const rest = leadIn === null ? body : body.slice(leadIn[0].length).trim();
    if (leadIn !== null && rest === '') {
      lead = label;
      return;
    }
    if (!/^\s/.test(raw) && !LIST_MARK.test(raw) && leadIn === null) lead = '';
    const under = [...headings.map((place) => place.words), lead, label].filter((words) => words !== '').join(' > ');
    for (const part of split(rest)) {
      const plain = plainOf(part);
      if (/\p{L}{2}/u.test(plain))
        sentences.push({
          text: part,
          plain,
          line,
          under,
          label: (leadIn?.[1] ?? leadIn?.[2] ?? '').trim(),
          listed: LIST_MARK.test(raw),
          asks: /\?["'”)*_\s]*$/.test(part),
        });
    }
  });
  return sentences;
}

const HANDED_OVER = /^\s*(?:implement|execute|apply|carry out) (?:the following|this) plan\b/i;

const isPlan = (text: string): boolean => HANDED_OVER.test(text) || (text.match(/^#{1,4} \S/gm) ?? []).length >= 3;

const PASTE = 1_500;
const HEAD = 600;
const isSpoken = (line: string): boolean => line.length <= 300 && (line.match(/`/g) ?? []).length <= 2;

/** The start and end of a long text, where the typed part is; the middle is pasted. */
function typedEnds(text: string): string {
  const lines = text.split('\n');
  if (text.length <= PASTE || lines.length <= 12) return text;
  let room = HEAD;
  return lines
    .map((line, at) => {
      if (at >= 4) return at >= lines.length - 3 && isSpoken(line) ? line : '';
      room -= line.length;
      return room + line.length > 0 ? line : '';
    })
    .join('\n');
}

/** The passage of a message; undefined for tool output and subagents. `isAnswer` marks the user's answer to a question of the agent. */
export function passageOf(message: Message, isAnswer: boolean, afterOutside = false): Passage | undefined {
  if (message.agentId !== undefined || (message.role === 'tool' && !isAnswer)) return undefined;
  const text = foreignText(message.text);
  if (text.trim() === '') return undefined;
  const voice: Voice = message.role === 'tool' ? 'answer' : message.role === 'assistant' ? 'agent' : isPlan(text) ? 'plan' : 'user';
  const sentences = voice === 'answer' ? [] : sentencesOf(voice === 'user' ? typedEnds(text) : text);
  const acts = message.toolCalls?.some(isChange) ?? false;
  return {
    messageId: message.id,
    voice,
    sentences: voice === 'answer' ? answersOf(text) : sentences,
    acts,
    afterOutside: afterOutside && (voice === 'agent' || voice === 'answer'),
  };
}

/** The `"Question?"="Answer"` pairs that clients report. */
function answersOf(text: string): Sentence[] {
  const pairs = [...text.matchAll(/"((?:[^"\\]|\\.){8,600})"\s*=\s*"((?:[^"\\]|\\.){1,400})"/g)];
  return pairs.map((pair) => {
    const statement = `${pair[1] as string} → ${pair[2] as string}`;
    return {
      text: statement,
      plain: plainOf(statement),
      line: text.slice(0, pair.index).split('\n').length - 1,
      under: '',
      label: '',
      listed: false,
      asks: false,
    };
  });
}
