import type { Message, ToolCall } from '../../core/episode.ts';
import { tidyPath } from '../../core/project/hash.ts';
import { LruSet } from '../read/recent.ts';
import { globMatcher } from './glob.ts';

const REMEMBERED = 4_096;
/** What is longer than systems allow a path to be is none. */
const LONGEST_PATH = 4_096;
const LEFT_OUT = '[left out by capture.exclude]';
/** Words of a command line, and what may stand around a path in one. */
const WORDS = /[^\s"'`;&|<>()=,]+/g;

/** Keeps the content of excluded files out of what is captured: the calls that touch them and what those calls answered. */
export class Exclusion {
  readonly #patterns: readonly ((path: string) => boolean)[];
  readonly #folder: string;
  readonly #calls = new LruSet(REMEMBERED);

  /** `folder` is the project's: globs are relative to it. */
  constructor(globs: readonly string[], folder = '') {
    this.#patterns = globs.filter((glob) => glob.trim() !== '').map((glob) => globMatcher(glob.trim()));
    this.#folder = tidyPath(folder);
  }

  /** Whether a path, absolute or in the project, is excluded. */
  covers(path: string): boolean {
    if (path.length > LONGEST_PATH) return false;
    const plain = tidyPath(path).replace(/^\.\//, '');
    const inside = this.#folder !== '' && plain.startsWith(`${this.#folder}/`) ? plain.slice(this.#folder.length + 1) : plain;
    return this.#patterns.some((pattern) => pattern(inside));
  }

  of(message: Message): Message {
    if (this.#patterns.length === 0) return message;
    const toolCalls = message.toolCalls?.map((call) => this.#call(call, message.sessionId));
    const text = message.role === 'tool' ? this.#answer(message) : message.text;
    return { ...message, text, ...(toolCalls && { toolCalls }) };
  }

  #call(call: ToolCall, sessionId: string): ToolCall {
    if (!call.files.some((file) => this.covers(file)) && !this.#names(call)) return call;
    this.#calls.add(`${sessionId} ${call.id}`);
    return { id: call.id, name: call.name, input: LEFT_OUT, files: call.files };
  }

  /** A command that goes into an excluded folder need not name the files it prints. */
  #names({ command, input }: ToolCall): boolean {
    for (const [word] of (command ?? input).matchAll(WORDS)) if (this.covers(word) || (command && this.covers(`${word}/.`))) return true;
    return false;
  }

  #answer(message: Message): string {
    if (message.answers !== undefined && this.#calls.has(`${message.sessionId} ${message.answers}`)) return LEFT_OUT;
    // A search over many files prints the file before each line.
    const lines = message.text.split('\n');
    const kept = lines.filter((line) => !this.covers(/^\s*([^\s:"']+)(?::|$|-\d)/.exec(line)?.[1] ?? ''));
    return kept.length === lines.length ? message.text : [...kept, LEFT_OUT].join('\n');
  }
}
