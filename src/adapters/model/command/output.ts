import { isObject } from '../../../core/value.ts';
/** What a headless client printed: its text, and what it says it used. */
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

/** Gemini's way: `stats.models.<name>.tokens`. */
function statsIn({ stats }: Json): Pick<ClientAnswer, 'input' | 'output'> {
  const models = isObject(stats) && isObject(stats['models']) ? Object.values(stats['models']) : [];
  const tokens = models.flatMap((model) => (isObject(model) && isObject(model['tokens']) ? [model['tokens']] : []));
  if (tokens.length === 0) return {};
  const sum = (...keys: readonly string[]): number => tokens.reduce((total, one) => total + keys.reduce((some, key) => some + count(one[key]), 0), 0);
  return { input: sum('prompt'), output: sum('candidates', 'thoughts') };
}

const messageOf = (error: unknown): string => textIn(error, 'message') ?? (typeof error === 'string' ? error : 'it failed');

/** What an event adds to the answer; undefined when it is of no known client. */
function read(event: Json): Partial<ClientAnswer> | undefined {
  const type = event['type'];
  const result = textIn(event, 'result');
  if (type === 'result' && (result !== undefined || event['is_error'] === true)) {
    return { text: result ?? 'it failed', ...usageIn(event), ...(event['is_error'] === true && { failed: true }) };
  }
  if (type === 'item.completed' && textIn(event['item'], 'type') === 'agent_message') return { text: textIn(event['item'], 'text') ?? '' };
  if (type === 'turn.completed') return usageIn(event);
  if (type === 'turn.failed' || type === 'error') return { text: messageOf(event['error'] ?? event['message']), failed: true };
  if (type === undefined && isObject(event['error']) && 'stats' in event) return { text: messageOf(event['error']), failed: true };
  const response = textIn(event, 'response');
  if (type === undefined && response !== undefined) return { text: response, ...statsIn(event) };
  return undefined;
}

/** Reads what a headless client printed: the JSON forms of Claude Code, Codex and Gemini CLI, or the text as it is. */
export function readOutput(out: string): ClientAnswer {
  const events = eventsIn(out);
  const known = events.map(read).filter((part) => part !== undefined);
  const answer = known.reduce<Partial<ClientAnswer>>((all, part) => ({ ...all, ...part }), {});
  // A model that was asked for JSON prints JSON too: only a client's own envelope is taken apart.
  return answer.text === undefined ? { text: out.trim() } : { ...answer, text: answer.text };
}
