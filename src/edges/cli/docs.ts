import type { Command, Option } from './command.ts';
import { EXIT_CODES } from './errors.ts';
import { listedChoices, optionLabel, usageAfter } from './help.ts';
import { GLOBAL_OPTIONS } from './parse.ts';
import { GROUPS, loadCommands, REGISTRY } from './registry.ts';

/** docs/commands.md, generated from the registry of commands. */

const INTRO = `# Commands

\`holdfast COMMAND [options]\`. \`holdfast --help\` lists the commands, \`holdfast COMMAND --help\` shows one with its examples. Commands always work:
the [settings](configuration.md) \`mode\` and \`enabled\` apply to hooks only.

Name a record by its short id (\`d4f7\`), by its id (\`use-sqlite\`) or any beginning of it that only one record has, by category and id (\`decision/use-sqlite\`) or by its file. The old id of a renamed record
still works.`;

const GLOBAL_TEXT = `The home is \`--home\`, else \`HOLDFAST_HOME\`, else \`CLAUDE_CONFIG_DIR\`, else \`~/.claude\`. Output is coloured on terminals only; \`NO_COLOR\` turns colours off. Results go to
stdout, notes and errors to stderr. With \`--json\`, results and errors are one JSON document on stdout, or one document per line where a command lists rows.`;

const EXIT_TEXT = `With \`--json\` an error is \`{"ok":false,"error":"CODE","message":"…","hint":"…"}\`, with \`fields\` if some fields are invalid. If a record, session or project does not
exist, the exit code is 4, whatever the error code.`;

const EXITS: readonly (readonly [code: number, means: string])[] = [
  [0, 'done'],
  [1, 'refused by a rule; `doctor`: a problem was found'],
  [2, 'wrong usage'],
  [3, 'conflict: the file has changed since it was read'],
  [4, 'not found'],
  [5, 'input or output failed: disk, lock, network or a damaged file'],
];

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`);
const code = (text: string): string => `\`${text}\``;

const optionRow = (option: Option): string => {
  const { many, about } = option;
  const choices = listedChoices(option).map(code).join(', ');
  return `| ${code(cell(`${optionLabel(option)}${many ? '…' : ''}`))} | ${cell(about)}${choices === '' ? '' : `: ${choices}`} |`;
};

const optionTable = (options: readonly Option[]): string[] => ['| Option | |', '| --- | --- |', ...options.map(optionRow)];

const exitTable = (): string[] => [
  '| Exit code | Means | Error codes |',
  '| --- | --- | --- |',
  ...EXITS.map(([exit, means]) => {
    const codes = Object.entries(EXIT_CODES).filter(([, exitCode]) => exitCode === exit);
    return `| ${exit} | ${cell(means)} | ${codes.map(([name]) => code(name)).join(', ')} |`;
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
