import type { FileEdit } from '../../../../app/setup/plan.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Cli, Command, CommandResult } from '../../command.ts';
import { inert } from '../../paint.ts';

const CLIENTS = ['claude-code', 'codex', 'gemini', 'opencode', 'cursor', 'all'];
const READY = ['claude-code', 'all'];

const OWN_PATHS = '.mcp.json contains paths of this machine. Keep it out of git, or run `npm install -g holdfast` and then `holdfast init` again.';

/** Claude Code adds the file to git's ignore list only when it creates the file itself. */
const ALONE = '.claude/settings.local.json is personal. Keep it out of git.';

export const initCommand: Command = {
  name: 'init',
  about: 'Sets up Claude Code without the plugin and turns memory on in this project. Shows every change before it is made; --remove reverts them all.',
  positionals: '',
  most: 0,
  options: [
    { name: 'client', value: 'C', choices: CLIENTS, about: 'the client to set up (default claude-code)' },
    { name: 'commands', about: 'also add the short commands /summarize, /recall, /synthesize, /workspace and /user, and the agents summarize and synthesize' },
    { name: 'here', about: 'with --commands: add them to this project only' },
    { name: 'yes', about: 'change the files without asking' },
    { name: 'remove', about: 'revert the setup; files you have not edited since are restored byte for byte' },
  ],
  examples: [
    ['holdfast init', 'show the changes and ask'],
    ['holdfast init --yes --commands', 'without asking, with the short commands'],
    ['holdfast init --yes --commands --here', 'with the short commands in this project only'],
    ['holdfast init --remove --yes', 'revert the setup; memories stay'],
  ],
  run: async (cli, args) => {
    const client = args.text('client') ?? 'claude-code';
    if (!READY.includes(client))
      return refuse('INPUT_ERROR', `init cannot set up ${client} yet.`, {
        hint: `add \`holdfast mcp\` to the MCP servers of ${client}, and \`holdfast hook EVENT --client ${client}\` to its hooks`,
      });
    if (args.flag('here') && !args.flag('commands')) return refuse('USAGE_ERROR', '--here needs --commands.', { hint: 'holdfast init --commands --here' });
    const setup = await cli.setup();
    const removes = args.flag('remove');
    const planned = removes ? setup.removal() : setup.plan(args.flag('commands') ? (args.flag('here') ? 'here' : 'everywhere') : undefined);
    if (!planned.ok) return planned;
    const edits = planned.value;
    const word = removes ? 'removed' : 'set up';
    if (edits.length === 0) return said(cli, edits, true, [removes ? 'Nothing to remove.' : 'Everything is set up already.']);
    const shown = edits.flatMap((edit) => shownEdit(cli, edit, setup.diff(edit)));
    const goes = args.flag('yes') || (await setup.confirm([...shown, ''].join('\n'), removes ? 'Revert these changes?' : 'Change these files?'));
    if (!goes) return said(cli, edits, false, [...shown, '', 'Nothing was changed. Apply the changes with --yes.']);
    const done = await setup.apply(edits, removes);
    if (!done.ok) return done;
    const notes = removes
      ? ['Your memories are kept.']
      : [
          'Memory is on in this project. Start a new session to use it.',
          ...(edits.some(({ file }) => file.endsWith('settings.local.json')) ? [ALONE] : []),
          ...(setup.portable || !edits.some(({ file }) => file.endsWith('.mcp.json')) ? [] : [OWN_PATHS]),
          ...(client === 'all' ? ['init cannot set up codex, gemini, opencode and cursor yet.'] : []),
        ];
    return said(cli, edits, true, [...(args.flag('yes') ? shown : []), cli.paint.green(word), ...notes]);
  },
};

const said = (_cli: Cli, edits: readonly FileEdit[], done: boolean, lines: readonly string[]): CommandResult =>
  ok({
    json: {
      ok: true,
      done,
      files: edits.map(({ file, before, after }) => ({ file, change: before === undefined ? 'create' : after === undefined ? 'delete' : 'edit' })),
    },
    lines,
  });

const shownEdit = ({ paint }: Cli, { file, before, after }: FileEdit, diff: string): string[] => [
  `${paint.bold(inert(file))} ${paint.dim(before === undefined ? '(new)' : after === undefined ? '(deleted)' : '')}`,
  ...diff
    .split('\n')
    .filter((line) => /^[+-](?![+-])/.test(line))
    .map((line) => (line.startsWith('+') ? paint.green(inert(line)) : paint.red(inert(line)))),
];
