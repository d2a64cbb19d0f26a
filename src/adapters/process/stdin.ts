/** Standard input may never close. */
const WAIT_MS = 1_500;
const MOST_BYTES = 32 * 1024 * 1024;
/** The size of a pipe's buffer. Most events are shorter. */
const CHUNK_BYTES = 65_536;

/** Standard input up to the end, a complete JSON object or the time limit. Empty for a folder, a terminal or /dev/null. */
export function readHookInput(): Promise<string> {
  const { fstatSync, readFileSync } = process.getBuiltinModule('node:fs');
  try {
    const stat = fstatSync(0);
    if (stat.isFile()) return Promise.resolve(stat.size > MOST_BYTES ? '' : readFileSync(0, 'utf8'));
    return stat.isFIFO() || stat.isSocket() ? readFirst() : Promise.resolve('');
  } catch {
    return Promise.resolve('');
  }
}

/** Reads the first chunk, usually all of it, without `node:net`: loading that takes a sixth of Node's own start. */
function readFirst(): Promise<string> {
  const { read, writeSync } = process.getBuiltinModule('node:fs');
  const bytes = Buffer.allocUnsafe(CHUNK_BYTES);
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      writeSync(2, 'holdfast hook: no input arrived on standard input; the session goes on\n');
      // Node cannot cancel the read, and an exit waits for it.
      process.kill(process.pid, 'SIGKILL');
    }, WAIT_MS);
    read(0, bytes, 0, CHUNK_BYTES, null, (error, count) => {
      clearTimeout(timer);
      const first = bytes.subarray(0, error ? 0 : count);
      // A non-blocking pipe without data is an error here.
      resolve(error || (count > 0 && !isComplete(first)) ? readRest(first) : first.toString('utf8'));
    });
  });
}

function readRest(first: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const input = new (process.getBuiltinModule('node:net').Socket)({ fd: 0, readable: true, writable: false });
    const chunks = [first];
    let bytes = first.length;
    const done = (): void => {
      clearTimeout(timer);
      // Not destroyed, because that makes Node set up standard error. A paused and unreferenced stream keeps no process alive.
      input.pause().unref();
      resolve(Buffer.concat(chunks).toString('utf8'));
    };
    const timer = setTimeout(done, WAIT_MS);
    input.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MOST_BYTES || (endsObject(chunk) && isComplete(Buffer.concat(chunks)))) done();
    });
    input.on('end', done);
    input.on('error', done);
  });
}

/** A hook's input is an object, so parsing is tried only after a closing brace. */
const endsObject = (bytes: Buffer): boolean => bytes.toString('latin1').trimEnd().endsWith('}');

function isComplete(bytes: Buffer): boolean {
  if (!endsObject(bytes)) return false;
  try {
    JSON.parse(bytes.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}
