import {
  entriesAround,
  type TimelineEntry,
  timelineEntryNamed,
  timelineEntries,
  sortedByTime,
  type TimelineStep,
  stepsOf,
} from '../../../../app/episodes/timeline.ts';
import { shortName } from '../../../../app/read/resolve.ts';
import { catchUp } from '../../../../app/index/catch-up.ts';
import { ok } from '../../../../core/result.ts';
import type { Cli, Command, CommandResult } from '../../command.ts';
import { shownTime, timeRangeOf, type TimeRange } from '../../instant.ts';
import { isQuarantined } from '../../../../core/trust/trust.ts';
import { inert } from '../../paint.ts';
import { withholds, WITH_QUARANTINED } from '../../record-options.ts';

const LIMIT = 20;
const ALL = 100_000;

export const timelineCommand: Command = {
  name: 'timeline',
  about: 'Lists the latest sessions and records of a project, those around one of them, or the steps of a session. --project all covers every project.',
  positionals: '[ID]',
  most: 1,
  crosses: true,
  options: [
    { name: 'session', value: 'S', about: 'show the steps of this session: prompts, work, replies' },
    { name: 'since', value: 'T', about: 'only newer entries: 2026-05-01, or 7d for seven days ago' },
    { name: 'until', value: 'T', about: 'only older entries' },
    { name: 'limit', value: 'N', about: `maximum number of entries (default ${LIMIT})` },
    WITH_QUARANTINED,
  ],
  examples: [
    ['holdfast timeline', 'the latest sessions and records of this project'],
    ['holdfast timeline --project all --since 7d', 'the last week in every project'],
    ['holdfast timeline decision/use-sqlite', 'what happened before and after it'],
    ['holdfast timeline --session 8fd17d3d', 'one session, step by step'],
  ],
  run: async (cli, args) => {
    const limit = args.number('limit', { min: 1, max: ALL });
    if (!limit.ok) return limit;
    const session = args.text('session');
    if (session !== undefined) return steps(cli, session, limit.value);
    const span = timeRangeOf(args, cli.now());
    if (!span.ok) return span;
    return listHappenings(cli, { id: args.positionals[0], limit: limit.value ?? LIMIT, withheld: withholds(cli, args), ...span.value });
  },
};

async function steps(cli: Cli, word: string, limit: number | undefined): Promise<CommandResult> {
  const found = await (await cli.episodes()).find(word);
  if (!found.ok) return found;
  const { project: key, session, episode } = found.value;
  const all = stepsOf(episode);
  const shown = limit === undefined ? all : all.slice(-limit);
  const { facts } = session;
  return ok({
    json: {
      session_id: facts.sessionId,
      project: key,
      title: facts.title ?? null,
      client: facts.client,
      branch: facts.branch ?? null,
      started_at: facts.startedAt ?? null,
      ended_at: facts.endedAt ?? null,
      entries: shown.map(({ kind, messageId, at, text }) => ({ kind, message_id: messageId, timestamp: at ?? null, text })),
    },
    lines: [
      `${cli.paint.bold(inert(facts.title ?? facts.sessionId))}  ${cli.paint.dim(`${key}  ${facts.startedAt === undefined ? '' : shownTime(facts.startedAt)}`)}`,
      ...shown.map((step) => stepLine(step, cli)),
    ],
    warnings: episode.whole
      ? []
      : ['Part of this session is missing: its text was dropped to free space (archive.maxBytes), and its transcript no longer exists.'],
  });
}

const MARKS: Readonly<Record<TimelineStep['kind'], string>> = { prompt: '>', work: '*', commit: '+', reply: '<', compaction: '~' };

const stepLine = ({ kind, at, text }: TimelineStep, { paint }: Cli): string =>
  `${paint.dim((at === undefined ? '' : shownTime(at).slice(11, 16)).padEnd(5))} ${MARKS[kind]} ${kind === 'prompt' ? paint.bold(inert(text)) : inert(text)}`;

interface TimelineQuery extends TimeRange {
  readonly id: string | undefined;
  readonly limit: number;
  readonly withheld: boolean;
}

async function listHappenings(cli: Cli, { id, limit, withheld, since, until }: TimelineQuery): Promise<CommandResult> {
  const isAround = id !== undefined;
  const found = await allOf(cli, isAround || since !== undefined || until !== undefined ? ALL : limit, withheld);
  const all = found.filter(({ at }) => (since === undefined || at >= since) && (until === undefined || at < until));
  if (!isAround) return happeningRows(all.slice(-limit), cli);
  const center = timelineEntryNamed(all, id);
  return center.ok ? happeningRows(entriesAround(all, center.value, Math.floor(limit / 2)), cli, center.value.id) : center;
}

/** The latest happenings of each project, oldest first. */
async function allOf(cli: Cli, limit: number, withheld: boolean): Promise<readonly TimelineEntry[]> {
  const episodes = await cli.episodes();
  const places = cli.crossesProjects ? await cli.openAll() : [await cli.open()];
  const found: TimelineEntry[] = [];
  for (const { memory, project } of places) {
    await catchUp(memory);
    const records = memory.index.recent({ kind: 'record' }, limit).filter(({ trust }) => !withheld || !isQuarantined(trust));
    const happened = timelineEntries(await episodes.recent(limit, project?.key), records).map((one) => ({ ...one, short: shortName(memory, one.id) }));
    found.push(...(cli.crossesProjects && project ? happened.map((one) => ({ ...one, project: project.key })) : happened));
  }
  return sortedByTime(found);
}

function happeningRows(shown: readonly TimelineEntry[], { paint }: Cli, here?: string): CommandResult {
  const entries = shown.map(({ kind, id, at, title, detail, project }) => ({
    kind,
    id,
    timestamp: at,
    title,
    detail,
    ...(project !== undefined && { project }),
    ...(id === here && { here: true }),
  }));
  const lines = shown.map(
    ({ id, short = id, at, title, detail, project }) =>
      `${paint.dim(shownTime(at))} ${id === here ? '>' : ' '} ${paint.bold(inert(short))}  ${inert(title)}  ${paint.dim(inert(project === undefined ? detail : `${project}, ${detail}`))}`,
  );
  return ok({ json: { entries }, lines: lines.length === 0 ? ['No sessions or records yet.'] : lines });
}
