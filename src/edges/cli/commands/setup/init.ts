import type { SetupClient } from '../../../../app/setup/apply.ts';
import { NOTES, OTHER_CLIENTS } from '../../../../app/setup/other-clients.ts';
import type { FileEdit } from '../../../../app/setup/plan.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Cli, Command, CommandResult, Setup } from '../../command.ts';
import { inert } from '../../paint.ts';
import { plural } from '../../present/format.ts';
import { cloneNotes, offerToJoin } from '../projects/join.ts';

const EVERY: readonly SetupClient[] = ['claude-code', ...OTHER_CLIENTS];

const OWN_PATHS =
  '.mcp.json contains paths of this machine. Keep it out of git, or put `holdfast` on your PATH (`npm link` in its folder) and run `holdfast init` again.';

/** Claude Code adds the file to git's ignore list only when it creates the file itself. */
const KEEP_OUT_OF_GIT = '.claude/settings.local.json is personal. To keep it out of git, add it to .git/info/exclude.';

export const initCommand: Command = {
  name: 'init',
  about:
    'Sets up a client and turns memory on in this project: Claude Code without the plugin in this project, the others in your own settings for all projects. Shows every change before it is made; --remove reverts them.',
  positionals: '',
  most: 0,
  options: [
    {
      name: 'client',
      value: 'C',
      choices: [...EVERY, 'all'],
      about: 'the client to set up (default claude-code), or all whose settings are on this machine',
    },
    { name: 'commands', about: 'also add the short commands /summarize, /recall, /synthesize, /workspace and /user, and the agents summarize and synthesize' },
    { name: 'here', about: 'with --commands: add them to this project only' },
    { name: 'diff', about: 'show every line that changes, not only the files' },
    { name: 'yes', about: 'change the files without asking' },
    { name: 'remove', about: 'revert the setup; files you have not edited since are restored byte for byte' },
  ],
  examples: [
    ['holdfast init', 'list the files that change and ask'],
    ['holdfast init --diff', 'show every line first'],
    ['holdfast init --yes --commands', 'without asking, with the short commands'],
    ['holdfast init --yes --commands --here', 'with the short commands in this project only'],
    ['holdfast init --client codex', 'the same for Codex'],
    ['holdfast init --client all --remove --yes', 'revert every setup; memories stay'],
  ],
  run: async (given, args) => {
    if (args.flag('here') && !args.flag('commands')) return refuse('USAGE_ERROR', '--here needs --commands.', { hint: 'holdfast init --commands --here' });
    const removes = args.flag('remove');
    const joins = removes || args.flag('yes') ? ok(false) : await offerToJoin(given);
    if (!joins.ok) return joins;
    const cli = joins.value ? given.elsewhere(args.text('project') ?? '.') : given;
    const setup = await cli.setup();
    const named = args.text('client') ?? 'claude-code';
    const found = setup.installedClients();
    const skipped = named === 'all' ? obstacles(setup, found, removes) : [];
    // A setup is removed even if the client is gone.
    const candidates = removes ? EVERY : found;
    const clients = named !== 'all' ? [named as SetupClient] : candidates.filter((client) => !skipped.some((other) => other.client === client));
    const obstacle = named === 'all' || removes ? undefined : setup.obstacle(named as SetupClient);
    if (obstacle?.startsWith('its package')) return refuse('INPUT_ERROR', `${named} is not set up: ${obstacle}.`, { hint: 'one of the two is enough' });
    const planned = removes ? setup.removal(clients) : setup.plan(clients, args.flag('commands') ? (args.flag('here') ? 'here' : 'everywhere') : undefined);
    if (!planned.ok) return planned;
    const edits = planned.value;
    const word = removes ? 'removed' : 'set up';
    const skippedLines = skipped.map(({ client, why }) => `Left out: ${client} (${inert(why)}).`);
    const setUp = { clients, skipped };
    if (edits.length === 0) return result(setUp, edits, true, [removes ? 'Nothing to remove.' : 'Everything is set up already.', ...skippedLines]);
    const shown = edits.flatMap((edit) => shownEdit(cli, edit, setup.diff(edit), args.flag('diff')));
    const isAgreed = args.flag('yes') || (await setup.confirm([...shown, ''].join('\n'), removes ? 'Revert these changes?' : 'Change these files?'));
    if (!isAgreed)
      return result(setUp, edits, false, [...shown, ...skippedLines, '', 'Nothing was changed. See every line with --diff; apply the changes with --yes.']);
    const done = await setup.apply(edits, removes);
    if (!done.ok) return done;
    const notes = removes
      ? ['Your memories are kept.', ...skippedLines]
      : [
          'Memory is on in this project. Start a new session to use it.',
          ...(edits.some(({ file }) => file.endsWith('settings.local.json')) ? [KEEP_OUT_OF_GIT] : []),
          ...(setup.portable || !edits.some(({ file }) => file.endsWith('.mcp.json')) ? [] : [OWN_PATHS]),
          ...OTHER_CLIENTS.filter((client) => clients.includes(client)).map((client) => NOTES[client]),
          ...(await cloneNotes(cli)),
          ...skippedLines,
        ];
    const outcome = named === 'all' && !removes ? `${word}: ${clients.join(', ')}` : word;
    return result(setUp, edits, true, [...(args.flag('yes') ? shown : []), cli.paint.green(outcome), ...notes]);
  },
};

interface SkippedClient {
  readonly client: SetupClient;
  readonly why: string;
}

/** Clients that `all` does not set up or remove, and why. */
const obstacles = (setup: Pick<Setup, 'obstacle'>, found: readonly SetupClient[], removes: boolean): readonly SkippedClient[] =>
  EVERY.flatMap((client) => {
    const why = removes || found.includes(client) ? setup.obstacle(client, removes) : 'not found on this machine';
    return why === undefined ? [] : [{ client, why }];
  });

const result = (
  { clients, skipped }: { readonly clients: readonly SetupClient[]; readonly skipped: readonly SkippedClient[] },
  edits: readonly FileEdit[],
  done: boolean,
  lines: readonly string[],
): CommandResult =>
  ok({
    json: {
      ok: true,
      done,
      clients,
      left_out: skipped,
      files: edits.map(({ file, before, after }) => ({ file, change: before === undefined ? 'create' : after === undefined ? 'delete' : 'edit' })),
    },
    lines,
  });

function shownEdit({ paint }: Cli, { file, before, after }: FileEdit, diff: string, whole: boolean): string[] {
  const changed = diff.split('\n').filter((line) => /^[+-](?![+-])/.test(line));
  const added = changed.filter((line) => line.startsWith('+')).length;
  const what = before === undefined ? 'new file' : after === undefined ? 'deleted' : `${plural(added, 'line')} added, ${changed.length - added} removed`;
  const lines = changed.map((line) => (line.startsWith('+') ? paint.green(inert(line)) : paint.red(inert(line))));
  return [`${paint.bold(inert(file))} ${paint.dim(`(${what})`)}`, ...(whole ? lines : [])];
}
