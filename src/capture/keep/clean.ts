import type { Message, SessionFacts, ToolCall } from '../../core/episode.ts';
import { redact } from '../../core/redact/redact.ts';
import { cutMiddle } from '../read/cut.ts';
import { type Limits, LIMITS } from '../read/event.ts';
import type { Exclusion } from './exclude.ts';

/**
 * What readers are asked for before redaction: more than is kept, so that a secret at the place where a text is cut is still seen whole. A longer one
 * (a key, a `<private>` span) is known by the end that it leaves behind.
 */
export const READ_LIMITS: Limits = {
  text: LIMITS.text + 12_000,
  thinking: LIMITS.thinking + 8_000,
  input: LIMITS.input + 8_000,
  answer: LIMITS.answer + 8_000,
};

const CUT = /\[… (\d+) characters cut …\]\n/;
const LOOSE_END = /-----END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|<\/private>/gi;

/** A text as it may be kept: private spans and secrets gone, then cut to its limit. */
export function cleanText(text: string, limit: number): string {
  if (text === '') return text;
  const clean = withoutLooseEnd(redact(text).text);
  if (clean.length <= limit) return clean;
  const before = Number(CUT.exec(clean)?.[1] ?? 0);
  const cut = cutMiddle(clean, limit);
  return before === 0 ? cut : cut.replace(CUT, (_, now: string) => `[… ${Number(now) + before} characters cut …]\n`);
}

/** What lies between a cut and the end of a secret that began before it belongs to the secret. */
function withoutLooseEnd(text: string): string {
  const cut = CUT.exec(text);
  if (cut === null) return text;
  const from = cut.index + cut[0].length;
  const end = [...text.slice(from).matchAll(LOOSE_END)].at(-1);
  return end === undefined ? text : text.slice(0, from) + text.slice(from + end.index + end[0].length);
}

function cleanCall(call: ToolCall): ToolCall {
  const input = cleanText(call.input, LIMITS.input);
  const isPlain = input === call.input;
  const files = call.files.map((file) => redact(file).text);
  const { command, ...rest } = call;
  // A command that stands in an input without a secret holds none either.
  if (command === undefined) return { ...rest, input, files };
  return { ...rest, input, files, command: isPlain && input.includes(command) ? command : cleanText(command, LIMITS.input) };
}

/** A message as it may be kept. */
export function cleanMessage(message: Message, exclusion: Exclusion): Message {
  const { text, thinking, toolCalls, ...rest } = exclusion.of(message);
  return {
    ...rest,
    text: cleanText(text, message.role === 'tool' ? LIMITS.answer : LIMITS.text),
    ...(thinking === undefined ? {} : { thinking: cleanText(thinking, LIMITS.thinking) }),
    ...(toolCalls === undefined ? {} : { toolCalls: toolCalls.map(cleanCall) }),
  };
}

export function cleanFacts(facts: SessionFacts): SessionFacts {
  const { title, branch, ...rest } = facts;
  return { ...rest, ...(title === undefined ? {} : { title: redact(title).text }), ...(branch === undefined ? {} : { branch: redact(branch).text }) };
}
