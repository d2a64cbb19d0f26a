import { isErrorTerminal, isTerminalOutput, showProgress, writeText } from '../adapters/process/output.ts';
import { workingFolder } from '../adapters/process/environment.ts';
import { main } from '../edges/cli/main.ts';
import { connectCli } from './wiring/cli-host.ts';

const note = (text: string): void => writeText(2, `${text}\n`);

async function runCommand(): Promise<void> {
  const closers: (() => Promise<void>)[] = [];
  const colours = process.env['NO_COLOR'] === undefined;
  try {
    process.exitCode = await main(
      process.argv.slice(2),
      {
        isTerminal: colours && isTerminalOutput(),
        isErrorTerminal: () => colours && isErrorTerminal(),
        out: (text) => writeText(1, text),
        err: (text) => writeText(2, text),
      },
      (options, paint) => connectCli({ env: process.env, cwd: workingFolder(process.env), closers, progress: showProgress, note }, options, paint),
    );
  } finally {
    for (const close of closers) {
      await close().catch((cause: unknown) => writeText(2, `note the index could not be brought up to date: ${(cause as Error).message}\n`));
    }
  }
}

/** Runs the command that `process.argv` names. A search exits at once: an orderly end would take as long as ranking. */
export const run = (): Promise<void> => runCommand().then(() => void (process.argv.includes('search') && process.exit()));
