import type { Command, Option } from './command.ts';
import { EXIT_CODES } from './failing.ts';
import { optionLabel, usageAfter } from './help.ts';
import { GLOBAL_OPTIONS } from './parse.ts';
import { GROUPS, loadCommands, REGISTRY } from './registry.ts';

/** docs/commands.md, written from the registry of commands. */

const INTRO = `# Commands

\`holdfast COMMAND [options]\`. \`holdfast --help\` lists the commands, \`holdfast COMMAND --help\` shows one with its examples. A command that a person types always
works: \`mode\` and \`enabled\` in the [settings](configuration.md) govern hooks only.

A record is named by its id (\`use-sqlite\`), by category and id (\`decision/use-sqlite\`) or by its file. A record that was renamed answers to its old id as well.`;

const GLOBAL_TEXT = `The home is \`--home\`, else \`HOLDFAST_HOME\`, else \`CLAUDE_CONFIG_DIR\`, else \`~/.claude\`. Colours are for terminals only; \`NO_COLOR\` switches them off. What was asked for
goes to stdout, notes and errors to stderr. With \`--json\` stdout holds one JSON document, or one a line where a command lists rows, errors included.`;

const EXIT_TEXT = `With \`--json\` an error is \`{"ok":false,"error":"CODE","message":"…","hint":"…"}\`, and \`fields\` names the fields at fault where there are any. Whatever the code, 4 is the exit code
when what was asked for does not exist.`;

const EXITS: readonly (readonly [code: number, means: string])[] = [
  [0, 'done'],
  [1, 'refused by a rule; `doctor`: something is wrong'],
  [2, 'wrong usage'],
  [3, 'the file has changed since it was read'],
  [4, 'not found'],
  [5, 'the disk, a lock or a damaged file said no'],
];

const cell = (words: string): string => words.replaceAll('|', String.raw`\|`);
const code = (words: string): string => `\`${words}\``;

const optionRow = (option: Option): string => {
  const { many, about, choices } = option;
  return `| ${code(cell(`${optionLabel(option)}${many ? '…' : ''}`))} | ${cell(about)}${choices ? `: ${choices.map(code).join(', ')}` : ''} |`;
};

const optionTable = (options: readonly Option[]): string[] => ['| Option | |', '| --- | --- |', ...options.map(optionRow)];

const exitTable = (): string[] => [
  '| Exit code | Means | Error codes |',
  '| --- | --- | --- |',
  ...EXITS.map(([exit, means]) => {
    const codes = Object.entries(EXIT_CODES).filter(([, its]) => its === exit);
    return `| ${exit} | ${cell(means)} | ${codes.map(([one]) => code(one)).join(', ')} |`;
  }),
];

const section = (command: Command): string[] => [
  '',
  `## ${command.name}`,
  '',
  code(`holdfast ${command.name}${usageAfter(command)}`),
  '',
  command.about,
  ...(command.options.length > 0 ? ['', ...optionTable(command.options)] : []),
  '',
  '```sh',
  ...command.examples.flatMap(([line, about]) => [`# ${about}`, line]),
  '```',
];

/** A row for each command; the first of a group names the group. */
const commandRows = (): string[] =>
  REGISTRY.map(({ name, group, summary }, at) => `| ${REGISTRY[at - 1]?.group === group ? '' : GROUPS[group]} | [${name}](#${name}) | ${cell(summary)} |`);

export async function commandsMarkdown(): Promise<string> {
  const commands = await loadCommands();
  return `${[
    INTRO,
    '',
    '| Group | Command | |',
    '| --- | --- | --- |',
    ...commandRows(),
    '',
    '## Global options',
    '',
    ...optionTable(GLOBAL_OPTIONS),
    '',
    GLOBAL_TEXT,
    '',
    '## Exit codes',
    '',
    ...exitTable(),
    '',
    EXIT_TEXT,
    ...commands.flatMap(section),
  ].join('\n')}\n`;
}
