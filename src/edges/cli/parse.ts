import { ok, refuse, type Result } from '../../core/result.ts';
import type { Arguments, Command, Option } from './command.ts';
import { sortWords, type Words } from './words.ts';

/** Understood by every command. */
export const EVERYWHERE: readonly Option[] = [
  { name: 'home', value: 'DIR', about: 'where memories live, in place of ~/.claude' },
  { name: 'project', value: 'PATH|KEY|HASH', about: 'which project, in place of the folder it runs in' },
  { name: 'json', about: 'one JSON document on stdout and nothing else there' },
  { name: 'quiet', about: 'only what was asked for: no warnings, no hints' },
  { name: 'no-color', about: 'no colours, even on a terminal' },
  { name: 'help', short: 'h', about: 'show this help' },
];

export function parseArguments(argv: readonly string[], command: Pick<Command, 'name' | 'options' | 'most'>): Result<Arguments> {
  const all = [...command.options, ...EVERYWHERE];
  const sorted = sortWords(argv, all);
  if (typeof sorted === 'string') return refuse('USAGE_ERROR', sorted, { hint: `holdfast ${command.name} --help` });
  const { values, positionals } = sorted;
  const extra = command.most === undefined ? undefined : positionals[command.most];
  if (extra !== undefined)
    return refuse('USAGE_ERROR', `${command.name} does not know what to do with ${JSON.stringify(extra)}`, { hint: `holdfast ${command.name} --help` });
  for (const { name, choices } of all) {
    const value = values[name];
    if (choices && typeof value === 'string' && !choices.includes(value)) {
      return refuse('USAGE_ERROR', `--${name} ${JSON.stringify(value)} is not one of ${choices.join(', ')}`);
    }
  }
  return ok(argumentsOf(sorted));
}

function argumentsOf({ positionals, values }: Words): Arguments {
  const text = (name: string): string | undefined => (typeof values[name] === 'string' ? values[name] : undefined);
  return {
    positionals,
    text,
    texts: (name) => (Array.isArray(values[name]) ? (values[name] as readonly string[]) : []),
    flag: (name) => values[name] === true,
    number: (name, { min, max = Number.MAX_SAFE_INTEGER }) => {
      const given = text(name);
      if (given === undefined) return ok(undefined);
      const number = Number(given);
      if (given.trim() !== '' && Number.isInteger(number) && number >= min && number <= max) return ok(number);
      return refuse(
        'USAGE_ERROR',
        `--${name} ${JSON.stringify(given)} is not a whole number from ${min}${max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`}`,
      );
    },
  };
}
