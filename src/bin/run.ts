import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isTooOld, nodeTooOldMessage } from '../adapters/process/environment.ts';
import { loadCached } from '../adapters/process/load-cached.ts';
import type { PROGRAMS } from './holdfast.ts';

/** This stub is built under the name of every program, such as `cli.js`, and runs that program of `holdfast.js`. */
const program = basename(import.meta.filename, '.js') as keyof typeof PROGRAMS;
const [, , word = '', event = '', option] = process.argv;
/** The form in clients' settings: an event needs no parser of the command line. */
const isClientHook = program === 'cli' && word === 'hook' && process.argv.length === 6 && option === '--client';

/** Commands that an agent or a client waits for: each has a cache of the code that it needs. */
const OFTEN_USED = ['search', 'save', 'recall', 'brief'];
const EVENT = /^[A-Za-z]{4,20}$/;

/** The use of the program, and whether it is a short one. */
function cacheUse(): { readonly use: string; readonly isShort: boolean } {
  if (program === 'hook') return { use: EVENT.test(word) ? word : 'hook', isShort: true };
  if (program !== 'cli' || word === 'import') return { use: program === 'cli' ? word : program, isShort: false };
  const often = word === 'hook' && EVENT.test(event) ? event : OFTEN_USED.find((command) => process.argv.includes(command));
  return { use: often ?? program, isShort: often !== undefined };
}

async function run(): Promise<void> {
  const { use, isShort } = cacheUse();
  // An import ends within seconds, so optimising its code later saves a quarter of its processor time.
  if (use.startsWith('import')) process.getBuiltinModule('node:v8').setFlagsFromString('--interrupt-budget=700000');
  const { PROGRAMS: programs } = loadCached({ folder: import.meta.dirname, bundle: 'holdfast.js', use, require, isShort }) as typeof import('./holdfast.ts');
  await (await programs[isClientHook ? 'hook' : program]()).run();
}

/** Without an answer from the server, the client would complain at every event. */
async function runOnOldNode(): Promise<void> {
  if (program === 'mcp') (await import('../edges/mcp/old-node.ts')).serveOnOldNode(nodeTooOldMessage(process.version));
  else if (program !== 'hook') process.stderr.write(`${nodeTooOldMessage(process.version)}\n`);
  else if (word === 'SessionStart' && /"source":\s*"startup"/.test(readFileSync(0, 'utf8'))) {
    process.stdout.write(JSON.stringify({ systemMessage: nodeTooOldMessage(process.version) }));
  }
}

/** A hook never fails a session, even if an update has removed half of the program. */
const explain = (cause: unknown): void => {
  if (program !== 'hook') throw cause;
  process.stderr.write(`holdfast ${word} hook: ${String(cause).slice(0, 300)}; the session goes on\n`);
};

void (isTooOld(process.versions.node) ? runOnOldNode() : run()).catch(explain);
