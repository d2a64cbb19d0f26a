import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { answerHook, type HookReach } from '../src/app/hooks/answer.ts';
import { HOOK_EVENTS, type HookEvent } from '../src/app/hooks/call.ts';
import { WarmMemories } from '../src/bin/compose/warm.ts';
import { readCall } from '../src/edges/hook/parse.ts';
import { median } from './measure.ts';
import { asked, lay } from './records/made-up.ts';

/** What hooks cost: command hooks and the server's start against a process that does nothing, the others in milliseconds. */
const SIZES = process.argv.includes('--quick') ? [1_000] : [1_000, 100_000];
const RUNS = process.argv.includes('--quick') ? 15 : 41;
const BARS = { command: 1.5, initialize: 4 } as const;
const DIST = path.resolve('dist/plugin/claude-code/dist');

interface Place {
  readonly home: string;
  readonly project: string;
}

const { NODE_EXTRA_CA_CERTS: _certificates, ...ENV } = process.env;
const environment = ({ home }: Place) => ({ ...ENV, HOLDFAST_HOME: home });

let turn = 0;
const inputFor = (event: HookEvent, { project }: Place, size: number): Record<string, string> => {
  const session = `bench-${event}-${++turn}`;
  const common = { session_id: session, cwd: project, transcript_path: path.join(project, 'none.jsonl') };
  const more: Partial<Record<HookEvent, object>> = {
    SessionStart: { source: 'startup' },
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

function timed(args: readonly string[], place: Place, input = ''): number {
  const started = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, { env: environment(place), input, cwd: place.project, encoding: 'utf8' });
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
  `  ${name.padEnd(28)} ${(ms / empty).toFixed(2).padStart(5)} x node -e 0   (${ms.toFixed(1)} ms; bar ${bar.toFixed(1)})`;

/** Taken in turns, so that what else the machine does falls on all alike. */
async function processes(place: Place, size: number): Promise<void> {
  const hook = (event: HookEvent): number => timed([path.join(DIST, 'hook.js'), event], place, JSON.stringify(inputFor(event, place, size)));
  const [empty, start, end, first]: [number[], number[], number[], number[]] = [[], [], [], []];
  const offHome = { ...place, home: path.join(place.home, 'nobody') };
  const off: number[] = [];
  hook('SessionStart');
  await firstAnswer(place);
  for (let run = 0; run < RUNS; run++) {
    empty.push(timed(['-e', '0'], place));
    start.push(hook('SessionStart'));
    off.push(timed([path.join(DIST, 'hook.js'), 'SessionStart'], offHome, JSON.stringify(inputFor('SessionStart', place, size))));
    first.push(await firstAnswer(place));
  }
  // Each starts a process that goes on by itself: measured last, so that it is in nobody's way.
  for (let run = 0; run < Math.min(RUNS, 9); run++) {
    end.push(hook('SessionEnd'));
    await new Promise((resolve) => setTimeout(resolve, 800));
  }
  const base = median(empty);
  console.log(`  node -e 0 ${base.toFixed(1)} ms, medians of ${RUNS}`);
  console.log(row('SessionStart', median(start), base, BARS.command));
  console.log(row('SessionStart, memory off', median(off), base, BARS.command));
  console.log(row('SessionEnd', median(end), base, BARS.command));
  console.log(row('mcp: initialize answered', median(first), base, BARS.initialize));
}

const REACH: HookReach = {
  realPath: (file) => file,
  guarded: { roots: ['/nowhere'] },
  lastLines: () => [],
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
  for (const event of HOOK_EVENTS.filter((name) => !name.startsWith('Session'))) {
    const [own, theirs]: [number[], number[]] = [[], []];
    await inside(event);
    await seen(event);
    for (let run = 0; run < RUNS; run++) {
      own.push(await inside(event));
      theirs.push(await seen(event));
    }
    const pair = (values: readonly number[]): string =>
      `${median(values).toFixed(1).padStart(6)} ${Math.max(...values)
        .toFixed(1)
        .padStart(6)}`;
    console.log(`  ${event.padEnd(18)} ${pair(own)}  / ${pair(theirs)}`);
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
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
    try {
      console.log(`${size} records`);
      const place = await lay(folder, size);
      await processes(place, size);
      await events(place, size);
    } finally {
      await clear(folder);
    }
  }
}

void main();
