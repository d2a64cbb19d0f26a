import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { root } from '../../../scripts/bundle.js';
import { temporaryFolder } from '../../scratch.ts';
import type { Answer } from './program.ts';

const TIMEOUT_MS = 100_000;

export interface WarmRequest {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly input: string;
}

interface WarmProcess {
  readonly child: ChildProcess;
  readonly requests: number;
  readonly answers: number;
  readonly out: string;
  readonly err: string;
}

let running: WarmProcess | undefined;

/** A process that has loaded the built program and waits for commands. It ends when this process does. */
function start(): WarmProcess {
  const folder = fs.mkdtempSync(path.join(temporaryFolder(), 'holdfast-warm-'));
  const [requests, answers, out, err] = ['requests', 'answers', 'out', 'err'].map((name) => path.join(folder, name)) as [string, string, string, string];
  execFileSync('mkfifo', [requests, answers]);
  const read = fs.openSync(answers, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  const [toOut, toErr] = [fs.openSync(out, 'a'), fs.openSync(err, 'a')];
  const words = ['--expose-gc', path.join(import.meta.dirname, 'warm-process.js'), path.join(root, 'dist', 'holdfast.js'), requests, answers];
  const child = spawn(process.execPath, words, { cwd: root, env: { PATH: process.env['PATH'] ?? '', TZ: 'UTC' }, stdio: ['ignore', toOut, toErr] });
  child.unref();
  for (const descriptor of [toOut, toErr]) fs.closeSync(descriptor);
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  const write = fs.openSync(requests, 'w');
  const started: WarmProcess = { child, requests: write, answers: read, out, err };
  if (nextAnswer(started, true) !== 'ready') throw new Error(`the program did not load: ${fs.readFileSync(err, 'utf8')}`);
  return started;
}

const NOTHING_YET = Symbol('nothing yet');

/** The next line of the process; undefined when it has ended. */
function readAnswer({ answers }: WarmProcess, starts: boolean): string | undefined | typeof NOTHING_YET {
  const room = Buffer.alloc(64);
  try {
    const count = fs.readSync(answers, room);
    if (count > 0) return room.toString('utf8', 0, count).trim();
    // Until the process has opened its end, no one can write.
    return starts ? NOTHING_YET : undefined;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EAGAIN') throw cause;
    return NOTHING_YET;
  }
}

function giveUp({ child }: WarmProcess): never {
  child.kill('SIGKILL');
  running = undefined;
  throw new Error(`no answer within ${TIMEOUT_MS / 1000} s`);
}

/** Blocks until the process answers. */
function nextAnswer(warm: WarmProcess, starts = false): string | undefined {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (const until = performance.now() + TIMEOUT_MS; performance.now() < until; Atomics.wait(pause, 0, 0, 1)) {
    const answer = readAnswer(warm, starts);
    if (answer !== NOTHING_YET) return answer;
  }
  return giveUp(warm);
}

/** The same while this process goes on. */
async function comingAnswer(warm: WarmProcess): Promise<string | undefined> {
  for (const until = performance.now() + TIMEOUT_MS; performance.now() < until; await setTimeout(1)) {
    const answer = readAnswer(warm, false);
    if (answer !== NOTHING_YET) return answer;
  }
  return giveUp(warm);
}

function send(request: WarmRequest): WarmProcess {
  if (isBusy) throw new Error('the command before is still running: await it first');
  const warm = (running ??= start());
  fs.writeSync(warm.requests, `${JSON.stringify(request)}\n`);
  return warm;
}

function receive(warm: WarmProcess, answer: string | undefined): Answer {
  const [code, next] = answer?.split(' ') ?? [];
  if (next !== 'next') running = undefined;
  const [out, err] = [warm.out, warm.err].map((file) => {
    const text = fs.readFileSync(file, 'utf8');
    fs.truncateSync(file);
    return text;
  }) as [string, string];
  if (running === undefined) for (const descriptor of [warm.requests, warm.answers]) fs.closeSync(descriptor);
  // A process that broke off ends with 1.
  return { code: code === undefined ? 1 : Number(code), out, err };
}

/** Runs a command in the waiting process: the program as it was built, without the 60 ms of processor time that starting Node takes. */
export function runWarm(request: WarmRequest): Answer {
  const warm = send(request);
  return receive(warm, nextAnswer(warm));
}

let isBusy = false;
let queue: Promise<unknown> = Promise.resolve();

/** The same for a command that asks a server in this process. */
export function runWarmBeside(request: WarmRequest): Promise<Answer> {
  const answered = queue.then(async () => {
    const warm = send(request);
    isBusy = true;
    try {
      return receive(warm, await comingAnswer(warm));
    } finally {
      isBusy = false;
    }
  });
  queue = answered.catch(() => undefined);
  return answered;
}
