import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { HookEvent } from '../src/app/hooks/call.ts';
import { processes as machine } from '../src/adapters/process/running.ts';
import { layConversations, promptsAbout } from './hooks/conversations.ts';
import { events } from './hooks/events.ts';
import { DIST, environment, inputFor, pause, type Place, serve, sessionId, WELCOME } from './hooks/server.ts';
import { median } from './measure.ts';
import { layOutProject, queryForRecord } from './records/made-up.ts';

/** The cost of hooks: of command hooks and the server's start as a multiple of an empty process, of the others in milliseconds. */
const isQuick = process.argv.includes('--quick');
const option = (name: string): string | undefined => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
/**
 * `--sizes 1000,100000` says how many records, `--messages 100000` how many messages a further project has (0: none), `--keep FOLDER` leaves them there for
 * the next run: laying many takes minutes. `--events` measures the server's events only.
 */
const SIZES = (option('--sizes') ?? (isQuick ? '1000' : '1000,10000,100000')).split(',').map(Number);
const MESSAGES = Number(option('--messages') ?? (isQuick ? 0 : 100_000));
/** Records of the project with many messages. */
const BESIDE_MESSAGES = 1_000;
const KEEP_FOLDER = option('--keep');
const ONLY_EVENTS = process.argv.includes('--events');
const RUNS = isQuick ? 15 : 41;
const BARS = { command: 2.5, initialize: 4 } as const;
/** Milliseconds of a prompt inside the server: with so many records, and with many messages. */
const PROMPT_BARS = { records: 10_000, besideRecords: 5, besideMessages: 15 } as const;

function timed(args: readonly string[], place: Place, input = ''): number {
  const started = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, { env: environment(place), input, cwd: place.project, encoding: 'utf8' });
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  if (status !== 0 || stderr !== '') throw new Error(`${args.join(' ')}: ${stderr}`);
  return ms;
}

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
/** A project where memory is off, in a home where it is on elsewhere. */
function offHere({ home, project, prompt }: Place): Place {
  const beside = path.join(path.dirname(project), 'beside');
  fs.mkdirSync(beside, { recursive: true });
  return { home, project: beside, prompt };
}

/** Every kind of event that `init` registers for other clients, once: the program is the same, only names and fields differ. */
const CLIENT_EVENTS: readonly (readonly [client: string, event: string, fields: Readonly<Record<string, unknown>>])[] = [
  ['codex', 'UserPromptSubmit', {}],
  ['codex', 'PreToolUse', { tool_name: 'Bash', tool_input: { command: 'git commit -m x' } }],
  ['codex', 'PreCompact', { trigger: 'auto' }],
  ['gemini', 'BeforeAgent', {}],
  ['gemini', 'AfterTool', { tool_name: 'run_shell_command', tool_input: { command: 'git commit -m x' } }],
  ['gemini', 'PreCompress', { trigger: 'manual' }],
  ['opencode', 'UserPromptSubmit', {}],
  ['copilot', 'userPromptSubmitted', {}],
  ['copilot', 'subagentStart', { agentId: 'a', agentType: 'explore' }],
  ['qwen', 'UserPromptSubmit', {}],
  ['qwen', 'PostToolUse', { tool_name: 'run_shell_command', tool_input: { command: 'git status' } }],
  ['cursor', 'preToolUse', { tool_name: 'Shell', tool_input: { command: 'git commit -m x' } }],
  ['droid', 'PostToolUse', { tool_name: 'Execute', tool_input: { command: 'git commit -m x' } }],
  ['cline', 'PreToolUse', { tool_call: { name: 'run_commands', input: { commands: ['git commit -m x'] } } }],
];

/** Runs a hook as `init` sets it up for a client: through the command line. */
const clientHook = (client: string, event: string, place: Place, fields: Readonly<Record<string, unknown>>): number =>
  timed([path.join(DIST, 'cli.js'), 'hook', event, '--client', client], place, JSON.stringify({ ...inputFor('UserPromptSubmit', place), ...fields }));

/** Runs of hooks that start a background process, which has to end before the next run. */
const FEW_RUNS = isQuick ? 5 : 9;
const BACKGROUND_MS = 4_000;

