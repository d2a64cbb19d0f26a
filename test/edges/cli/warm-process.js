import fs from 'node:fs';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/**
 * Runs one command after another of the built program, each with the arguments, environment, folder and standard input that it is given.
 * Standard output and error are files, which the asking process reads.
 */
const [, , bundle = '', requests = '', answers = ''] = process.argv;
const [ask, answer] = [fs.openSync(requests, 'r'), fs.openSync(answers, 'w')];

/** A command that ends the process ends only itself here. */
class Exit extends Error {}

/** @typedef {{ argv: string[], env: Record<string, string>, cwd: string, input: string }} Request */

/** @returns {Request | undefined} */
function nextRequest() {
  const [chunks, room] = [/** @type {Buffer[]} */ ([]), Buffer.alloc(65_536)];
  for (;;) {
    const count = fs.readSync(ask, room);
    if (count === 0) return undefined;
    chunks.push(Buffer.from(room.subarray(0, count)));
    if (room[count - 1] === 10) return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  }
}

/** @param {Request} request */
function enter({ argv, env, cwd, input }) {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv.splice(1, Infinity, bundle, ...argv);
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from(input === '' ? [] : [Buffer.from(input)]) });
  process.exitCode = undefined;
}

/** Commands leave their databases to the end of the process: what they opened is closed after each. */
const opened = /** @type {Set<{ close(): void }>} */ (new Set());
const plainDlopen = process.dlopen;
process.dlopen = (/** @type {{ exports: any }} */ addon, /** @type {string} */ file) => {
  plainDlopen.call(process, addon, file);
  const construct = (/** @type {any} */ target, /** @type {unknown[]} */ values) => {
    const database = Reflect.construct(target, values);
    opened.add(database);
    return database;
  };
  addon.exports = { ...addon.exports, DatabaseSync: new Proxy(addon.exports.DatabaseSync, { construct }) };
};

/** How many files are open; a connection to a server may stay for the next command. */
const openFiles = () =>
  fs.readdirSync('/dev/fd').filter((descriptor) => {
    try {
      return fs.fstatSync(Number(descriptor)).isFile();
    } catch {
      // It was open for listing the others only.
      return false;
    }
  }).length;

/** Closes what a command left open and says whether that is all of it: the addon keeps a file until the garbage collector has ended its last statement. */
async function closeDatabases() {
  for (const database of opened) {
    try {
      database.close();
    } catch {
      // The command has closed it.
      continue;
    }
  }
  opened.clear();
  for (const collect of [() => globalThis.gc?.({ type: 'minor' }), globalThis.gc, globalThis.gc]) {
    if (openFiles() <= filesAtStart) return true;
    collect?.();
    await setImmediate();
    await setImmediate();
  }
  return openFiles() <= filesAtStart;
}

const endProcess = process.exit.bind(process, 0);
process.exit = (code) => {
  process.exitCode = code ?? process.exitCode;
  throw new Exit();
};

const { PROGRAMS } = createRequire(import.meta.url)(bundle);
const { run } = await PROGRAMS.cli();
const filesAtStart = openFiles();
fs.writeSync(answer, 'ready\n');
let isClean = true;
for (let request = nextRequest(); request; request = isClean ? nextRequest() : undefined) {
  enter(request);
  try {
    await run();
  } catch (cause) {
    if (!(cause instanceof Exit)) throw cause;
  }
  isClean = await closeDatabases();
  fs.writeSync(answer, `${process.exitCode ?? 0} ${isClean ? 'next' : 'ended'}\n`);
}
// Something of the last command may still wait for something.
endProcess();
