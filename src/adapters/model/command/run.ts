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

/** Time between SIGTERM and SIGKILL. */
const GRACE_MS = 2000;
/** Time for processes that the child left behind to close its output. */
const LINGER_MS = 500;
const ERROR_BYTES = 64 * 1024;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Signals a child and its descendants: its process group, or on Windows its process tree. */
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

/** Kills the child when this process ends or is interrupted: in its own process group it would not notice. Returns a function that stops this. */
function forwardSignals(kill: () => void): () => void {
  const forward = (signal: NodeJS.Signals): void => {
    kill();
    unsubscribe();
    process.kill(process.pid, signal);
  };
  const unsubscribe = (): void => {
    process.off('exit', kill);
    for (const signal of SIGNALS) process.off(signal, forward);
  };
  process.on('exit', kill);
  for (const signal of SIGNALS) process.on(signal, forward);
  return unsubscribe;
}

/** Runs a program without a shell, with the input on standard input; stops it and its children at the limit of time or output. */
export function runModelCommand({ program, args, input, cwd, env, timeoutMs, limitBytes }: RunRequest): Promise<CommandRun> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env: { ...env }, stdio: 'pipe', shell: false, detached: process.platform !== 'win32', windowsHide: true });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    let [size, errSize] = [0, 0];
    let stopReason: CommandRun | undefined;
    const stopForwarding = forwardSignals(() => signalAll(child, 'SIGKILL'));
    const stop = (reason: CommandRun): void => {
      if (stopReason) return;
      stopReason = reason;
      signalAll(child, 'SIGTERM');
      timers.push(setTimeout(() => signalAll(child, 'SIGKILL'), GRACE_MS));
    };
    const timers = [setTimeout(() => stop({ kind: 'timeout' }), timeoutMs)];
    let isFinished = false;
    const finish = (result: CommandRun): void => {
      if (isFinished) return;
      isFinished = true;
      for (const timer of timers) clearTimeout(timer);
      stopForwarding();
      signalAll(child, 'SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(stopReason ?? result);
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
    // A grandchild may keep the output open for ever.
    child.on('exit', (code, signal) => timers.push(setTimeout(() => finish(ended(code, signal)), LINGER_MS)));
    // A program may end before it has read all input; its output decides.
    child.stdin.on('error', () => child.stdin.destroy());
    child.stdin.end(input);
  });
}