function ran(where: Place, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, { env: environment(where), cwd: where.project, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
}

/** Brings a project into the state of normal use: registered, with its last session finished. */
function settle(place: Place): void {
  if (!fs.existsSync(path.join(place.home, 'holdfast', 'registry.json'))) ran(place, path.join(DIST, 'cli.js'), 'task', 'Measure the hooks');
  ran(place, path.join(DIST, 'finish.js'), place.home, place.project);
}

/** Runs a hook as the plugin registers it. */
function hook(event: HookEvent, where: Place, more: Readonly<Record<string, string>> = {}): number {
  const input: Record<string, string> = { ...inputFor(event, where), ...(event === 'SessionStart' && { source: 'startup' }), ...more };
  return timed([HOOK, event], where, JSON.stringify(input));
}

/** With conversations a prompt quotes them, which costs more than showing a record. */
function processesBesideMessages(place: Place): void {
  const ways = ['UserPromptSubmit', 'PreToolUse'] as const;
  const times = new Map<string, number[]>([['empty', []], ...ways.map((event): [string, number[]] => [event, []])]);
  for (let run = 0; run <= RUNS; run++) {
    const measured = { empty: timed(['-e', '0'], place), ...Object.fromEntries(ways.map((event) => [event, hook(event, place)])) };
    // The first ones leave their compile cache.
    if (run > 0) for (const [name, ms] of Object.entries(measured)) times.get(name)?.push(ms);
  }
  for (const event of ways) console.log(row(`${event} as a process`, median(times.get(event) ?? []), median(times.get('empty') ?? []), BARS.command));
}

/** Measures all hooks in turns, so that other load on the machine affects all alike. */
async function processes(place: Place): Promise<void> {
  const [offEverywhere, beside] = [{ ...place, home: path.join(place.home, 'off') }, offHere(place)];
  const transcript = path.join(place.project, 'talk.jsonl');
  fs.writeFileSync(transcript, '');
  const notes = path.join(place.home, 'holdfast', 'projects', 'project', 'sessions');
  fs.mkdirSync(notes, { recursive: true });
  /** A session with a server: this process stands for it. */
  const known = (): string => {
    const session = sessionId();
    fs.writeFileSync(path.join(notes, `${session}.json`), JSON.stringify({ server: machine.self }));
    return session;
  };
  const seen = path.join(place.home, 'holdfast', 'hooks', 'claude-code.UserPromptSubmit.seen');
  const empty = (): number => timed(['-e', '0'], place);
  const ways: Readonly<Record<string, () => number>> = {
    'SessionStart, deferred': () => {
      fs.writeFileSync(seen, '');
      return hook('SessionStart', place);
    },
    'SessionStart, told at once': () => {
      fs.rmSync(seen, { force: true });
      return hook('SessionStart', place);
    },
    'SessionStart, off here': () => hook('SessionStart', beside),
    'SessionStart, off everywhere': () => hook('SessionStart', offEverywhere),
    'SessionStart, compact': () => hook('SessionStart', place, { source: 'compact', session_id: known() }),
    SessionEnd: () => hook('SessionEnd', place, { session_id: known(), transcript_path: transcript }),
    'SessionEnd, off here': () => hook('SessionEnd', beside, { transcript_path: transcript }),
    'UserPromptSubmit as a process': () => hook('UserPromptSubmit', place),
    'PreToolUse as a process': () => hook('PreToolUse', place),
    ...Object.fromEntries(CLIENT_EVENTS.map(([client, event, fields]) => [`${client} ${event}`, () => clientHook(client, event, place, fields)])),
  };
  /** Measured by itself, beside a process that does nothing, because it leaves work that slows the next. */
  const apart: Readonly<Record<string, () => number>> = {
    'SessionStart, compact, no server': () => hook('SessionStart', place, { source: 'compact' }),
    'codex SessionStart': () => clientHook('codex', 'SessionStart', place, { source: 'startup' }),
    'SessionEnd, no server': () => hook('SessionEnd', place, { transcript_path: transcript }),
  };
  const times = new Map<string, number[]>();
  const note = (name: string, ms: number): void => void times.set(name, [...(times.get(name) ?? []), ms]);
  const middle = (name: string): number => median(times.get(name) ?? []);
  await pause(1_200);
  settle(place);
  for (const way of Object.values(ways)) way();
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
      const ms = way();
      await pause(BACKGROUND_MS);
      // The first one leaves its compile cache.
      if (run === 0) continue;
      note(name, ms);
      note(`${name}: empty`, empty());
    }
    console.log(row(name, middle(name), middle(`${name}: empty`), BARS.command));
  }
  console.log(row('mcp: initialize answered', middle('initialize'), base, BARS.initialize));
}

/** Background processes of hooks may still be writing there. */
async function clear(folder: string): Promise<void> {
  for (let triesLeft = 40; ; triesLeft--) {
    try {
      fs.rmSync(folder, { recursive: true, force: true });
      return;
    } catch (cause) {
      if (triesLeft === 0) throw cause;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/** Measures in a project folder, which is reused with `--keep`. */
async function inProject(name: string, records: number, measure: (laid: Omit<Place, 'prompt'>, isNew: boolean) => Promise<void>): Promise<void> {
  const folder = KEEP_FOLDER === undefined ? fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-')) : path.resolve(KEEP_FOLDER, name);
  const laid = { home: path.join(folder, 'home'), project: path.join(folder, 'project') };
  try {
    const isNew = !fs.existsSync(laid.home);
    await measure(isNew ? await layOutProject(folder, records) : laid, isNew);
  } finally {
    if (KEEP_FOLDER === undefined) await clear(folder);
  }
}

async function main(): Promise<void> {
  console.log(`hooks on Node ${process.version}, ${os.cpus().length} cores`);
  for (const size of SIZES.filter((records) => records > 0)) {
    console.log(`${size} records`);
    await inProject(String(size), size, async (laid) => {
      const place = { ...laid, prompt: () => `Why did we choose ${queryForRecord(size)}?` };
      if (!ONLY_EVENTS) await processes(place);
      await events(place, RUNS, size <= PROMPT_BARS.records ? PROMPT_BARS.besideRecords : undefined);
    });
  }
  if (MESSAGES === 0) return;
  console.log(`${MESSAGES} messages, ${BESIDE_MESSAGES} records`);
  await inProject(`${MESSAGES}-messages`, BESIDE_MESSAGES, async (laid, isNew) => {
    const place = { ...laid, prompt: promptsAbout(MESSAGES) };
    if (isNew) layConversations(place, MESSAGES, (transcripts) => ran(place, path.join(DIST, 'cli.js'), 'import', transcripts));
    if (!ONLY_EVENTS) processesBesideMessages(place);
    await events(place, RUNS, PROMPT_BARS.besideMessages);
  });
}

void main();
