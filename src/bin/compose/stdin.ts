/** Standard input may never close, and may never end. */
const WAIT_MS = 1_500;
const MOST_BYTES = 32 * 1024 * 1024;

/** All of standard input, or as much as came in time: a JSON value that is whole is not waited upon. */
export function readHookInput(): Promise<string> {
  return new Promise((resolve) => {
    const { Socket } = process.getBuiltinModule('node:net');
    const { fstatSync, readFileSync } = process.getBuiltinModule('node:fs');
    if (fstatSync(0).isFile()) {
      resolve(readFileSync(0, 'utf8'));
      return;
    }
    const input = new Socket({ fd: 0, readable: true, writable: false });
    const chunks: Buffer[] = [];
    let bytes = 0;
    const text = (): string => Buffer.concat(chunks).toString('utf8');
    const done = (): void => {
      clearTimeout(timer);
      input.destroy();
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

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
