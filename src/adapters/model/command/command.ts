import { estimateTokens } from '../../../core/budget/token-ledger.ts';
import { CHILD_MARKER, type Completion, type Model, type ModelRefusal, type ModelRequest } from '../../../core/ports/model.ts';
import { redact } from '../../../core/redact/text.ts';
import { ok, refuse, type Result, err } from '../../../core/result.ts';
import { isObject } from '../../../core/value.ts';
import { runModelCommand, type CommandRun } from './run.ts';
import { mkdirSync } from 'node:fs';

/** The output of a headless client: its text, and the tokens that it reports. */
export interface ClientAnswer {
  readonly text: string;
  readonly input?: number;
  readonly output?: number;
  readonly failed?: true;
}

type Json = Readonly<Record<string, unknown>>;

const textIn = (value: unknown, key: string): string | undefined => (isObject(value) && typeof value[key] === 'string' ? value[key] : undefined);
const count = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One JSON document, a list of events, or an event a line; empty when it is neither. */
function eventsIn(out: string): readonly Json[] {
  const whole = parse(out);
  if (isObject(whole)) return [whole];
  if (Array.isArray(whole)) return whole.filter(isObject);
  const lines = out.split('\n').filter((line) => line.trim() !== '');
  const events = lines.map(parse).filter(isObject);
  return events.length === lines.length ? events : [];
}

/** Tokens that Claude Code, Codex and others give under `usage`. */
function usageIn({ usage }: Json): Pick<ClientAnswer, 'input' | 'output'> {
  if (!isObject(usage) || typeof usage['output_tokens'] !== 'number') return {};
  const input = count(usage['input_tokens']) + count(usage['cache_creation_input_tokens']) + count(usage['cache_read_input_tokens']);
  return { input, output: count(usage['output_tokens']) };
}

/** Tokens that Gemini CLI gives under `stats.models.<name>.tokens`. */
function statsIn({ stats }: Json): Pick<ClientAnswer, 'input' | 'output'> {
  const models = isObject(stats) && isObject(stats['models']) ? Object.values(stats['models']) : [];
  const tokens = models.flatMap((model) => (isObject(model) && isObject(model['tokens']) ? [model['tokens']] : []));
  if (tokens.length === 0) return {};
  const sum = (...keys: readonly string[]): number =>
    tokens.flatMap((counts) => keys.map((key) => count(counts[key]))).reduce((total, tokenCount) => total + tokenCount, 0);
  return { input: sum('prompt'), output: sum('candidates', 'thoughts') };
}

const errorMessage = (error: unknown): string => textIn(error, 'message') ?? (typeof error === 'string' ? error : 'it failed');

/** The part of the answer that an event adds; undefined for an unknown kind of event. */
function answerPart(event: Json): Partial<ClientAnswer> | undefined {
  const type = event['type'];
  const result = textIn(event, 'result');
  if (type === 'result' && (result !== undefined || event['is_error'] === true)) {
    return { text: result ?? 'it failed', ...usageIn(event), ...(event['is_error'] === true && { failed: true }) };
  }
  if (type === 'item.completed' && textIn(event['item'], 'type') === 'agent_message') return { text: textIn(event['item'], 'text') ?? '' };
  if (type === 'turn.completed') return usageIn(event);
  if (type === 'turn.failed' || type === 'error') return { text: errorMessage(event['error'] ?? event['message']), failed: true };
  if (type === undefined && isObject(event['error']) && 'stats' in event) return { text: errorMessage(event['error']), failed: true };
  const response = textIn(event, 'response');
  if (type === undefined && response !== undefined) return { text: response, ...statsIn(event) };
  return undefined;
}

/** Reads the output of a headless client: the JSON of Claude Code, Codex and Gemini CLI, or plain text. */
export function readOutput(out: string): ClientAnswer {
  const events = eventsIn(out);
  const known = events.map(answerPart).filter((part) => part !== undefined);
  const answer = known.reduce<Partial<ClientAnswer>>((all, part) => ({ ...all, ...part }), {});
  // A model may also answer with JSON, so only a client's own envelope is unpacked.
  return answer.text === undefined ? { text: out.trim() } : { ...answer, text: answer.text };
}

const hint = 'such as: claude -p --output-format json --model {model}';

/** Splits a command line into words and resolves quotes like a shell; no other syntax of a shell applies. */
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
  if (quote !== '') return refuse('CONFIG_ERROR', `model.command has an unclosed ${quote}`, { hint });
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

/** Claude Code refuses to start if these are set, because they mean that another Claude Code started it. */
const NESTING_VARIABLES = ['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT'];

const errorLine = (text: string): string => {
  const line = redact(text)
    .text.replace(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim();
  return line.length > 240 ? `…${line.slice(-239)}` : line;
};

/** A model behind a headless client: starts one process for each request. */
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
    const run = await runModelCommand({ program, args, input, cwd, env: this.#environment(), timeoutMs, limitBytes });
    if (run.kind !== 'ended' || run.code !== 0) return err(refusalOf(run, program, this.#options));
    const answer = readOutput(run.out);
    if (answer.failed) return err({ code: 'MODEL_ERROR', message: `${program} reported an error: ${errorLine(answer.text)}`, maybeSpent: true });
    if (answer.text === '') return err({ code: 'MODEL_ERROR', message: `${program} printed no answer`, maybeSpent: true });
    const hasUsage = answer.input !== undefined && answer.output !== undefined;
    return ok({
      text: answer.text,
      usage: hasUsage ? { input: answer.input, output: answer.output } : { input: estimateTokens(input), output: estimateTokens(answer.text), estimated: true },
    });
  }

  #environment(): Record<string, string | undefined> {
    const inherited = Object.entries(this.#options.env).filter(([name]) => !NESTING_VARIABLES.includes(name));
    return { ...Object.fromEntries(inherited), [CHILD_MARKER]: '1' };
  }
}

function refusalOf(run: CommandRun, program: string, { timeoutMs, limitBytes }: CommandOptions): ModelRefusal {
  switch (run.kind) {
    case 'unstarted':
      return {
        code: 'MODEL_ERROR',
        message: `${program} cannot be started (${run.code})`,
        hint:
          run.code === 'ENOENT'
            ? 'name a program that exists in model.command'
            : 'model.command runs without a shell: name an executable program, not a shell script or alias',
      };
    case 'timeout':
      return {
        code: 'MODEL_ERROR',
        message: `${program} did not answer within ${Math.round(timeoutMs / 100) / 10} s and was stopped`,
        hint: 'raise model.timeoutSeconds',
        maybeSpent: true,
      };
    case 'too-large':
      return { code: 'MODEL_ERROR', message: `${program} printed more than ${limitBytes} bytes and was stopped`, maybeSpent: true };
    case 'ended': {
      const words = errorLine(run.err || run.out);
      return {
        code: 'MODEL_ERROR',
        message: `${program} failed with ${run.code ?? run.signal}${words === '' ? '' : `: ${words}`}`,
        hint: 'run the command in a terminal to see its output',
        maybeSpent: true,
      };
    }
  }
}
