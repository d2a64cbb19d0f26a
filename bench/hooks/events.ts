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

interface Took {
  readonly wall: number;
  /** Processor time of this process, which equals the wall time on an idle machine. */
  readonly busy: number;
}

const between = async (work: () => Promise<unknown>): Promise<Took> => {
  const [started, used] = [process.hrtime.bigint(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(used);
  return { wall: Number(process.hrtime.bigint() - started) / 1e6, busy: (user + system) / 1e3 };
};

const NO_EFFECTS: HookEffects = {
  realPath: (file) => file,
  guarded: { roots: ['/nowhere'] },
  lastLines: async () => [],
  saveReport: async () => refuse('INPUT_ERROR', 'not measured'),
  episodeOf: async () => undefined,
  newMessages: async () => undefined,
  stage: async () => ({ folder: '', categories: [], verificationModel: '', parallel: true, block: '', forms: [], warnings: [] }),
  agent: { saveCall: () => '', hasTools: true, hasDrafters: true, isHeadless: false, undo: 'holdfast undo' },
};

/** The extra input of a measured event, and the steps before it. */
interface Variant {
  readonly prepare?: (session: string) => void;
  readonly more?: Readonly<Record<string, string>>;
}

const COMPACTED = 'SessionStart, compact';
const runs = (command: string): Variant => ({ more: { tool_name: 'Bash', command, file_path: '' } });

/** Time for the warm-up of the server and this process. */
const REHEARSED_MS = 3_000;

/** The cost of the server's events, in the server and for its client. */
export async function events(place: Place, rounds: number, most?: number): Promise<void> {
  const { home } = place;
  const warm = new OpenProjects(
    {
      machine: sessionMachineAt({ home, env: {} }),
      client: () => 'claude-code',
      openMessages: (key) => openMessages(home, key),
      openEmbedding: async () => openEmbeddingIn({ home, env: {}, urgent: true }),
      repairViews: () => {},
    },
    (wait) => wait(),
  );
  // The server warms up while it is idle; so does this process.
  const warmup = new IdleWarmup({
    context: async () => (await warm.open(place.project)).hookContext(),
    turns: new TaskQueue(),
    checkInBackground: () => {},
    timers,
    watch: () => ({ follow: () => {}, close: () => {} }),
  });
  warmup.startWhenIdle();
  const server = serve(place);
  await server.ask('initialize', WELCOME);
  await pause(REHEARSED_MS);
  warmup.close();
  const inside = async (event: HookEvent, { prepare, more }: Variant = {}): Promise<Took> => {
    const input = { ...inputFor(event, place), ...more };
    prepare?.(input['session_id'] ?? '');
    const call = readCall(event, input);
    if (!call.ok) throw new Error(call.error.message);
    return between(async () => answerHook((await warm.open(place.project)).hookContext(), call.value, NO_EFFECTS));
  };
  const seen = (event: HookEvent, { prepare, more }: Variant = {}): Promise<Took> => {
    const input = { ...inputFor(event, place), ...more };
    prepare?.(input['session_id'] ?? '');
    return between(() => server.ask('tools/call', { name: 'client_event', arguments: { event, ...input } }));
  };
  const record = path.join(place.home, 'projects', 'project', 'decisions', 'record-0.md');
  const edit = (): void => fs.appendFileSync(record, `\nEdit ${nextNumber()}\n`);
  const notes = path.join(place.home, 'holdfast', 'projects', 'project', 'sessions');
  fs.mkdirSync(notes, { recursive: true });
  const defer = (session: string): void => fs.writeFileSync(path.join(notes, `${session}.json`), '{"start":{"source":"startup","at":0}}');
  /** The first prompt of a session whose start was left to the server, as after a manual edit; a command that rules are about, and one that none is about. */
  const variants: Readonly<Partial<Record<HookEvent, readonly (readonly [string, Variant])[]>>> = {
    UserPromptSubmit: [
      ['... telling the start', { prepare: defer }],
      ['... of an edited record', { prepare: (session) => (edit(), defer(session)) }],
    ],
    PreToolUse: [
      ['... git commit', runs('git commit -m "Add a page"')],
      ['... git status', runs('git status')],
    ],
  };
  console.log('  event, ms: inside the server, of which the processor / as the client sees it (median, worst)');
  const ways = HOOK_EVENTS.filter((name) => name !== 'SessionEnd' && name !== 'PostCompact').flatMap((event) => [
    [event === 'SessionStart' ? COMPACTED : event, () => inside(event), () => seen(event)] as const,
    ...(variants[event] ?? []).map(([name, variant]) => [name, () => inside(event, variant), () => seen(event, variant)] as const),
  ]);
  for (const [name, own, theirs] of ways) {
    const [ours, clients]: [Took[], Took[]] = [[], []];
    await own();
    await theirs();
    for (let run = 0; run < rounds; run++) {
      ours.push(await own());
      clients.push(await theirs());
      // The server starts a process once it has answered: no two compactions come that close.
      if (name === COMPACTED) await pause(100);
    }
    const pair = (values: readonly number[]): string => [median(values), Math.max(...values)].map((ms) => ms.toFixed(1).padStart(6)).join(' ');
    const walls = (took: readonly Took[]): readonly number[] => took.map(({ wall }) => wall);
    const verdict = most === undefined || name !== 'UserPromptSubmit' ? '' : `   (bar ${most} ms: ${median(walls(ours)) <= most ? 'met' : 'MISSED'})`;
    console.log(`  ${name.padEnd(23)} ${pair(walls(ours))}  ${pair(ours.map(({ busy }) => busy))}  / ${pair(walls(clients))}${verdict}`);
  }
  await server.end();
  await warm.close();
}
