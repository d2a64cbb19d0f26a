import { fstatSync, statSync, writeSync } from 'node:fs';

/** Writes straight to the descriptor: setting up `process.stdout` takes longer than a query. */
export function writeText(descriptor: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      // `holdfast log | head` closes the pipe early, which is not an error.
      if (code === 'EPIPE') process.exit(0);
      if (code !== 'EAGAIN') throw cause;
    }
  }
}

/** Whether standard output is a terminal, without setting up `process.stdout`. */
export function isTerminalOutput(): boolean {
  const out = fstatSync(1);
  if (!out.isCharacterDevice()) return false;
  return process.platform === 'win32' ? process.stdout.isTTY === true : out.rdev !== statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}

export const isErrorTerminal = (): boolean => process.stderr.isTTY === true;

/** Whether input and output are a terminal: scripts and agents' shells have a pipe at one of them. */
export const isInteractive = (): boolean =>
  [0, 1].every(isCharacterDevice) && [0, 1].every((descriptor) => process.getBuiltinModule('node:tty').isatty(descriptor));

/** Rules out a terminal without `node:tty`, which loads the network's code and takes longer than a query. */
function isCharacterDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    // The descriptor is closed.
    return false;
  }
}

/** Shows progress in one line that the next call overwrites; only on a terminal. */
export function showProgress(text: string): void {
  if (isErrorTerminal()) writeText(2, `\r\u001b[K${text}`);
}
