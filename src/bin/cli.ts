import { fstatSync, statSync, writeSync } from 'node:fs';
import { main } from '../edges/cli/main.ts';
import { connectCli } from './wiring/cli-host.ts';
import { workingFolder } from './wiring/environment.ts';

const closers: (() => Promise<void>)[] = [];

/** Written straight to the descriptor: setting up `process.stdout` costs a search as much as its query. */
function write(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      // `holdfast log | head` closes the pipe early, which is no failure.
      if (code === 'EPIPE') process.exit(0);
      if (code !== 'EAGAIN') throw cause;
    }
  }
}

/** Told without `process.stdout`, whose setting up takes longer than a query. */
const isTerminal = (): boolean => {
  const out = fstatSync(1);
  return (
    out.isCharacterDevice() &&
    (process.platform === 'win32' ? process.stdout.isTTY === true : out.rdev !== statSync('/dev/null', { throwIfNoEntry: false })?.rdev)
  );
};

/** One line that is written over as long as something goes on; only a terminal can show that. */
const progress = (text: string): void => {
  if (process.stderr.isTTY === true) write(2, `\r\u001b[K${text}`);
};

const note = (text: string): void => write(2, `${text}\n`);

async function runCommand(): Promise<void> {
  try {
    process.exitCode = await main(
      process.argv.slice(2),
      {
        isTerminal: process.env['NO_COLOR'] === undefined && isTerminal(),
        isErrorTerminal: () => process.env['NO_COLOR'] === undefined && process.stderr.isTTY === true,
        out: (text) => write(1, text),
        err: (text) => write(2, text),
      },
      (options, paint) => connectCli({ env: process.env, cwd: workingFolder(process.env), closers, progress, note }, options, paint),
    );
  } finally {
    for (const close of closers) {
      await close().catch((cause: unknown) => write(2, `note the index could not be brought up to date: ${(cause as Error).message}\n`));
    }
  }
}

/** Everything is said and closed by now; taking the process apart piece by piece would cost a search as much as ranking. */
const leave = (): void => {
  if (process.argv.includes('search')) process.exit();
};

/** Runs the command that `process.argv` names. */
export const run = (): Promise<void> => runCommand().then(leave);
