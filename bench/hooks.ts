import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { answerHook, type HookReach } from '../src/app/hooks/answer.ts';
import { HOOK_EVENTS, type HookEvent } from '../src/app/hooks/call.ts';
import { WarmMemories } from '../src/bin/compose/warm.ts';
import { readCall } from '../src/edges/hook/parse.ts';
import { refuse } from '../src/core/result.ts';
import { median } from './measure.ts';
import { asked, lay } from './records/made-up.ts';

/** What hooks cost: command hooks and the server's start against a process that does nothing, the others in milliseconds. */
const isQuick = process.argv.includes('--quick');
const option = (name: string): string | undefined => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
/** `--sizes 1000,100000` says how many records, `--keep FOLDER` leaves them there for the next run: laying many takes minutes. */
const SIZES = (option('--sizes') ?? (isQuick ? '1000' : '1000,100000')).split(',').map(Number);
const KEPT = option('--keep');
const RUNS = isQuick ? 15 : 41;
const BARS = { command: 1.5, initialize: 4 } as const;
const DIST = path.resolve('dist/plugin/claude-code/dist');

interface Place {
  readonly home: string;
  readonly project: string;
}

const { NODE_EXTRA_CA_CERTS: _certificates, ...ENV } = process.env;
const environment = ({ home }: Place, session?: string) => ({ ...ENV, HOLDFAST_HOME: home, ...(session !== undefined && { CLAUDE_CODE_SESSION_ID: session }) });

let turn = 0;
/** As long as the ids that the client gives. */
const sessionId = (): string => `${String(++turn).padStart(8, '0')}-${String(process.pid).padStart(4, '0').slice(-4)}-4000-8000-000000000000`;
const inputFor = (event: HookEvent, { project }: Place, size: number): Record<string, string> => {
  const session = sessionId();
  const common = { session_id: session, cwd: project, transcript_path: path.join(project, 'none.jsonl') };
  const more: Partial<Record<HookEvent, object>> = {
    SessionStart: { source: 'compact' },
    UserPromptSubmit: { prompt: `Why did we choose ${asked(size)}?` },
    PreToolUse: { tool_name: 'Write', file_path: path.join(project, 'src/main.ts') },
    SubagentStart: { agent_type: 'Explore', agent_id: session },
    SubagentStop: { agent_type: '', agent_id: session, last_assistant_message: 'done' },
    Stop: { stop_hook_active: 'false', last_assistant_message: 'All done.' },
    PreCompact: { trigger: 'auto' },
    PostCompact: { trigger: 'auto', compact_summary: 'What was said.' },
  };
  return { ...common, ...more[event] };
};

function timed(args: readonly string[], place: Place, input = '', session?: string): number {
  const started = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, { env: environment(place, session), input, cwd: place.project, encoding: 'utf8' });
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  if (status !== 0 || stderr !== '') throw new Error(`${args.join(' ')}: ${stderr}`);
  return ms;
}

const between = async (work: () => Promise<unknown>): Promise<number> => {
  const started = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - started) / 1e6;
};

/** A server to talk to, one line a question. */
function serve(place: Place) {
  const child = spawn(process.execPath, [path.join(DIST, 'mcp.js')], { env: environment(place), cwd: place.project, stdio: ['pipe', 'pipe', 'inherit'] });
  const takers: ((line: string) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => takers.shift()?.(line));
  let id = 0;
  const ask = (method: string, params: object): Promise<string> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
    return new Promise((resolve) => takers.push(resolve));
  };
  const end = (): Promise<void> =>
    new Promise((resolve) => {
      child.on('exit', () => resolve());
      child.stdin.end();
    });
  return { ask, end };
}

const WELCOME = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };

async function firstAnswer(place: Place): Promise<number> {
  const started = process.hrtime.bigint();
  const server = serve(place);
  await server.ask('initialize', WELCOME);
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  await server.end();
  return ms;
}

const row = (name: string, ms: number, empty: number, bar: number): string =>
  `  ${name.padEnd(33)} ${(ms / empty).toFixed(2).padStart(5)} x node -e 0   (${ms.toFixed(1)} ms; bar ${bar.toFixed(1)})`;

