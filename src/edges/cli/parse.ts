import { parseArgs } from 'node:util';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Arguments, Command, Option } from './command.ts';
import { didYouMean } from './errors.ts';

/** Options that every command takes. */
export const GLOBAL_OPTIONS: readonly Option[] = [
  { name: 'home', value: 'DIR', about: 'the folder that holds all memories (default: ~/.claude)' },
  { name: 'project', value: 'PATH|KEY|HASH', about: 'the project to use (default: the current folder)' },
  { name: 'json', about: 'print JSON only' },
  { name: 'quiet', about: 'print no warnings and no hints' },
  { name: 'no-color', about: 'print no colours, even on a terminal' },
  { name: 'help', short: 'h', about: 'show this help' },
];

export function parseArguments(argv: readonly string[], command: Pick<Command, 'name' | 'options' | 'most'>): Result<Arguments> {
  const options = [...command.options, ...GLOBAL_OPTIONS];
  const usageError = (message: string): Result<never> => refuse('USAGE_ERROR', message, { hint: `holdfast ${command.name} --help`.replace('  ', ' ') });
  const positionals: string[] = [];
  const values = new Map<string, string[]>();
  for (const token of tokensOf(argv, options)) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    const option = options.find((candidate) => candidate.name === name);
    if (!option) {
      const names = options.map((known) => `--${known.name}`);
      return usageError(`Unknown option ${rawName}.${didYouMean(rawName, names)}`);
    }
    if (!option.value && value !== undefined) return usageError(`${rawName} takes no value.`);
    if (option.value && value === undefined) return usageError(`${rawName} needs a value: ${rawName} ${option.value}`);
    if (option.choices && value !== undefined && !option.choices.includes(value)) {
      return usageError(`Invalid --${name} ${JSON.stringify(value)}.${didYouMean(value, option.choices)} Use one of: ${option.choices.join(', ')}.`);
    }
    values.set(name, [...(option.many ? (values.get(name) ?? []) : []), value ?? '']);
  }
  const extra = command.most === undefined ? undefined : positionals[command.most];
  return extra === undefined ? ok(argumentsFrom(positionals, values)) : usageError(`Unexpected argument ${JSON.stringify(extra)}.`);
}

/** Not strict, so that Holdfast writes the messages: Node's suggest no similar option. */
const tokensOf = (argv: readonly string[], options: readonly Option[]) =>
  parseArgs({
    args: [...argv],
    options: Object.fromEntries(options.map(({ name, value, short }) => [name, { type: value ? 'string' : 'boolean', ...(short && { short }) }] as const)),
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens;

function argumentsFrom(positionals: readonly string[], values: ReadonlyMap<string, readonly string[]>): Arguments {
  const text = (name: string): string | undefined => values.get(name)?.at(-1);
  return {
    positionals,
    text,
    texts: (name) => values.get(name) ?? [],
    flag: (name) => values.has(name),
    number: (name, { min, max = Number.MAX_SAFE_INTEGER }) => {
      const value = text(name);
      if (value === undefined) return ok(undefined);
      const number = Number(value);
      if (value.trim() !== '' && Number.isInteger(number) && number >= min && number <= max) return ok(number);
      const range = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`;
      return refuse('USAGE_ERROR', `Invalid --${name} ${JSON.stringify(value)}. Use a whole number ${range}.`);
    },
  };
}
