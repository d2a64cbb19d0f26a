import type { Message, SessionFacts, ToolCall } from '../../core/episode/episode.ts';
import type { LowBytes } from '../../core/redact/scan.ts';
import { redact } from '../../core/redact/text.ts';
import { cutMiddle } from '../transcripts/value.ts';
import { type Limits, TRANSCRIPT_LIMITS } from '../transcripts/event.ts';
import type { Exclusion } from './exclude.ts';

/**
 * Limits for reading before redaction. They are larger than the final limits, so that a secret at the final cut is still complete. A longer secret (a key, a
 * `<private>` span) is recognised by its end.
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

/** A text as it may be saved: without private spans and secrets, then cut to its limit. */
export function cleanText(text: string, limit: number, lowBytes?: LowBytes): string {
  const clean = redact(text, lowBytes).text;
  // Readers use larger limits, so a text within this limit is complete.
  if (text.length <= limit) return clean;
  const whole = withoutLooseEnd(clean);
  const cutNote = cutIn(whole);
  // A text that exceeds the limit only by the note of an earlier cut is not cut again.
  if (cutNote !== null && whole.length - cutNote[0].length - 1 <= limit) return whole;
  const before = Number(cutNote?.[1] ?? 0);
  const cut = cutMiddle(whole, limit);
  return before === 0 || cut === whole ? cut : cut.replace(CUT, (_, now: string) => `[… ${Number(now) + before} characters cut …]\n`);
}

/** Removes the text between a cut and the end of a secret that began before the cut. */
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
  // A command that is part of an input without secrets has no secrets.
  const cleanCommand = command === undefined || (isPlain && input.includes(command)) ? command : cleanText(command, TRANSCRIPT_LIMITS.input);
  if (isPlain && cleanCommand === command && files.every((file, nth) => file === call.files[nth])) return call;
  return { ...call, input, files, ...(cleanCommand !== undefined && { command: cleanCommand }) };
}

/** A message as it may be saved; the same object if nothing has to be removed. */
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
  // The remote may contain a password, and the project is known already.
  const { title, branch, remote: _remote, ...rest } = facts;
  return { ...rest, ...(title === undefined ? {} : { title: redact(title).text }), ...(branch === undefined ? {} : { branch: redact(branch).text }) };
}
