import type { FileEdit } from '../../../../app/init/plan.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Cli, Command, Outcome } from '../../command.ts';
import { inert } from '../../paint.ts';

const CLIENTS = ['claude-code', 'codex', 'gemini', 'opencode', 'cursor', 'all'];
const READY = ['claude-code', 'all'];

const OWN_PATHS =
  '.mcp.json names programs of this machine: keep it out of git, or `npm install -g holdfast` and run init again, which then names the command alone';

/** Git ignores it where the client has made it, and not where we have. */
const ALONE = '.claude/settings.local.json is for you alone: keep it out of git';

export const initCommand: Command = {
  name: 'init',
  about:
    'Tells Claude Code of Holdfast without the plugin and turns memory on for this project. Every file is shown before it changes; --remove takes all of it back.',
  positionals: '',
  most: 0,
  options: [
    { name: 'client', value: 'C', choices: CLIENTS, about: 'the client to set up (claude-code)' },
    { name: 'commands', about: 'also the short commands /summarize, /recall, /synthesize, /workspace and /user, and the agents summarize and synthesize' },
    { name: 'here', about: 'with --commands: into .claude of this project, not for all projects' },
    { name: 'yes', about: 'change the files without asking' },
    { name: 'remove', about: 'undo it: files that nobody has touched since are as they were, byte for byte' },
  ],
  examples: [
    ['holdfast init', 'shows what will change, and asks'],
    ['holdfast init --yes --commands', 'without asking, with the short commands'],
    ['holdfast init --yes --commands --here', 'the same, with the short commands in this project only'],
    ['holdfast init --remove --yes', 'takes it back; memories stay'],
  ],
  run: async (cli, args) => {
    const client = args.text('client') ?? 'claude-code';
    if (!READY.includes(client))
      return refuse('INPUT_ERROR', `init cannot set ${client} up yet`, {
        hint: `add \`holdfast mcp\` to the MCP servers of ${client} yourself; \`holdfast hook EVENT --client ${client}\` answers its hooks`,
      });
    if (args.flag('here') && !args.flag('commands'))
      return refuse('USAGE_ERROR', '--here says where --commands go', { hint: 'holdfast init --commands --here' });
    const setup = await cli.setup();
    const removes = args.flag('remove');
    const planned = removes ? setup.removal() : setup.plan(args.flag('commands') ? (args.flag('here') ? 'here' : 'everywhere') : undefined);
    if (!planned.ok) return planned;
    const edits = planned.value;
    const word = removes ? 'removed' : 'set up';
    if (edits.length === 0) return said(cli, edits, true, [removes ? 'there is nothing to remove' : 'everything is set up already']);
    const shown = edits.flatMap((edit) => shownEdit(cli, edit, setup.diff(edit)));
    const goes = args.flag('yes') || (await setup.confirm([...shown, ''].join('\n'), removes ? 'Take this back?' : 'Change these files?'));
    if (!goes) return said(cli, edits, false, [...shown, '', 'nothing was changed: add --yes to do it']);
    const done = await setup.apply(edits, removes);
    if (!done.ok) return done;
    const notes = removes
      ? ['memories stay where they are']
      : [
          'memory is on for this project; start a new session to see it',
          ...(edits.some(({ file }) => file.endsWith('settings.local.json')) ? [ALONE] : []),
          ...(setup.portable || !edits.some(({ file }) => file.endsWith('.mcp.json')) ? [] : [OWN_PATHS]),
          ...(client === 'all' ? ['codex, gemini, opencode and cursor are not set up by init yet'] : []),
        ];
    return said(cli, edits, true, [...(args.flag('yes') ? shown : []), cli.paint.green(word), ...notes]);
  },
};

const said = (_cli: Cli, edits: readonly FileEdit[], done: boolean, lines: readonly string[]): Outcome =>
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
