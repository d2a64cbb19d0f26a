import { isByClient } from './by-client.ts';
import { stripInjected } from '../episode/injected.ts';
import { spokenLines } from '../episode/spoken-lines.ts';

/** A longer prompt contains pasted text: people do not type this much at once. */
const TYPED_LIMIT = 1_500;
const SENTENCE_LIMIT = 320;
/** Characters that are read: a prompt may be a megabyte of blanks. */
const READ_LIMIT = 20_000;
/** The first part of a line shows whether it was pasted. */
const LINE_HEAD = 400;
const HANDED_OVER = /^\s*(?:implement|execute|apply|carry out) (?:the following|this) plan\b/i;
/** Lines that people paste: review findings, links into files, shell prompts, quoted chat, Markdown of a report, wrapped text. */
const PASTED_LINE = new RegExp(
  [
    String.raw`^\s*(?:[-*•\d.)\s]*)(?:\*+)?(?:\(?(?:high|medium|low|critical|minor|major|nit)\)?)(?: severity)?\b\s*[:)—–-]`,
    String.raw`^\s*(?:high|medium|low|critical) severity\s*$|^\s*(?:findings?|one remaining finding)\s*:\s*$`,
    String.raw`\[[^\]]+\]\(\/[^)]+\)|\b[\w/-]+\.(?:go|ts|tsx|js|py|rs|rb|java|c|cpp|h|cs|md|ya?ml):\d+`,
    String.raw`^\s*(?:[❯➜#$%]|\w+@[\w-]+[: ]|PS [A-Z]:)|https?:\/\/\S{60}|\s:=\s|^\s*[\w.]+ = [&\w.]+[({]`,
    String.raw`^\s*#{1,6} \S|^\s*(?:[-*]|\d+[.)])?\s*\*\*[^*]+\*\*|^\s*[─━═]{3}|^\s{3,}\S`,
    String.raw`^\s*(?:error|warning|fatal|panic|traceback|std(?:err|out)|exit status)\b|^\s*[\w.-]+(?:\[\d+\])?: (?:error|warning|fatal)\b|\blevel=\w+ msg=`,
  ].join('|'),
  'i',
);
/** The head of another person's message, copied from a chat: `Ann Lee  [10:00 AM]`. */
const CHAT = /^\S.{0,40}\[\d{1,2}:\d{2}(?: [AP]M)?\]|^\[\d{1,2}:\d{2}(?: [AP]M)?\]\S/m;
const LONG = 700;
const LEAD_LIMIT = 240;
const MARK = /^\s*(?:[-*•+]|\d+[.)]|\[[ x]\])\s+/;
const SENTENCE_END = /(?<=[.!?…]["'”’)]*)\s+(?=["'“‘(`]*[\p{Lu}\d`@])|(?<=\p{Ll}{3}[.!?])\s+(?=\p{Ll}{2})/u;
const ABBREVIATION = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|re)|\s\w)\.$/i;

/** Whether a prompt is a plan to carry out. */
export const startsPlan = (prompt: string): boolean => HANDED_OVER.test(prompt);

const isPlan = (text: string): boolean => startsPlan(text) || (text.match(/^#{1,4} \S/gm) ?? []).length >= 3;

/** A stop inside an abbreviation ends no sentence. */
function splitLine(line: string): string[] {
  const parts: string[] = [];
  for (const part of line.split(SENTENCE_END)) {
    const last = parts.at(-1);
    if (last !== undefined && ABBREVIATION.test(last)) parts[parts.length - 1] = `${last} ${part}`;
    else parts.push(part);
  }
  return parts;
}

/** A prompt's lines before the first pasted one: typed text after a paste can hardly be distinguished from it. */
function ownLines(text: string): string[] {
  const lines = spokenLines(text);
  const raw = text.split('\n');
  const cut = raw.findIndex((line, at) => PASTED_LINE.test(line.slice(0, LINE_HEAD)) || (line.trim() !== '' && (lines[at] ?? '') === ''));
  if (cut < 0) return text.length > TYPED_LIMIT ? [] : lines;
  const before = lines.slice(0, cut).filter((line) => line.trim() !== '');
  // The line before a paste says what to do with it; if there are several lines, they may be part of the paste.
  const own = text.length > LONG ? before.slice(0, 1).filter((line) => line.length <= LEAD_LIMIT) : before;
  return own.filter((line) => !/[:,]\s*$/.test(line));
}

/** The sentences that a person typed in a prompt, without plans, pastes, code, logs and text of the client or Holdfast. */
export function typedSentences(prompt: string): string[] {
  const text = stripInjected(prompt).replaceAll('\r', '');
  if (text.length > READ_LIMIT || text.trim() === '' || isPlan(text) || isByClient(text) || CHAT.test(text)) return [];
  return ownLines(text)
    .flatMap((line) => splitLine(line.replace(MARK, '').trim()))
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence.length <= SENTENCE_LIMIT && /\p{L}{2}/u.test(sentence));
}
