import { fstatSync, writeSync } from 'node:fs';
import type { Command } from '../../edges/cli/command.ts';
import { search } from '../../edges/cli/commands/search.ts';
import { main } from '../../edges/cli/main.ts';
import { connectCli } from '../compose/cli.ts';

/** The commands of late/daily.ts, by name: knowing them must not load them. */
const RARE = new Set(['summarize', 'drafts', 'report', 'synthesize', 'migrate']);
const OF_THE_DAY = new Set(['start', 'stop', 'task', 'progress', 'block', 'unblock', 'breadcrumb', 'project', 'workspace', 'user']);

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

const isTerminal = (): boolean => {
  return fstatSync(1).isCharacterDevice() && process.stdout.isTTY === true;
};

/** One line that is written over as long as something goes on; only a terminal can show that. */
const progress = (text: string): void => {
  if (process.stderr.isTTY === true) write(2, `\r\u001b[K${text}`);
};

async function run(): Promise<void> {
  try {
    process.exitCode = await main(
      process.argv.slice(2),
      {
        isTerminal: process.env['NO_COLOR'] === undefined && isTerminal(),
        isErrorTerminal: () => process.env['NO_COLOR'] === undefined && process.stderr.isTTY === true,
        out: (text) => write(1, text),
        err: (text) => write(2, text),
      },
      {
        connect: (options, paint) => connectCli({ env: process.env, cwd: process.cwd(), closers, progress }, options, paint),
        load: async (name) => {
          if (name === 'search') return search;
          if (name === 'recall' || name === 'brief' || name === 'why') return (await import('../late/recall.ts'))[name];
          if (OF_THE_DAY.has(name)) return (await import('../late/daily.ts')).DAILY[name] as Command;
          if (RARE.has(name)) return (await import('../late/seldom.ts')).SELDOM[name] as Command;
          if (name === 'completion') return (await import('../late/completion.ts')).completion;
          return (await import('../late/commands.ts')).ALL[name] as Command;
        },
      },
    );
  } finally {
    for (const close of closers) {
      await close().catch((cause: unknown) => write(2, `note the index could not be brought up to date: ${(cause as Error).message}\n`));
    }
  }
}

void run();
