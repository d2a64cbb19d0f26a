import { type SpaceReport, syncMemory, type SyncRequest, type TeamClient } from '../../../../app/sync/team-client.ts';
import type { Memory } from '../../../../app/memory/memory.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import type { Arguments, Command, CommandContext, CommandResult } from '../../command.ts';
import { unknownAction } from '../../errors.ts';
import { inert } from '../../paint.ts';
import { plural } from '../../present/format.ts';
import { sendConversationsCommand } from './conversations.ts';

const PATHS_SHOWN = 8;

/** One line for the number of records, and a few of their paths. */
const pathLines = (action: string, paths: readonly string[]): readonly string[] =>
  paths.length === 0
    ? []
    : [
        `  ${action}: ${plural(paths.length, 'record')}`,
        ...paths.slice(0, PATHS_SHOWN).map((path) => `    ${inert(path)}`),
        ...(paths.length > PATHS_SHOWN ? ['    …'] : []),
      ];

function linesOf(report: SpaceReport, isPlanned: boolean): readonly string[] {
  const byTime = (done: string, planned: string): string => (isPlanned ? planned : done);
  const lines = [
    ...pathLines(byTime('sent', 'will be sent'), report.sent),
    ...pathLines(byTime('received', 'will be received'), report.received),
    ...pathLines(byTime('merged', 'changed on both sides, will be merged'), report.merged),
    ...pathLines(byTime('removed here, because others removed them', 'will be removed here'), report.removed),
    ...pathLines(byTime('removed on the server', 'will be removed on the server'), report.retracted),
    ...pathLines('restored here, because others changed them since', report.returned),
    ...report.proposed.map(({ path, proposal }) => `  waits for review: ${inert(path)} (proposal ${inert(proposal)})`),
    ...report.conflicts.map(
      ({ path, fields }) =>
        `  conflict: ${inert(path)} (${inert(fields.join(', '))}); both versions are in the file: holdfast merge ${inert(path)} --ours or --theirs`,
    ),
    ...(report.restored ? ['  the server was restored from a backup: what it lost is sent again'] : []),
  ];
  const head = report.space === 'shared' ? 'team records' : 'private records, sealed';
  return [`${head}${lines.length === 0 ? ': nothing to do' : ''}`, ...lines];
}

const warningsOf = ({ held: unsynced, refused, vanished, conflicts }: SpaceReport): readonly string[] => [
  ...unsynced.filter(({ path }) => !conflicts.some((conflict) => conflict.path === path)).map(({ path, why }) => `${path} was not synced: ${why}`),
  ...refused.map(({ path, why }) => `${path} was refused: ${why}`),
  ...(vanished.length === 0
    ? []
    : [
        `${plural(vanished.length, 'file')} ${vanished.length === 1 ? 'was' : 'were'} deleted here without Holdfast (${vanished.slice(0, 3).join(', ')}): --delete-missing deletes on the server too`,
      ]),
];

function output(reports: readonly SpaceReport[], planned: boolean, cli: CommandContext): CommandResult {
  const conflicts = reports.some((report) => report.conflicts.length > 0);
  const refusals = reports.some((report) => report.refused.length > 0);
  return ok({
    json: { ok: !conflicts && !refusals, dry_run: planned, spaces: reports },
    lines: [...(planned ? [cli.paint.bold('This sync would:')] : []), ...reports.flatMap((report) => linesOf(report, planned))],
    warnings: reports.flatMap(warningsOf),
    exit: conflicts ? 3 : refusals ? 1 : 0,
  });
}

/** Only a person decides where memory goes. */
const onlyPerson = (what: string): CommandResult => refuse('SECURITY_ERROR', `Only a person ${what}.`, { hint: 'run the command in a terminal of your own' });

