import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';

export interface RunRequest {
  readonly program: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly limitBytes: number;
}

export type CommandRun =
  | { readonly kind: 'ended'; readonly code: number | null; readonly signal: string | null; readonly out: string; readonly err: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'unstarted'; readonly code: string };

/** Between asking a child to end and ending it. */
const GRACE_MS = 2000;
/** Time for processes that the child left behind to close its output. */
const LINGER_MS = 500;
const ERROR_BYTES = 64 * 1024;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Signals a child and all its children: it leads a group of its own, which on Windows is a tree. */
function signalAll(child: ChildProcessWithoutNullStreams, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    if (child.exitCode !== null) return;
    spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' }).on('error', () => child.kill());
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch (cause) {
    // Already gone; macOS reports EPERM for a group whose members have ended.
    if (!['ESRCH', 'EPERM'].includes((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
  }
}

/** A child in its own process group does not get Ctrl-C or notice when this process ends, so these signals are passed on. Returns a function that stops this. */
function endTogether(kill: () => void): () => void {
  const pass = (signal: NodeJS.Signals): void => {
    kill();
    leave();
    process.kill(process.pid, signal);
  };
  const leave = (): void => {
    process.off('exit', kill);
    for (const signal of SIGNALS) process.off(signal, pass);
  };
  process.on('exit', kill);
  for (const signal of SIGNALS) process.on(signal, pass);
  return leave;
}

/** Runs a program without a shell, its input on standard input; ends it and its children when its time or its room is used up. */
export function runModelCommand({ program, args, input, cwd, env, timeoutMs, limitBytes }: RunRequest): Promise<CommandRun> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env: { ...env }, stdio: 'pipe', shell: false, detached: process.platform !== 'win32', windowsHide: true });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    let [size, errSize] = [0, 0];
    let stopped: CommandRun | undefined;
    const stopSignals = endTogether(() => signalAll(child, 'SIGKILL'));
    const stop = (why: CommandRun): void => {
      if (stopped) return;
      stopped = why;
      signalAll(child, 'SIGTERM');
      timers.push(setTimeout(() => signalAll(child, 'SIGKILL'), GRACE_MS));
    };
    const timers = [setTimeout(() => stop({ kind: 'timeout' }), timeoutMs)];
    let settled = false;
    const finish = (ended: CommandRun): void => {
      if (settled) return;
      settled = true;
      for (const timer of timers) clearTimeout(timer);
      stopSignals();
      signalAll(child, 'SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(stopped ?? ended);
    };
    const ended = (code: number | null, signal: string | null): CommandRun => ({
      kind: 'ended',
      code,
      signal,
      out: Buffer.concat(out).toString('utf8'),
      err: Buffer.concat(err).toString('utf8'),
    });
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) stop({ kind: 'too-large' });
      else out.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if ((errSize += chunk.length) <= ERROR_BYTES) err.push(chunk);
    });
    child.on('error', (cause: NodeJS.ErrnoException) => finish({ kind: 'unstarted', code: cause.code ?? cause.message }));
    child.on('close', (code, signal) => finish(ended(code, signal)));
    // A grandchild may hold the output open for ever.
    child.on('exit', (code, signal) => timers.push(setTimeout(() => finish(ended(code, signal)), LINGER_MS)));
    // A program that ends before it has read everything is judged by what it answers.
    child.stdin.on('error', () => child.stdin.destroy());
    child.stdin.end(input);
  });
}
