import type { Command, Option, Paint } from './command.ts';
import { EVERYWHERE } from './parse.ts';

export interface CommandLine {
  readonly name: string;
  readonly about: string;
}

export const optionLabel = ({ name, value, short }: Option): string => `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;

/** What may stand after a command's name. */
export const usageAfter = ({ positionals, options }: Command): string => `${positionals ? ` ${positionals}` : ''}${options.length > 0 ? ' [options]' : ''}`;

const columns = (rows: readonly (readonly [string, string])[], indent = '  '): string[] => {
  const width = Math.min(34, Math.max(...rows.map(([left]) => left.length)));
  return rows.map(([left, right]) => `${indent}${left.padEnd(width)}  ${right}`);
};

export function commandHelp(command: Command, paint: Paint): string[] {
  const { name, about, options, examples } = command;
  return [
    `${paint.bold(`holdfast ${name}`)}${usageAfter(command)}`,
    '',
    `  ${about}`,
    ...(options.length > 0
      ? [
          '',
          paint.bold('Options'),
          ...columns(options.map((option) => [optionLabel(option), option.choices ? `${option.about} (${option.choices.join(', ')})` : option.about])),
        ]
      : []),
    '',
    paint.bold('Everywhere'),
    ...columns(EVERYWHERE.map((option) => [optionLabel(option), option.about])),
    '',
    paint.bold('Examples'),
    ...examples.flatMap(([line, what]) => [`  ${line}`, `      ${paint.dim(what)}`]),
  ];
}

export function overview(commands: readonly CommandLine[], version: string, paint: Paint): string[] {
  return [
    `${paint.bold('holdfast')} ${version}: memory for coding agents, in files you own`,
    '',
    paint.bold('Commands'),
    ...columns(commands.map(({ name, about }) => [name, about])),
    '',
    `  ${paint.dim('holdfast COMMAND --help shows its options and examples.')}`,
    `  ${paint.dim('Exit codes: 0 done, 1 refused by a rule, 2 wrong usage, 3 conflict, 4 not found, 5 input or output.')}`,
  ];
}
