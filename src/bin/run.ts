import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isTooOld, nodeTooOldMessage } from '../adapters/process/environment.ts';
import { loadCached } from '../adapters/process/load-cached.ts';
import type { PROGRAMS } from './holdfast.ts';

/** This stub is built once for each program, such as `cli.js`, and runs the program of that name in `holdfast.js`. */
const program = basename(import.meta.filename, '.js') as keyof typeof PROGRAMS;
const [, , word = '', event = '', option] = process.argv;
/** Whether it is the command in clients' settings, which needs no parser of the command line. */
const isClientHook = program === 'cli' && word === 'hook' && process.argv.length === 6 && option === '--client';

/** Commands that an agent or a client waits for: each has a cache of the code that it needs. */
const CACHED_COMMANDS = ['search', 'save', 'recall', 'brief'];
const EVENT = /^[A-Za-z]{4,20}$/;

/** The key of the code cache for this run, and whether the run is short. */
function cacheUse(): { readonly use: string; readonly isShort: boolean } {
  if (program === 'hook') return { use: EVENT.test(word) ? word : 'hook', isShort: true };
  if (program !== 'cli' || word === 'import') return { use: program === 'cli' ? word : program, isShort: false };
  const cached = word === 'hook' && EVENT.test(event) ? event : CACHED_COMMANDS.find((command) => process.argv.includes(command));
  return { use: cached ?? program, isShort: cached !== undefined };
}

async function run(): Promise<void> {
  const { use, isShort } = cacheUse();
  // An import ends within seconds: optimising its code later saves a quarter of its processor time.
  if (use.startsWith('import')) process.getBuiltinModule('node:v8').setFlagsFromString('--interrupt-budget=700000');
  const { PROGRAMS: programs } = loadCached({ folder: import.meta.dirname, bundle: 'holdfast.js', use, require, isShort }) as typeof import('./holdfast.ts');
  await (await programs[isClientHook ? 'hook' : program]()).run();
}

/** Answers in place of the program: without an answer from the server, the client would report an error at every event. */
async function runOnOldNode(): Promise<void> {
  if (program === 'mcp') (await import('../edges/mcp/old-node.ts')).serveOnOldNode(nodeTooOldMessage(process.version));
  else if (program !== 'hook') process.stderr.write(`${nodeTooOldMessage(process.version)}\n`);
  else if (word === 'SessionStart' && /"source":\s*"startup"/.test(readFileSync(0, 'utf8'))) {
    process.stdout.write(JSON.stringify({ systemMessage: nodeTooOldMessage(process.version) }));
  }
}

/** A hook never fails a session, even if an update has removed some of its files. */
const reportFailure = (cause: unknown): void => {
  if (program !== 'hook') throw cause;
  process.stderr.write(`holdfast ${word} hook: ${String(cause).slice(0, 300)}; the session goes on\n`);
};

void (isTooOld(process.versions.node) ? runOnOldNode() : run()).catch(reportFailure);
