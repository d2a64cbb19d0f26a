import { mkdirSync } from 'node:fs';
import { ok, refuse, type Result, err } from '../../../core/result.ts';
import { estimateTokens } from '../../../core/budget/token-ledger.ts';
import { CHILD_MARKER, type Completion, type Model, type ModelRefusal, type ModelRequest } from '../../../core/ports/model.ts';
import { redact } from '../../../core/redact/text.ts';
import { readOutput } from './output.ts';
import { runModelCommand, type CommandRun } from './run.ts';

const hint = 'such as: claude -p --output-format json --model {model}';

/** Splits a command line into words as a shell would, with quotes, and does nothing else of what a shell does. */
export function splitCommandLine(line: string): Result<readonly [string, ...string[]]> {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const char = line[at] as string;
    const next = line[at + 1] ?? '';
    // A backslash in front of anything else is a Windows path.
    const isEscape = char === '\\' && (quote === '"' ? '"\\' : ' \t\'"\\').includes(next) && next !== '' && quote !== "'";
    if (isEscape) {
      word = (word ?? '') + next;
      at++;
    } else if (quote !== '') {
      if (char === quote) quote = '';
      else word = (word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + char;
  }
  if (quote !== '') return refuse('CONFIG_ERROR', `model.command has a ${quote} that does not end`, { hint });
  if (word !== undefined) words.push(word);
  const [program, ...rest] = words;
  return program === undefined ? refuse('CONFIG_ERROR', 'model.command is empty', { hint }) : ok([program, ...rest]);
}

export interface CommandOptions {
  /** The command line; `{model}` in it stands for the model. */
  readonly command: string;
  /** A private folder: a client that starts in the project would keep a conversation there. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly limitBytes: number;
}

/** By these a Claude Code knows that it was started by another one, and refuses to start. */
const NESTING = ['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT'];

const oneLine = (text: string): string => {
  const line = redact(text)
    .text.replace(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim();
  return line.length > 240 ? `…${line.slice(-239)}` : line;
};

/** A model that a headless client asks for us: one process a question. */
export class CommandModel implements Model {
  readonly #options: CommandOptions;

  constructor(options: CommandOptions) {
    this.#options = options;
  }

  async complete(request: ModelRequest): Promise<Result<Completion, ModelRefusal>> {
    const { command, cwd, timeoutMs, limitBytes } = this.#options;
    const words = splitCommandLine(command);
    if (!words.ok) return words;
    const [program, ...args] = words.value.map((word) => word.replaceAll('{model}', request.model)) as [string, ...string[]];
    const input = `${request.system}\n\n${request.prompt}`;
    mkdirSync(cwd, { recursive: true, mode: 0o700 });
    const ended = await runModelCommand({ program, args, input, cwd, env: this.#environment(), timeoutMs, limitBytes });
    if (ended.kind !== 'ended' || ended.code !== 0) return err(refusalOf(ended, program, this.#options));
    const answer = readOutput(ended.out);
    if (answer.failed) return err({ code: 'MODEL_ERROR', message: `${program} says: ${oneLine(answer.text)}`, maybeSpent: true });
    if (answer.text === '') return err({ code: 'MODEL_ERROR', message: `${program} answered with nothing`, maybeSpent: true });
    const told = answer.input !== undefined && answer.output !== undefined;
    return ok({
      text: answer.text,
      usage: told ? { input: answer.input, output: answer.output } : { input: estimateTokens(input), output: estimateTokens(answer.text), estimated: true },
    });
  }

  #environment(): Record<string, string | undefined> {
    const kept = Object.entries(this.#options.env).filter(([name]) => !NESTING.includes(name));
    return { ...Object.fromEntries(kept), [CHILD_MARKER]: '1' };
  }
}

function refusalOf(ended: CommandRun, program: string, { timeoutMs, limitBytes }: CommandOptions): ModelRefusal {
  switch (ended.kind) {
    case 'unstarted':
      return {
        code: 'MODEL_ERROR',
        message: `${program} cannot be started (${ended.code})`,
        hint:
          ended.code === 'ENOENT' ? 'name a program that exists in model.command' : 'model.command is run without a shell: name a program, not a script of one',
      };
    case 'timeout':
      return {
        code: 'MODEL_ERROR',
        message: `${program} did not answer within ${Math.round(timeoutMs / 100) / 10} s and was ended`,
        hint: 'model.timeoutSeconds can be raised',
        maybeSpent: true,
      };
    case 'too-large':
      return { code: 'MODEL_ERROR', message: `${program} printed more than ${limitBytes} bytes and was ended`, maybeSpent: true };
    case 'ended': {
      const words = oneLine(ended.err || ended.out);
      return {
        code: 'MODEL_ERROR',
        message: `${program} ended with ${ended.code ?? ended.signal}${words === '' ? '' : `: ${words}`}`,
        hint: 'run the command by hand to see what it says',
        maybeSpent: true,
      };
    }
  }
}
