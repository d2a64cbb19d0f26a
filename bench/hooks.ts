import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { HookEvent } from '../src/app/hooks/call.ts';
import { noteServed } from '../src/bin/compose/served.ts';
import { events } from './hooks/events.ts';
import { DIST, environment, inputFor, nextNumber, pause, type Place, serve, sessionId, WELCOME } from './hooks/server.ts';
import { median } from './measure.ts';
import { lay } from './records/made-up.ts';

/** What hooks cost: command hooks and the server's start against a process that does nothing, the others in milliseconds. */
const isQuick = process.argv.includes('--quick');
const option = (name: string): string | undefined => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
/** `--sizes 1000,100000` says how many records, `--keep FOLDER` leaves them there for the next run: laying many takes minutes. */
const SIZES = (option('--sizes') ?? (isQuick ? '1000' : '1000,100000')).split(',').map(Number);
const KEPT = option('--keep');
const RUNS = isQuick ? 15 : 41;
const BARS = { command: 2.5, initialize: 4 } as const;

function timed(args: readonly string[], place: Place, input = '', session?: string): number {
  const started = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, { env: environment(place, session), input, cwd: place.project, encoding: 'utf8' });
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  if (status !== 0 || stderr !== '') throw new Error(`${args.join(' ')}: ${stderr}`);
  return ms;
}

async function firstAnswer(place: Place, then?: object): Promise<number> {
  const started = process.hrtime.bigint();
  const server = serve(place);
  await server.ask('initialize', WELCOME);
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  if (then) await server.ask('tools/call', then);
  await server.end();
  return ms;
}

const row = (name: string, ms: number, empty: number, bar: number): string =>
  `  ${name.padEnd(33)} ${(ms / empty).toFixed(2).padStart(5)} x node -e 0   (${ms.toFixed(1)} ms; bar ${bar.toFixed(1)})`;

const HOOK = path.join(DIST, 'hook.js');
/** A place that nobody said yes to, in a home where others have. */
function offHere({ home, project }: Place): Place {
  const beside = path.join(path.dirname(project), 'beside');
  fs.mkdirSync(beside, { recursive: true });
  return { home, project: beside };
}

/** The sources that the plugin hands a start as a word, so that it need not read standard input. */
const NAMED_STARTS = ['startup', 'clear', 'compact'];
/** How often what starts a process is measured, which has to end before the next. */
const FEW_RUNS = isQuick ? 5 : 9;
const SLOW = 'SessionEnd, no server';

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
  /** A session that a server was asked about. */
  const known = (): string => {
    const session = sessionId();
    noteServed(place.home, session);
    return session;
  };
  const root = path.join(place.home, 'projects', 'project');
  const changed = path.join(root, 'memory', 'MEMORY.md');
  fs.mkdirSync(path.dirname(changed), { recursive: true });
  fs.writeFileSync(changed, '- Unchanged\n');
  const edit = (): void => fs.writeFileSync(changed, `- Change ${nextNumber()}\n`);
  const record = path.join(root, 'decisions', 'record-0.md');
  const seen = path.join(place.home, 'holdfast', 'hooks', 'claude-code.UserPromptSubmit.seen');
  /** A start that the server tells with the first prompt, which is taken as answered; `events` has what that costs. */
  const left = (more: Readonly<Record<string, string>>): number => {
    const session = sessionId();
    const ms = hook('SessionStart', place, { session_id: session, ...more });
    fs.rmSync(path.join(place.home, 'holdfast', 'owed', session));
    return ms;
  };
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
    [SLOW]: async () => {
      const ms = hook('SessionEnd', place, { transcript_path: transcript });
      await pause(4_000);
      return ms;
    },
    'SessionStart after a command': async () => {
      ran(place, path.join(DIST, 'cli.js'), 'task', `Measure the hooks, part ${nextNumber()}`);
      return left({});
    },
    'SessionStart, resume': async () => left({ source: 'resume' }),
    'SessionStart after a hand': async () => {
      edit();
      return left({});
    },
    'SessionStart, record edited': async () => {
      fs.appendFileSync(record, `\nEdit ${nextNumber()}\n`);
      return left({});
    },
    'SessionStart, compact, no server': async () => hook('SessionStart', place, { source: 'compact' }),
    'SessionStart, hand, no server': async () => {
      edit();
      fs.rmSync(seen, { force: true });
      return hook('SessionStart', place);
    },
  };
  const times = new Map<string, number[]>();
  const note = (name: string, ms: number): void => void times.set(name, [...(times.get(name) ?? []), ms]);
  const middle = (name: string): number => median(times.get(name) ?? []);
  await pause(1_200);
  settle(place);
  hook('SessionStart', place);
  await firstAnswer(place, { name: 'client_event', arguments: { event: 'UserPromptSubmit', ...inputFor('UserPromptSubmit', place, size) } });
  if (!fs.existsSync(seen)) throw new Error('the server has answered no prompt');
  for (let run = 0; run < RUNS; run++) {
    note('node -e 0', empty());
    for (const [name, way] of Object.entries(ways)) note(name, way());
    note('initialize', await firstAnswer(place));
  }
  const base = middle('node -e 0');
  console.log(`  node -e 0 ${base.toFixed(1)} ms, medians of ${RUNS}`);
  for (const name of Object.keys(ways)) console.log(row(name, middle(name), base, BARS.command));
  for (const [name, way] of Object.entries(apart)) {
    for (let run = 0; run <= (name === SLOW ? FEW_RUNS : RUNS); run++) {
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
      await events(place, size, RUNS);
    } finally {
      if (KEPT === undefined) await clear(folder);
    }
  }
}

void main();
