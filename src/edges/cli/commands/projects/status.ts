import { statusOfMemory, type SessionState } from '../../../../app/read/status.ts';
import { switchOf } from '../../../../app/project/switch.ts';
import { ok } from '../../../../core/result.ts';
import type { Command, Paint } from '../../command.ts';
import { shownTime, withShownTimes } from '../../instant.ts';
import { inert } from '../../paint.ts';
import { plural } from '../../present/format.ts';
import { clientLine, clientsOf } from '../../present/client-states.ts';
import { cloneNotes } from './join.ts';
import { embeddedIn } from '../../present/hook-health.ts';

function sessionLines({ active, started, open, state, index, files }: SessionState, paint: Paint): string[] {
  const health = [
    `index ${index.entries} of ${index.limit} entries, ${index.archived} archived`,
    ...(index.archivedSessions > 0 ? [plural(index.archivedSessions, 'past session')] : []),
    ...(index.current ? [] : ['out of date, run holdfast rebuild']),
  ];
  const counts = Object.entries(files)
    .filter(([folder]) => folder !== '.')
    .map(([folder, count]) => `${inert(folder)} ${count}`)
    .toSorted()
    .join(', ');
  const since = `${started === undefined ? '' : ` since ${inert(shownTime(started))}`}${open.length > 1 ? `, ${open.length} sessions` : ''}`;
  return [
    `  memory mode ${active ? `${paint.green('ACTIVE')}${since}` : `INACTIVE${open.length > 0 ? `, although a session is open${since}` : ': no work session is open; holdfast start opens one'}`}`,
    ...(state.task === undefined ? [] : [`  task     ${inert(state.task)}${state.progress === undefined ? '' : `  ${inert(state.progress)}`}`]),
    ...(state.blocker === undefined ? [] : [`  blocker  ${inert(withShownTimes(state.blocker))}`]),
    `  ${health.join('; ')}`,
    ...(counts === '' ? [] : [`  files    ${counts}`]),
  ];
}

/** A session that was migrated while open is active only if memory is on here. */
const withActiveState = (session: SessionState, on: boolean): SessionState => ({
  ...session,
  active: session.active && on,
  state: { ...session.state, active: session.active && on },
});

/** How many sessions are searched for their clients. */
const MOST_SESSIONS = 1_000;

export const statusCommand: Command = {
  name: 'status',
  about: 'Shows what this memory holds, where it is and when it was last written.',
  positionals: '',
  most: 0,
  options: [{ name: 'user', about: 'show your user memory, not the project' }],
  examples: [['holdfast status --json', 'for scripts']],
  run: async (cli, args) => {
    const { memory, project } = await cli.open(args.flag('user') ? 'user' : 'project');
    const status = await statusOfMemory(memory);
    const tokens = (await cli.drafting()).tokens(memory);
    const embedded = await embeddedIn(cli, memory);
    const clients = project ? clientsOf(await (await cli.episodes()).recent(MOST_SESSIONS), (await cli.hookLog()).clientsOf(memory.key).all()) : [];
    const { paint } = cli;
    const categories = status.categories.filter(({ active, retired, archived }) => active + retired + archived > 0);
    const { on, because } = switchOf(memory.config, status.session?.active === true);
    const checked = { ...status, ...(status.session && { session: withActiveState(status.session, on) }) };
    const { enabled, mode } = { enabled: memory.config.get('enabled'), mode: memory.config.get('mode') };
    return ok({
      json: {
        ok: true,
        ...checked,
        on,
        enabled,
        mode,
        tokens_today: tokens.spent,
        tokens_limit: tokens.limit,
        ...(project && { project }),
        ...(embedded && { embedded }),
        ...(project && { clients }),
      },
      lines: [
        `${paint.bold(checked.key)}${project ? paint.dim(`  ${project.hash}  ${inert(project.path)}`) : ''}`,
        ...(project ? [`  private  ${inert(project.privateRoot)}`, ...(project.sharedRoot ? [`  shared   ${inert(project.sharedRoot)}`] : [])] : []),
        ...(checked.session ? sessionLines(checked.session, paint) : []),
        ...(project ? [`  hooks ${on ? paint.green('on') : 'off'}: ${inert(because)}`] : []),
        `  ${plural(checked.writes, 'write')}, last activity ${checked.lastActivity === undefined ? 'never' : shownTime(checked.lastActivity)}`,
        ...(clients.length > 0 ? [`  clients  ${clients.map((one) => inert(clientLine(one))).join(', ')}`] : []),
        `  model tokens today: ${tokens.spent} of ${tokens.limit}`,
        ...categories.map(
          ({ category, active, retired, archived }) =>
            `  ${category.padEnd(16)} ${String(active).padStart(5)} active${retired ? `, ${retired} retired` : ''}${archived ? `, ${archived} archived` : ''}`,
        ),
        ...(categories.length === 0 ? ['  No records yet. See `holdfast save --help`.'] : []),
        ...(checked.documents > 0 ? [`  ${'documents'.padEnd(16)} ${String(checked.documents).padStart(5)}`] : []),
        ...(checked.inbox > 0 ? [`  ${'inbox'.padEnd(16)} ${String(checked.inbox).padStart(5)} waiting; review them with holdfast inbox`] : []),
        ...(embedded ? [`  embedded         ${String(embedded.embedded).padStart(5)} of ${embedded.texts} texts by ${inert(embedded.model)}`] : []),
      ],
      warnings: [
        ...(checked.unreadable > 0 ? [`${checked.unreadable} files cannot be read. \`holdfast doctor\` names them.`] : []),
        ...(project ? await cloneNotes(cli) : []),
      ],
    });
  },
};
