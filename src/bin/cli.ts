import { main } from '../edges/cli/main.ts';
import { connectCli } from './compose/cli.ts';

const closers: (() => void)[] = [];

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `holdfast log | head` closes the pipe early, which is no failure.
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const code = main(
  process.argv.slice(2),
  {
    isTerminal: process.stdout.isTTY === true && process.env['NO_COLOR'] === undefined,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  },
  (options, paint) => connectCli({ env: process.env, cwd: process.cwd(), closers }, options, paint),
);

code
  .then((exit) => {
    process.exitCode = exit;
  })
  .finally(() => {
    for (const close of closers) close();
  });
