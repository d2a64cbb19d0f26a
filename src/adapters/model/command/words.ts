import { ok, refuse, type Result } from '../../../core/result.ts';

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