async function connect(cli: CommandContext, client: TeamClient, memory: Memory, args: Arguments): Promise<Result<string>> {
  const before = client.files.connection(memory.key);
  const address = args.text('to') ?? before?.url;
  if (address === undefined)
    return refuse('USAGE_ERROR', 'sync needs the address of a server.', { hint: 'holdfast sync --to https://SERVER --as PROJECT --token FILE' });
  const url = client.address(address);
  if (!url.ok) return url;
  const file = args.text('token');
  const tokenText = file === undefined ? undefined : await cli.readInput(file);
  if (tokenText && !tokenText.ok) return tokenText;
  // The file may be the output of `team token`, which begins with the token.
  const token = tokenText === undefined ? client.files.token(url.value) : tokenText.value.trim().split(/\s/, 1)[0];
  if (token === undefined || !/^[\u0021-\u007e]+$/.test(token))
    return refuse('INPUT_ERROR', 'sync needs a token for the server.', { hint: 'put it into a file and give --token FILE, or --token - for standard input' });
  const api = client.api({ url: url.value, token });
  if (!api.ok) return api;
  const me = await api.value.ask('GET', 'v1/me');
  if (!me.ok) return me;
  const project = args.text('as') ?? before?.project ?? memory.key;
  const isPrivateSynced = args.text('private') === undefined ? (before?.isPrivateSynced ?? false) : args.text('private') === 'sealed';
  client.files.setToken(url.value, token);
  client.files.remember(memory.key, { url: url.value, project, isPrivateSynced });
  return ok(
    `connected to ${api.value.host} as ${String((me.value['member'] as { member?: unknown } | undefined)?.member)}, project ${project}; private records ${isPrivateSynced ? 'are synced, sealed with your key' : 'stay on this machine'}`,
  );
}

async function keyCommand(cli: CommandContext, client: TeamClient, args: Arguments): Promise<CommandResult> {
  if (cli.caller === 'agent') return onlyPerson('sees or changes the key');
  const file = args.text('import');
  const existing = client.files.sealingKey();
  if (file === undefined) {
    const key = existing ?? client.newKey();
    if (existing === undefined) client.files.setSealingKey(key);
    return ok({
      json: { ok: true, key: client.shownKey(key), made: existing === undefined },
      lines: [
        client.shownKey(key),
        'Anyone who has this key and your token can read your private records. Bring it to your other machine with holdfast sync key --import FILE.',
        'If you lose the key, no one can read the copies on the server: keep it in your password manager.',
      ],
    });
  }
  const read = await cli.readInput(file);
  if (!read.ok) return read;
  // The file may be the output of `sync key`, which begins with the key.
  const key = client.typedKey(read.value.trim().split('\n', 1)[0] ?? '');
  if (key === undefined)
    return refuse('INPUT_ERROR', 'This is not a valid key.', {
      hint: 'copy the whole line that holdfast sync key shows on the other machine',
    });
  if (existing !== undefined && existing !== key && !args.flag('replace'))
    return refuse('SECURITY_ERROR', 'This machine has another key already, and records sealed with it can only be read with it.', {
      hint: 'add --replace if nothing was synced with it',
    });
  client.files.setSealingKey(key);
  return ok({ json: { ok: true, imported: true }, lines: [`${cli.paint.green('imported')} the key of your other machine`] });
}

async function statusCommand(client: TeamClient, memory: Memory): Promise<CommandResult> {
  const connection = client.files.connection(memory.key);
  if (!connection)
    return ok({ json: { ok: true, connected: false }, lines: ['not connected; holdfast sync --to https://SERVER --as PROJECT connects this project'] });
  const { url, project, isPrivateSynced } = connection;
  return ok({
    json: {
      ok: true,
      connected: true,
      url,
      project,
      private: isPrivateSynced,
      token: client.files.token(url) !== undefined,
      key: client.files.sealingKey() !== undefined,
    },
    lines: [`${inert(url)}, project ${inert(project)}`, `private records ${isPrivateSynced ? 'are synced, sealed with your key' : 'stay on this machine'}`],
  });
}

const requestOf = (args: Arguments): SyncRequest => ({
  deletesVanished: args.flag('delete-missing'),
  acceptsRemovals: args.flag('accept-removals'),
  proposes: args.flag('propose'),
});

