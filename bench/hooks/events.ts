import fs from 'node:fs';
import path from 'node:path';
import { answerHook, type HookEffects } from '../../src/app/hooks/answer.ts';
import { HOOK_EVENTS, type HookEvent } from '../../src/app/hooks/call.ts';
import { timers } from '../../src/adapters/process/running.ts';
import { IdleWarmup } from '../../src/app/runtime/idle-warmup.ts';
import { TaskQueue } from '../../src/core/task-queue.ts';
import { OpenProjects } from '../../src/app/runtime/open-projects.ts';
import { openEmbeddingIn } from '../../src/bin/wiring/embedding.ts';
import { openMessages } from '../../src/bin/wiring/messages.ts';
import { sessionMachineAt } from '../../src/bin/wiring/session-machine.ts';
import { readCall } from '../../src/app/hooks/call.ts';
import { refuse } from '../../src/core/result.ts';
import { median } from '../measure.ts';
import { inputFor, nextNumber, pause, type Place, serve, WELCOME } from './server.ts';

const between = async (work: () => Promise<unknown>): Promise<number> => {
  const started = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - started) / 1e6;
};

const REACH: HookEffects = {
  realPath: (file) => file,
  guarded: { roots: ['/nowhere'] },
  lastLines: async () => [],
  saveReport: async () => refuse('INPUT_ERROR', 'not measured'),
  episodeOf: async () => undefined,
  material: async () => undefined,
  stage: async () => ({ folder: '', categories: [], verificationModel: '', parallel: true, block: '', forms: [], warnings: [] }),
  agent: { saveCall: () => '', hasTools: true, hasDrafters: true, isHeadless: false, undo: 'holdfast undo' },
};

/** By now the server and this process have rehearsed. */
const REHEARSED_MS = 3_000;

/** What the server's events cost, in the server and as its client sees them. */
export async function events(place: Place, size: number, runs: number): Promise<void> {
  const { home } = place;
  const warm = new OpenProjects(
    {
      machine: sessionMachineAt({ home, env: {} }),
      client: 'claude-code',
      openMessages: (key) => openMessages(home, key),
      openEmbedding: async () => openEmbeddingIn({ home, env: {}, hurried: true }),
      repair: () => {},
    },
    (wait) => wait(),
  );
  // The server rehearses while it is idle; so does this process.
  const warmup = new IdleWarmup({
    context: async () => (await warm.project(place.project)).hook(),
    turns: new TaskQueue(),
    lookElsewhere: () => {},
    timers,
    watch: () => ({ follow: () => {}, close: () => {} }),
  });
  warmup.said();
  const server = serve(place);
  await server.ask('initialize', WELCOME);
  await pause(REHEARSED_MS);
  warmup.close();
  const inside = async (event: HookEvent, prepare?: (session: string) => void): Promise<number> => {
    const input = inputFor(event, place, size);
    prepare?.(input['session_id'] ?? '');
    const call = readCall(event, input);
    if (!call.ok) throw new Error(call.error.message);
    return between(async () => answerHook((await warm.project(place.project)).hook(), call.value, REACH));
  };
  const seen = (event: HookEvent, prepare?: (session: string) => void): Promise<number> => {
    const input = inputFor(event, place, size);
    prepare?.(input['session_id'] ?? '');
    return between(() => server.ask('tools/call', { name: 'client_event', arguments: { event, ...input } }));
  };
  const record = path.join(place.home, 'projects', 'project', 'decisions', 'record-0.md');
  const edit = (): void => fs.appendFileSync(record, `\nEdit ${nextNumber()}\n`);
  const notes = path.join(place.home, 'holdfast', 'projects', 'project', 'sessions');
  fs.mkdirSync(notes, { recursive: true });
  const defer = (session: string): void => fs.writeFileSync(path.join(notes, `${session}.json`), '{"start":{"source":"startup","at":0}}');
  /** The first prompt of a session whose start was left to the server, as after a hand edit. */
  const first: readonly (readonly [string, () => Promise<number>, () => Promise<number>])[] = [
    ['... telling the start', () => inside('UserPromptSubmit', defer), () => seen('UserPromptSubmit', defer)],
    ['... of an edited record', () => (edit(), inside('UserPromptSubmit', defer)), () => (edit(), seen('UserPromptSubmit', defer))],
  ];
  console.log('  event, ms: inside the server / as the client sees it (median, worst)');
  const ways = HOOK_EVENTS.filter((name) => name !== 'SessionEnd').flatMap((event) => [
    [event === 'SessionStart' ? 'SessionStart, compact' : event, () => inside(event), () => seen(event)] as const,
    ...(event === 'UserPromptSubmit' ? first : []),
  ]);
  for (const [name, own, theirs] of ways) {
    const [ours, clients]: [number[], number[]] = [[], []];
    await own();
    await theirs();
    for (let run = 0; run < runs; run++) {
      ours.push(await own());
      clients.push(await theirs());
      // The server starts a process once it has answered: no two compactions come that close.
      if (name === 'PostCompact') await pause(100);
    }
    const pair = (values: readonly number[]): string =>
      `${median(values).toFixed(1).padStart(6)} ${Math.max(...values)
        .toFixed(1)
        .padStart(6)}`;
    console.log(`  ${name.padEnd(23)} ${pair(ours)}  / ${pair(clients)}`);
  }
  await server.end();
  await warm.close();
}
