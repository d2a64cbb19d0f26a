import { around, type Happening, happenings, type Step, stepsOf } from '../../../app/episodes/timeline.ts';
import { catchUp } from '../../../app/index/catch-up.ts';
import { ok, refuse } from '../../../core/result.ts';
import type { Cli, Command, Outcome } from '../command.ts';
import { inert } from '../paint.ts';

const LIMIT = 20;
const ALL = 100_000;

export const timeline: Command = {
  name: 'timeline',
  about: 'Shows what happened when: the last sessions and records of a project, what lies around one of them, or the steps of a session.',
  positionals: '[ID]',
  most: 1,
  options: [
    { name: 'session', value: 'S', about: 'the steps of this session: prompts, work, replies' },
    { name: 'limit', value: 'N', about: `at most so many entries (${LIMIT})` },
  ],
  examples: [
    ['holdfast timeline', 'the last sessions and records of this project'],
    ['holdfast timeline decision/use-sqlite', 'what happened around it'],
    ['holdfast timeline --session 8fd17d3d', 'one session, step by step'],
  ],
  run: async (cli, args) => {
    const limit = args.number('limit', { min: 1, max: ALL });
    if (!limit.ok) return limit;
    const session = args.text('session');
    if (session !== undefined) return steps(cli, session, limit.value);
    return project(cli, args.positionals[0], limit.value ?? LIMIT);
  },
};

async function steps(cli: Cli, word: string, limit: number | undefined): Promise<Outcome> {
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
      `${cli.paint.bold(inert(facts.title ?? facts.sessionId))}  ${cli.paint.dim(`${key}  ${facts.startedAt ?? ''}`)}`,
      ...shown.map((step) => stepLine(step, cli)),
    ],
    warnings: episode.whole ? [] : ['the text of this session was dropped to make room (archive.maxBytes), and its transcript is gone: only the rest is shown'],
  });
}

const MARKS: Readonly<Record<Step['kind'], string>> = { prompt: '>', work: '*', commit: '+', reply: '<', compaction: '~' };

const stepLine = ({ kind, at, text }: Step, { paint }: Cli): string =>
  `${paint.dim((at ?? '').slice(11, 16).padEnd(5))} ${MARKS[kind]} ${kind === 'prompt' ? paint.bold(inert(text)) : inert(text)}`;

async function project(cli: Cli, id: string | undefined, limit: number): Promise<Outcome> {
  const { memory } = await cli.open();
  await catchUp(memory);
  const episodes = await cli.episodes();
  const many = id === undefined ? limit : ALL;
  const all = happenings(await episodes.recent(many), memory.index.recent({ kind: 'record' }, many));
  if (id === undefined) return said(all.slice(-limit), cli);
  const named = all.find((one) => one.id === id || one.id.endsWith(`/${id}`) || (one.kind === 'session' && id.length >= 4 && one.id.startsWith(id)));
  if (named === undefined) return refuse('NOT_FOUND', `no record or session ${id} is known here`, { hint: 'holdfast search finds records by what they say' });
  return said(around(all, named.id, Math.floor(limit / 2)), cli, named.id);
}

function said(shown: readonly Happening[], { paint }: Cli, here?: string): Outcome {
  const entries = shown.map(({ kind, id, at, title, detail }) => ({ kind, id, timestamp: at, title, detail, ...(id === here && { here: true }) }));
  const lines = shown.map(
    ({ id, at, title, detail }) =>
      `${paint.dim(at.slice(0, 16).replace('T', ' '))} ${id === here ? '>' : ' '} ${paint.bold(inert(id))}  ${inert(title)}  ${paint.dim(inert(detail))}`,
  );
  return ok({ json: { entries }, lines: lines.length === 0 ? ['nothing has happened here yet'] : lines });
}