async function run(cli: CommandContext, client: TeamClient, memory: Memory, args: Arguments): Promise<CommandResult> {
  const request = requestOf(args);
  if (args.flag('dry-run')) {
    const planned = await syncMemory(client, memory, { ...request, dryRun: true });
    return planned.ok ? output(planned.value, true, cli) : planned;
  }
  const isFirst = client.files.stateFile(memory.key, 'shared').read() === undefined && client.files.stateFile(memory.key, 'private').read() === undefined;
  if (isFirst && !args.flag('yes')) {
    const planned = await syncMemory(client, memory, { ...request, dryRun: true });
    if (!planned.ok) return planned;
    const shown = planned.value.flatMap((report) => linesOf(report, true));
    if (!(await (await cli.setup()).confirm(shown.join('\n'), 'Sync?')))
      return refuse('USAGE_ERROR', 'Nothing was sent or received: the first sync asks.', {
        hint: 'look at holdfast sync --dry-run, then answer y at a terminal or give --yes',
      });
  }
  const done = await syncMemory(client, memory, request);
  return done.ok ? output(done.value, false, cli) : done;
}

/** Options that make a connection, or without --to change the existing one. */
const CONNECTION_OPTIONS = ['to', 'as', 'token', 'private'];

export const syncCommand: Command = {
  name: 'sync',
  about:
    'Syncs the shared records and documents of this project with a team’s server, both ways, and your private records with your other machines if you say so, sealed with a key that the server never sees. `conversations` sends the conversations of this project to the team, after showing how many. You can work offline between syncs. The first sync shows what it will send and receive, and asks.',
  positionals: '[status|key|conversations|disconnect]',
  most: 1,
  options: [
    { name: 'to', value: 'URL', about: 'connect this project to a server; https, or http on this machine' },
    { name: 'as', value: 'PROJECT', about: 'the project’s name there (default: its key here)' },
    { name: 'token', value: 'FILE', about: 'a file with your token, or - for standard input; kept in your home' },
    {
      name: 'private',
      value: 'off|sealed',
      choices: ['off', 'sealed'],
      about: 'whether private records are synced too, sealed with your key (default: off); remembered until you change it',
    },
    { name: 'dry-run', about: 'only show what would be sent and received' },
    { name: 'propose', about: 'send everything as proposals for review' },
    { name: 'delete-missing', about: 'remove records on the server whose files were deleted here by hand' },
    { name: 'accept-removals', about: 'let others remove more than half of the records here' },
    { name: 'import', value: 'FILE', about: 'with key: import the key of your other machine' },
    { name: 'replace', about: 'with key --import: replace the key of this machine' },
    { name: 'since', value: 'T', about: 'with conversations: only those that ended after this time, such as 2026-05-01 or 7d' },
    { name: 'yes', about: 'do not ask' },
  ],
  examples: [
    ['holdfast sync --to https://memory.example.com --as webshop --token token.txt', 'connect, show what will be sent and received, and ask'],
    ['holdfast sync', 'sync both ways; exit code 3 if the same field of a record was changed on both sides'],
    ['holdfast sync --dry-run --json', 'what would be sent and received, for a script'],
    ['holdfast sync key', 'the key for your other machines'],
    ['holdfast sync conversations --since 30d', 'show which conversations your team would get, and ask'],
  ],
  run: async (cli, args) => {
    const client = await cli.team();
    const [word] = args.positionals;
    if (word === 'key') return keyCommand(cli, client, args);
    const { memory } = await cli.open();
    if (word === 'status') return statusCommand(client, memory);
    if (word === 'conversations') return sendConversationsCommand(cli, client, memory, args);
    if (word === 'disconnect') {
      if (cli.caller === 'agent') return onlyPerson('disconnects a project');
      client.files.disconnect(memory.key);
      return ok({ json: { ok: true, connected: false }, lines: ['disconnected; all records stay here and on the server'] });
    }
    if (word !== undefined)
      return refuse('USAGE_ERROR', unknownAction('sync', word, ['status', 'key', 'conversations', 'disconnect']), { hint: 'holdfast sync --help' });
    if (CONNECTION_OPTIONS.every((name) => args.text(name) === undefined)) return run(cli, client, memory, args);
    if (cli.caller === 'agent') return onlyPerson('connects a project to a server');
    const connected = await connect(cli, client, memory, args);
    if (!connected.ok) return connected;
    const done = await run(cli, client, memory, args);
    return done.ok
      ? ok({ ...done.value, lines: [`${cli.paint.green('connected')} ${inert(connected.value.replace(/^connected /, ''))}`, ...done.value.lines] })
      : done;
  },
};
