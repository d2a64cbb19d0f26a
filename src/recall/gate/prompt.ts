import { isOwnCommand, stripInjected } from '../../core/episode/injected.ts';
import { analyze, wordRuns } from '../text/analyze.ts';
import { termWeight } from './term-weight.ts';
import { GATE } from './weights.ts';

/** A prompt that asks for something, or why it is passed over. */
export type ParsedPrompt = { readonly asks: true; readonly text: string } | { readonly asks: false; readonly reason: SilenceReason; readonly pasted?: string };

export type SilenceReason =
  | 'empty'
  | 'slash command'
  | 'written by the client'
  | 'shell command'
  | 'own command'
  | 'small talk'
  | 'too little to go by'
  | 'pasted output without a question';

/** Openings of texts that the client sends as user messages. */
const BY_CLIENT =
  /^\s*(?:<(?:task-notification|system-reminder|command-[a-z]+|local-command-[a-z]+|bash-[a-z]+|teammate-message|cross-session-message|user-prompt-submit-hook|session-start-hook|ide_[a-z_]+|tool_use_error|channel|tick)\b|\[Request interrupted|Caveat: The messages below|This session is being continued from a previous conversation)/i;
const ADDED = /<(system-reminder|ide_[a-z_]+|user-prompt-submit-hook|session-start-hook|new-diagnostics|task-notification)\b[\s\S]*?(?:<\/\1>|$)/gi;
const SLASH = /^\/[A-Za-z][\w:.-]*(?:\s|$)/;
const OWN = /^(?:(?:npx|bunx|pnpm|yarn|node)\s+(?:-\S+\s+)*)?(?:\S*\/)?holdfast\b/;
/** Scripts that put spaces between words; in others a whole sentence is one run. */
const SPACED = /^[\u0000-\u024f]*$/;

const SMALL_TALK = new Set(
  (
    'hi hello hey yo morning evening afternoon night thanks thank thx ty cheers great good nice cool perfect awesome excellent amazing wonderful lovely super sweet ' +
    'ok okay k kk yes yep yeah yup ya y no nope nah n sure fine right correct exactly agreed lgtm done ship go ahead continue proceed next stop wait cancel ' +
    'abort retry again try do it that this please both one two three first second third last former latter all none neither either option bye goodbye ' +
    'sorry oops hm hmm ah oh wow lol haha well work works worked now job so much a lot very you the for to is are was i we me my all and looks look sounds ' +
    'seems makes sense how why what when where who are doing today ready finished commit push merge deploy run undo redo more less up down left right not'
  ).split(' '),
);

/** Lines of logs, traces, listings and diffs. */
const MACHINE_START =
  /^\s*(?:at \S+ ?\(|at https?:|File "|Traceback \(|\[?\d{4}-\d\d-\d\d|\[?\d{1,2}:\d{2}[:.\]]|\d+\s*[→|│]|\$ |>>> |@@|diff --git|index [0-9a-f]{6}|\+\+\+ |--- [ab/]|[+-]\s{2,}|={3,}|_{3,}|\((?:pass|fail|skip)\)|[✓✗✔✘]|npm (?:WARN|ERR!|warn|error)|(?:error|warning) (?:TS|CS|E)?\d+|(?:INFO|WARN|ERROR|DEBUG|FATAL|TRACE)\b|[│├└]|\s*\d+ (?:pass|fail|packages|vulnerabilities)\b)/;
const LOCATION = /[\w./-]+\.[a-z]{1,5}[:(]\d+/;

const lettersIn = (line: string): number => line.replace(/[^\p{L}\s]/gu, '').length;

/** Whether a line was printed by a program rather than typed. */
export function isMachineLine(line: string): boolean {
  if (line.length > 600 || MACHINE_START.test(line)) return true;
  if (LOCATION.test(line) && !/[?]\s*$/.test(line) && line.split(/\s+/).length < 9) return true;
  return line.length > 24 && lettersIn(line) < line.length * 0.6;
}

/** The typed text of a prompt, and the pasted text beside it. */
function partsOf(text: string): { readonly spoken: string; readonly pasted: string } {
  const [spoken, pasted]: [string[], string[]] = [[], []];
  let fence = '';
  for (const line of text.split('\n')) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (mark !== undefined) fence = fence === '' ? mark : mark.startsWith(fence) ? '' : fence;
    else if (line.trim() !== '') (fence !== '' || isMachineLine(line) ? pasted : spoken).push(line);
  }
  return { spoken: spoken.join('\n'), pasted: pasted.join('\n') };
}

const ASKS =
  /\?|\b(?:why|how|what|where|which|who|when|fix|find|explain|help|investigate|debug|please|can you|could you|add|make|change|implement|write|create|remove|update|show|tell|want(?:ed)?|need(?:ed)?|trying|tried|should)\b/i;
/** Characters of pasted text that are read. */
const PASTED = 2_000;
const LONGEST = 6_000;

function isSmallTalk(text: string): boolean {
  const words = wordRuns(text.toLowerCase().replaceAll(/'[a-z]*/g, ''));
  return words.length <= 12 && words.every((word) => SMALL_TALK.has(word) || /^\d{1,2}$/.test(word));
}

/** Separates questions and tasks from prompts that need no memory. */
export function readPrompt(raw: string): ParsedPrompt {
  const silent = (reason: SilenceReason): Extract<ParsedPrompt, { readonly asks: false }> => ({ asks: false, reason });
  if (BY_CLIENT.test(raw)) return silent('written by the client');
  const text = stripInjected(raw).replace(ADDED, '').trim();
  if (text === '') return silent('empty');
  if (SLASH.test(text)) return silent('slash command');
  if (text.startsWith('!')) return silent(isOwnCommand(text.slice(1)) ? 'own command' : 'shell command');
  if (OWN.test(text) && isOwnCommand(text)) return silent('own command');
  const words = wordRuns(text);
  if (words.length === 0) return silent('empty');
  if (isSmallTalk(text)) return silent('small talk');
  const { spoken, pasted } = partsOf(text);
  if (pasted !== '' && !ASKS.test(spoken)) return { ...silent('pasted output without a question'), pasted: `${spoken}\n${pasted.slice(0, PASTED)}` };
  const typedTerms = new Set(analyze(spoken)).size;
  const question = typedTerms >= GATE.enoughWords || pasted === '' ? spoken : `${spoken}\n${pasted.slice(0, PASTED)}`;
  const telling = new Set(analyze(question).filter((term) => termWeight(term) >= GATE.telling));
  if ((words.length === 1 && SPACED.test(text)) || telling.size === 0) return silent('too little to go by');
  return { asks: true, text: question.slice(0, LONGEST) };
}
