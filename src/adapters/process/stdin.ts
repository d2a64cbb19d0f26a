import type { Socket } from 'node:net';

/** Standard input may never close, and may never end. */
const WAIT_MS = 1_500;
const MOST_BYTES = 32 * 1024 * 1024;

/** All of standard input, or as much as came in time: a JSON value that is whole is not waited upon. */
export function readHookInput(): Promise<string> {
  return new Promise((resolve) => {
    const input = pipeOr(resolve);
    if (!input) return;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const text = (): string => Buffer.concat(chunks).toString('utf8');
    const done = (): void => {
      clearTimeout(timer);
      // Not destroyed: that has Node set up standard error. What is paused and let go keeps no process alive.
      input.pause().unref();
      resolve(text());
    };
    const timer = setTimeout(done, WAIT_MS);
    input.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      // Only an object is expected, so that only its last brace is worth a look.
      if (bytes > MOST_BYTES || (chunk.toString('latin1').trimEnd().endsWith('}') && isWhole(text()))) done();
    });
    input.on('end', done);
    input.on('error', done);
  });
}

/** The pipe on standard input. A file is told at once, and so is that nothing comes from a folder, a terminal or /dev/null. */
function pipeOr(tell: (text: string) => void): Socket | undefined {
  const { fstatSync, readFileSync } = process.getBuiltinModule('node:fs');
  try {
    const stat = fstatSync(0);
    if (!stat.isFile()) return new (process.getBuiltinModule('node:net').Socket)({ fd: 0, readable: true, writable: false });
    tell(stat.size > MOST_BYTES ? '' : readFileSync(0, 'utf8'));
  } catch {
    tell('');
  }
  return undefined;
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
