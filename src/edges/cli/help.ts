import type { Command, Option, Paint } from './command.ts';
import { GLOBAL_OPTIONS } from './parse.ts';
import { GROUPS, REGISTRY } from './registry.ts';

/** The choices to list after the option's text; none if its value names them. */
export const listedChoices = ({ value, choices = [] }: Option): readonly string[] => (value?.includes('|') ? [] : choices);

export const optionLabel = ({ name, value, short }: Option): string => `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;

/** The synopsis after a command's name. */
export const usageAfter = ({ positionals, options }: Command): string => `${positionals ? ` ${positionals}` : ''}${options.length > 0 ? ' [options]' : ''}`;

const LINE_WIDTH = 100;

const leftWidth = (rows: readonly (readonly [string, string])[]): number => Math.min(34, Math.max(...rows.map(([left]) => left.length)));

const columns = (rows: readonly (readonly [string, string])[], width = leftWidth(rows)): string[] =>
  rows.flatMap(([left, right]) => {
    const [first = '', ...more] = wrapped(right, LINE_WIDTH - width - 4);
    return [`  ${left.padEnd(width)}  ${first}`, ...more.map((line) => `${' '.repeat(Math.max(width, left.length) + 4)}${line}`)];
  });

/** Wraps a text to lines of at most `width` characters; a longer word gets a line of its own. */
function wrapped(words: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of words.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export function commandHelp(command: Command, paint: Paint): string[] {
  const { name, about, options, examples } = command;
  return [
    `${paint.bold(`holdfast ${name}`)}${usageAfter(command)}`,
    '',
    ...wrapped(about, LINE_WIDTH - 2).map((line) => `  ${line}`),
    ...(options.length > 0
      ? [
          '',
          paint.bold('Options'),
          ...columns(options.map((option) => [optionLabel(option), [option.about, listedChoices(option).join(', ')].filter(Boolean).join(': ')])),
        ]
      : []),
    '',
    paint.bold('Global options'),
    ...columns(GLOBAL_OPTIONS.map((option) => [optionLabel(option), option.about])),
    '',
    paint.bold('Examples'),
    ...examples.flatMap(([line, explanation]) => [`  ${line}`, `      ${paint.dim(explanation)}`]),
  ];
}

export function overview(version: string, paint: Paint): string[] {
  const width = leftWidth(REGISTRY.map(({ name, summary }) => [name, summary]));
  return [
    `${paint.bold('holdfast')} ${version}: memory for coding agents, in files you own`,
    ...Object.entries(GROUPS).flatMap(([group, title]) => [
      '',
      paint.bold(title),
      ...columns(
        REGISTRY.filter((entry) => entry.group === group).map(({ name, summary }) => [name, summary]),
        width,
      ),
    ]),
    '',
    `  ${paint.dim('holdfast COMMAND --help shows the options and examples of a command.')}`,
    `  ${paint.dim('Exit codes: 0 done, 1 refused by a rule, 2 wrong usage, 3 conflict, 4 not found, 5 input or output.')}`,
  ];
}
