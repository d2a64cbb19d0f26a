import { statusOfMemory } from '../../../../app/read/status.ts';
import { shortId } from '../../../../app/read/resolve.ts';
import { switchOf } from '../../../../app/project/switch.ts';
import type { ItemFacts } from '../../../../core/ports/index.ts';
import { isQuarantined } from '../../../../core/trust/trust.ts';
import type { Cli, CommandOutput } from '../../command.ts';
import { shownDay, shownTime, withShownTimes } from '../../instant.ts';
import { cloneNotes } from './join.ts';
import { inert } from '../../paint.ts';
import { plural } from '../../present/format.ts';

const LATEST = 3;

const FIRST_STEPS = [
  '  holdfast init      set it up for Claude Code; lists every file that changes first',
  '  holdfast import    search the sessions that are already on this machine',
  '  holdfast --help    all commands',
];

const MOST_SESSIONS = 1_000;
const STEPS_AFTER_IMPORT = [
  '  holdfast search WORDS       search them',
  '  holdfast summarize --all    save a summary of each',
  '  holdfast init               set memory up here, for Claude Code',
  '  holdfast --help             all commands',
];

/** The state of the current project, for `holdfast` without a command; undefined outside a repository without a memory. */
export async function projectOverview(cli: Cli): Promise<CommandOutput | undefined> {
  const { memory, project } = await cli.open();
  const status = await statusOfMemory(memory);
  const active = status.categories.reduce((sum, category) => sum + category.active, 0);
  const { on, because } = switchOf(memory.config, status.session?.active === true);
  if (!project) return undefined;
  const sessions = active + status.documents === 0 && !on ? (await (await cli.episodes()).recent(MOST_SESSIONS)).length : 0;
  if (sessions > 0)
    return {
      json: { ok: true, key: status.key, on, records: 0, sessions, inbox: 0, last_activity: null },
      lines: [
        `${cli.paint.bold(inert(status.key))}: ${sessions}${sessions === MOST_SESSIONS ? ' or more' : ''} ${sessions === 1 ? 'session' : 'sessions'} imported, no records yet, memory off`,
        '',
        ...STEPS_AFTER_IMPORT,
      ],
      warnings: await cloneNotes(cli),
    };
  if (active + status.documents === 0 && !on) {
    if ((await cli.recallContext()).branch === undefined) return undefined;
    return {
      json: { ok: true, key: status.key, on, records: 0, inbox: 0, last_activity: null },
      lines: [`${cli.paint.bold(inert(status.key))}: memory is off and holds nothing yet`, '', ...FIRST_STEPS],
      warnings: await cloneNotes(cli),
    };
  }
  const { state } = status.session ?? {};
  const readable = ({ trust }: Pick<ItemFacts, 'trust'>): boolean => !isQuarantined(trust);
  const [session] = memory.index.recent({ kind: 'record', category: 'session_summary', status: 'active' }, LATEST).filter(readable);
  const latest = memory.index
    .recent({ kind: 'record', status: 'active' }, LATEST * 4)
    .filter((item) => item.category !== 'session_summary' && readable(item))
    .slice(0, LATEST);
  const { paint } = cli;
  return {
    json: { ok: true, key: status.key, on, records: active, inbox: status.inbox, last_activity: status.lastActivity ?? null },
    lines: [
      `${paint.bold(inert(status.key))}: ${plural(active, 'record')}, memory ${on ? paint.green('on') : 'off'}${status.lastActivity === undefined ? '' : paint.dim(`, last write ${shownTime(status.lastActivity)}`)}`,
      ...(state?.task === undefined ? [] : [`  task          ${inert(state.task)}${state.progress === undefined ? '' : `  ${inert(state.progress)}`}`]),
      ...(state?.blocker === undefined ? [] : [`  blocker       ${inert(withShownTimes(state.blocker))}`]),
      ...(session ? [`  last session  ${shownDay(session.updatedAt)}  ${inert(session.title)}`] : []),
      ...latest.map(
        (item, at) =>
          `  ${at === 0 ? 'latest      ' : '            '}  ${shownDay(item.updatedAt)}  ${paint.bold(shortId(memory, item))}  ${inert(item.title)}`,
      ),
      ...(status.inbox === 0 ? [] : [`  inbox         ${status.inbox} waiting; review them with holdfast inbox`]),
      ...(status.unreadable === 0 ? [] : [`  ${status.unreadable} files cannot be read; holdfast doctor names them`]),
      ...(on ? [] : [`  ${inert(because)}`]),
      '',
      paint.dim('holdfast search WORDS | list | save CATEGORY TEXT | --help for all commands'),
    ],
    warnings: await cloneNotes(cli),
  };
}