const HOOK = path.join(DIST, 'hook.js');
/** Time for the processes that are left to finish a session. */
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A place that nobody said yes to, in a home where others have. */
function offHere({ home, project }: Place): Place {
  const beside = path.join(path.dirname(project), 'beside');
  fs.mkdirSync(beside, { recursive: true });
  return { home, project: beside };
}

/** The sources that the plugin hands a start as a word, so that it need not read standard input. */
const NAMED_STARTS = ['startup', 'clear', 'compact'];
/** How often each of those is measured that leave something behind, or start a process. */
const FEW_RUNS = isQuick ? 5 : 9;

function ran(where: Place, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, { env: environment(where), cwd: where.project, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
}

/** As a project in use is: in the registry, and with what its next session is told made by the process that follows every session. */
function settle(place: Place): void {
  if (!fs.existsSync(path.join(place.home, 'holdfast', 'registry.json'))) ran(place, path.join(DIST, 'cli.js'), 'task', 'Measure the hooks');
  ran(place, path.join(DIST, 'finish.js'), place.home, place.project);
}

/** Taken in turns, so that what else the machine does falls on all alike. */
async function processes(place: Place, size: number): Promise<void> {
  const [nobody, beside] = [{ ...place, home: path.join(place.home, 'nobody') }, offHere(place)];
  /** As the plugin has the client run it. */
  const hook = (event: HookEvent, where: Place, more: Readonly<Record<string, string>> = {}): number => {
    const input: Record<string, string> = { ...inputFor(event, where, size), ...(event === 'SessionStart' && { source: 'startup' }), ...more };
    const source = NAMED_STARTS.find((one) => one === input['source']);
    return timed([HOOK, event, ...(source === undefined ? [] : [source])], where, JSON.stringify(input), input['session_id']);
  };
  const transcript = path.join(place.project, 'talk.jsonl');
  fs.writeFileSync(transcript, '');
  const served = path.join(place.home, 'holdfast', 'served');
  fs.mkdirSync(served, { recursive: true });
  /** A session that a server was asked about. */
  const known = (): string => {
    const session = sessionId();
    fs.writeFileSync(path.join(served, session), '');
    return session;
  };
  const changed = path.join(place.home, 'projects', 'project', 'memory', 'MEMORY.md');
  fs.mkdirSync(path.dirname(changed), { recursive: true });
  fs.writeFileSync(changed, '- Unchanged\n');
  const empty = (): number => timed(['-e', '0'], place);
  const ways: Readonly<Record<string, () => number>> = {
    SessionStart: () => hook('SessionStart', place),
    'SessionStart, off here': () => hook('SessionStart', beside),
    'SessionStart, off everywhere': () => hook('SessionStart', nobody),
    'SessionStart, compact': () => hook('SessionStart', place, { source: 'compact', session_id: known() }),
    SessionEnd: () => hook('SessionEnd', place, { session_id: known(), transcript_path: transcript }),
    'SessionEnd, off here': () => hook('SessionEnd', beside, { transcript_path: transcript }),
  };
  /** What each leaves, the next would find: measured by themselves, each beside a process that does nothing. */
  const apart: Readonly<Record<string, () => Promise<number>>> = {
    'SessionEnd, no server': async () => {
      const ms = hook('SessionEnd', place, { transcript_path: transcript });
      await pause(4_000);
      return ms;
    },
    'SessionStart after a command': async () => {
      ran(place, path.join(DIST, 'cli.js'), 'task', `Measure the hooks, part ${++turn}`);
      await pause(6_000);
      return hook('SessionStart', place);
    },
    'SessionStart, resume': async () => {
      const session = sessionId();
      hook('SessionStart', place, { session_id: session });
      ran(place, path.join(DIST, 'finish.js'), place.home, place.project, session);
      return hook('SessionStart', place, { source: 'resume', session_id: session });
    },
    'SessionStart, compact, no server': async () => hook('SessionStart', place, { source: 'compact' }),
    'SessionStart after a hand': async () => {
      fs.writeFileSync(changed, `- Change ${++turn}\n`);
      return hook('SessionStart', place);
    },
  };
  const times = new Map<string, number[]>();
  const note = (name: string, ms: number): void => void times.set(name, [...(times.get(name) ?? []), ms]);
  const middle = (name: string): number => median(times.get(name) ?? []);
  await pause(1_200);
  settle(place);
  hook('SessionStart', place);
  await firstAnswer(place);
  for (let run = 0; run < RUNS; run++) {
    note('node -e 0', empty());
    for (const [name, way] of Object.entries(ways)) note(name, way());
    note('initialize', await firstAnswer(place));
  }
  const base = middle('node -e 0');
  console.log(`  node -e 0 ${base.toFixed(1)} ms, medians of ${RUNS}`);
  for (const name of Object.keys(ways)) console.log(row(name, middle(name), base, BARS.command));
  for (const [name, way] of Object.entries(apart)) {
    for (let run = 0; run <= FEW_RUNS; run++) {
      const ms = await way();
      // The first one leaves its compile cache.
      if (run === 0) continue;
      note(name, ms);
      note(`${name}: empty`, empty());
    }
    console.log(row(name, middle(name), middle(`${name}: empty`), BARS.command));
  }
  console.log(row('mcp: initialize answered', middle('initialize'), base, BARS.initialize));
}

const REACH: HookReach = {
  realPath: (file) => file,
  guarded: { roots: ['/nowhere'] },
  lastLines: () => [],
  saveReport: async () => refuse('INPUT_ERROR', 'not measured'),
  episodeOf: async () => undefined,
  material: async () => undefined,
  stage: async () => ({ folder: '', categories: [], verificationModel: '', parallel: true, block: '', warnings: [] }),
  saveCall: () => '',
};

async function events(place: Place, size: number): Promise<void> {
  const warm = new WarmMemories({ home: place.home, now: Date.now, client: 'claude-code' });
  const server = serve(place);
  await server.ask('initialize', WELCOME);
  const inside = async (event: HookEvent): Promise<number> => {
    const call = readCall(event, inputFor(event, place, size));
    if (!call.ok) throw new Error(call.error.message);
    return between(async () => answerHook((await warm.desk(place.project)).desk, call.value, REACH));
  };
  const seen = (event: HookEvent): Promise<number> =>
    between(() => server.ask('tools/call', { name: 'client_event', arguments: { event, ...inputFor(event, place, size) } }));
  console.log('  event, ms: inside the server / as the client sees it (median, worst)');
  for (const event of HOOK_EVENTS.filter((name) => name !== 'SessionEnd')) {
    const [own, theirs]: [number[], number[]] = [[], []];
    await inside(event);
    await seen(event);
    for (let run = 0; run < RUNS; run++) {
      own.push(await inside(event));
      theirs.push(await seen(event));
      // The server starts a process once it has answered: no two compactions come that close.
      if (event === 'PostCompact') await pause(100);
    }
    const pair = (values: readonly number[]): string =>
      `${median(values).toFixed(1).padStart(6)} ${Math.max(...values)
        .toFixed(1)
        .padStart(6)}`;
    console.log(`  ${(event === 'SessionStart' ? 'SessionStart, compact' : event).padEnd(21)} ${pair(own)}  / ${pair(theirs)}`);
  }
  await server.end();
  await warm.close();
}

/** Processes that hooks left to finish may still be writing there. */
async function clear(folder: string): Promise<void> {
  for (let left = 40; ; left--) {
    try {
      fs.rmSync(folder, { recursive: true, force: true });
      return;
    } catch (cause) {
      if (left === 0) throw cause;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

async function main(): Promise<void> {
  console.log(`hooks on Node ${process.version}, ${os.cpus().length} cores`);
  for (const size of SIZES) {
    const folder = KEPT === undefined ? fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-')) : path.resolve(KEPT, String(size));
    try {
      console.log(`${size} records`);
      const laid = { home: path.join(folder, 'home'), project: path.join(folder, 'project') };
      const place = fs.existsSync(laid.home) ? laid : await lay(folder, size);
      await processes(place, size);
      await events(place, size);
    } finally {
      if (KEPT === undefined) await clear(folder);
    }
  }
}

void main();
