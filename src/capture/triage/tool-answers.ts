import type { Message } from '../../core/episode/episode.ts';
import { isDelegation, isOutsideTool, isWebTool } from '../../core/trust/provenance.ts';
import { isInWordsOf } from '../../core/trust/request.ts';
import type { Sentence } from './prose.ts';
import { stripInjected } from '../../core/episode/injected.ts';
import { privateSpans } from '../../core/redact/headers.ts';

/** Tools by which an agent asks the user. */
export const QUESTION_TOOL = /^(?:AskUserQuestion|ask_user|ask_followup_question|request_user_input|question)$/;

const MOST_ANSWERS = 4;
const MOST_OUTSIDE = 60;
const LEAST = 40;
const LEAST_WORDS = 4;
const SHARE = 0.6;
const MOST_PROMPTS = 40;
/** A prompt with fewer words of its own only agrees and opens no new topic. */
const MIN_OWN_WORDS = 4;
const OWN_LETTERS = 10;
const AGREES =
  /^(?:okay|sounds?|good|great|please|that|this|then|ahead|thanks?|thank|continue|proceed|sure|fine|perfect|yeah|nice|with|make|just|like|what|they|says?|said|exactly|right|correct|follow|apply|implement|those|these|them|your|suggestion|recommendation|suggested|recommended|approach|option|plan|weiter|gerne|bitte|genau|danke|vale|claro|gracias|bien|adelante|parfait|merci|alors|accord)$/;
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const telling = (text: string): readonly string[] => [...new Set(plain(text).split(' '))].filter((word) => word.length >= 4);

/** Whether a prompt opens a topic of its own. An "ok" does not turn an agent's text from a page into the user's statement. */
function opensMatter(prompt: string): boolean {
  const letters = prompt.match(SPACELESS)?.length ?? 0;
  return letters >= OWN_LETTERS || telling(prompt).filter((word) => !AGREES.test(word)).length >= MIN_OWN_WORDS;
}

export interface SourceOptions {
  readonly project?: string | undefined;
  /** The text before ended with content from outside. */
  readonly afterOutside?: boolean | undefined;
}

/** Tracks whether an agent's text comes from inside (the user, the project) or outside (a page, a server, a dependency, another agent). */
export class ToolAnswers {
  readonly #project: string | undefined;
  readonly #delegated = new Set<string>();
  readonly #calls = new Map<string, boolean>();
  #answers: string[] = [];
  #outside: string[] = [];
  #prompts: string[] = [];
  #afterOutside: boolean;
  #next = false;
  #agents: 'unseen' | 'inside' | 'outside' = 'unseen';

  constructor({ project, afterOutside = false }: SourceOptions = {}) {
    this.#project = project;
    this.#afterOutside = afterOutside;
  }

  /** Must be called for every message, before its text is judged. */
  add(message: Message): void {
    if (message.agentId !== undefined) return this.#agent(message);
    if (this.#next) this.#afterOutside = true;
    this.#next = false;
    if (message.role === 'user') this.#prompt(message.text);
    for (const call of message.toolCalls ?? []) {
      if (isDelegation(call.name)) this.#delegated.add(call.id);
      else if (isOutsideTool(call, this.#project)) {
        this.#calls.set(call.id, true);
        this.#next = true;
        // The model's provider runs a web search itself, and its result is within the message.
        if (isWebTool(call.name)) this.#afterOutside = true;
      }
    }
    if (message.role === 'tool') this.#answer(message);
  }

  #agent({ toolCalls = [] }: Message): void {
    if (toolCalls.some((call) => isOutsideTool(call, this.#project))) this.#agents = 'outside';
    else if (toolCalls.length > 0 && this.#agents === 'unseen') this.#agents = 'inside';
  }

  #prompt(text: string): void {
    this.#prompts = [...this.#prompts, text.slice(0, 4_000)].slice(-MOST_PROMPTS);
    if (opensMatter(text)) this.#afterOutside = false;
  }

  #answer({ answers = '', text }: Message): void {
    const answer = plain(text);
    const isOutside = this.#calls.delete(answers) || (this.#delegated.delete(answers) && this.#agents !== 'inside');
    if (isOutside) {
      this.#afterOutside = true;
      this.derives(answer);
    }
    this.#answers = [...this.#answers, answer].slice(-MOST_ANSWERS);
  }

  /** Content from outside was read, and the user has not opened another topic since. */
  get afterOutside(): boolean {
    return this.#afterOutside;
  }

  /** The same, or a tool that reads from outside is running. */
  get readsOutside(): boolean {
    return this.#afterOutside || this.#next;
  }

  /** Adds a text from outside, or one derived from it. */
  derives(text: string): void {
    if (text !== '') this.#outside = [...this.#outside, plain(text)].slice(-MOST_OUTSIDE);
  }

  /** Whether a sentence repeats a tool's answer literally, or consists of words from outside. */
  repeats({ text }: Pick<Sentence, 'text'>): boolean {
    const plainText = plain(text);
    if (plainText.length >= LEAST && [...this.#answers, ...this.#outside].some((answer) => answer.includes(plainText))) return true;
    const words = telling(text);
    if (words.length < LEAST_WORDS || this.#outside.length === 0 || isInWordsOf(text, this.#prompts)) return false;
    return this.#outside.some((other) => {
      const theirs = ` ${other} `;
      return words.filter((word) => theirs.includes(` ${word} `)).length >= words.length * SHARE;
    });
  }
}

/** Blocks that Holdfast writes for an agent and that the agent may repeat. */
const OWN_BLOCK = /<(triage_data|transcript_data|memory_draft)\b[^>]*>[\s\S]*?(?:<\/\1>|$)/g;
/** Words of Holdfast's instructions: a text with two of them is one. */
const OWN_WORDS = [
  /\.memory-(?:triage-context|draft|write-pending)-/,
  /\bcontext_file\b/,
  /\bstructural_cud\b/,
  /\bpre_action\b/,
  /\bmemory-config\.json\b/,
  /\bCUD (?:resolution|verification|table)\b/i,
  /\bmemory[- ]management (?:skill|system)\b/i,
  /\bMemory Consolidation\b/,
  /\bholdfast (?:save|write|candidate|triage|summarize)\b/,
  /\btriage (?:hook|output|data)\b/i,
];

/** A cheap check that every text with one of these words passes. */
const HINT = /[Mm]emory|MEMORY|context_file|structural_cud|pre_action|CUD|cud |holdfast|[Tt]riage/;

const isOwnInstruction = (text: string): boolean => HINT.test(text) && OWN_WORDS.filter((word) => word.test(text)).length >= 2;

/** A text without Holdfast's own text and without private passages. */
export function foreignText(text: string): string {
  const unblocked = text.includes('</') || text.includes('<t') ? stripInjected(text).replace(OWN_BLOCK, '') : stripInjected(text);
  if (isOwnInstruction(unblocked)) return '';
  const spans = unblocked.toLowerCase().includes('private>') ? privateSpans(unblocked) : [];
  return spans.toReversed().reduce((rest, span) => rest.slice(0, span.start) + rest.slice(span.end), unblocked);
}
