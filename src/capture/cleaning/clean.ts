import type { Message, SessionFacts, ToolCall } from '../../core/episode/episode.ts';
import type { LowBytes } from '../../core/redact/scan.ts';
import { redact } from '../../core/redact/text.ts';
import { cutMiddle } from '../transcripts/value.ts';
import { type Limits, TRANSCRIPT_LIMITS } from '../transcripts/event.ts';
import type { Exclusion } from './exclude.ts';

/**
 * The length that readers deliver before redaction: more than is kept, so that a secret at the place where a text is cut is still seen whole. A longer one
 * (a key, a `<private>` span) is known by the end that it leaves behind.
 */
export const READ_LIMITS: Limits = {
  text: TRANSCRIPT_LIMITS.text + 4_000,
  thinking: TRANSCRIPT_LIMITS.thinking + 4_000,
  input: TRANSCRIPT_LIMITS.input + 4_000,
  answer: TRANSCRIPT_LIMITS.answer + 4_000,
};

const CUT = /\[… (\d+) characters cut …\]\n/;
const cutIn = (text: string): RegExpExecArray | null => (text.includes(' characters cut …]\n') ? CUT.exec(text) : null);
const LOOSE_END = /-----END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|<\/private>/gi;

/** A text as it may be kept: private spans and secrets gone, then cut to its limit. */
export function cleanText(text: string, limit: number, lowBytes?: LowBytes): string {
  const clean = redact(text, lowBytes).text;
  // Readers cut at more than the limit: a text within it is whole.
  if (text.length <= limit) return clean;
  const whole = withoutLooseEnd(clean);
  const found = cutIn(whole);
  // A text that was cut before is not cut again because of the note that says so.
  if (found !== null && whole.length - found[0].length - 1 <= limit) return whole;
  const before = Number(found?.[1] ?? 0);
  const cut = cutMiddle(whole, limit);
  return before === 0 || cut === whole ? cut : cut.replace(CUT, (_, now: string) => `[… ${Number(now) + before} characters cut …]\n`);
}

/** Text between a cut and the end of a secret that began before the cut belongs to the secret. */
function withoutLooseEnd(text: string): string {
  const cut = cutIn(text);
  if (cut === null) return text;
  const from = cut.index + cut[0].length;
  const end = [...text.slice(from).matchAll(LOOSE_END)].at(-1);
  return end === undefined ? text : text.slice(0, from) + text.slice(from + end.index + end[0].length);
}

function cleanCall(call: ToolCall, lowBytes?: LowBytes): ToolCall {
  const input = cleanText(call.input, TRANSCRIPT_LIMITS.input, lowBytes);
  const files = call.files.map((file) => redact(file).text);
  const { command } = call;
  const isPlain = input === call.input;
  // A command that stands in an input without a secret holds none either.
  const cleanCommand = command === undefined || (isPlain && input.includes(command)) ? command : cleanText(command, TRANSCRIPT_LIMITS.input);
  if (isPlain && cleanCommand === command && files.every((file, nth) => file === call.files[nth])) return call;
  return { ...call, input, files, ...(cleanCommand !== undefined && { command: cleanCommand }) };
}

/** A message as it may be kept: the same one when there is nothing to take out, as with most. */
export function cleanMessage(message: Message, exclusion: Exclusion, lowBytes?: LowBytes): Message {
  const open = exclusion.of(message);
  const text = cleanText(open.text, open.role === 'tool' ? TRANSCRIPT_LIMITS.answer : TRANSCRIPT_LIMITS.text, lowBytes);
  const thinking = open.thinking === undefined ? undefined : cleanText(open.thinking, TRANSCRIPT_LIMITS.thinking, lowBytes);
  const toolCalls = open.toolCalls?.map((call) => cleanCall(call, lowBytes));
  const isClean = text === open.text && thinking === open.thinking && (toolCalls?.every((call, nth) => call === open.toolCalls?.[nth]) ?? true);
  if (isClean) return open;
  return { ...open, text, ...(thinking !== undefined && { thinking }), ...(toolCalls !== undefined && { toolCalls }) };
}

export function cleanFacts(facts: SessionFacts): SessionFacts {
  // A remote may carry a password, and told its project already.
  const { title, branch, remote: _remote, ...rest } = facts;
  return { ...rest, ...(title === undefined ? {} : { title: redact(title).text }), ...(branch === undefined ? {} : { branch: redact(branch).text }) };
}
