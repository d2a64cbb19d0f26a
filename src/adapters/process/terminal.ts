import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { ok, refuse, type Result } from '../../core/result.ts';

const INPUT_LIMIT = 64 * 1024 * 1024;

/** The text of a file that a person named; - is standard input. */
export async function readInput(file: string): Promise<Result<string>> {
  if (file === '-') return ok(await readStandardInput());
  try {
    const stat = statSync(file);
    if (!stat.isFile()) return refuse('INPUT_ERROR', `${file} is not a file.`, { hint: 'name a file; - reads standard input' });
    if (stat.size > INPUT_LIMIT) return refuse('INPUT_ERROR', `${file} is larger than ${INPUT_LIMIT / 1024 / 1024} MB.`, { hint: 'split it' });
    return ok(readFileSync(file, 'utf8'));
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EACCES' ? 'permission denied' : message;
    return refuse('INPUT_ERROR', `Cannot read ${file}: ${why}.`, { hint: 'check the path; - reads standard input' });
  }
}

/** Writes a new file, readable by its owner only; never over an existing one. */
export function writeOutput(file: string, text: string): Result<string> {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    return ok(file);
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    return refuse('INPUT_ERROR', exists ? `${file} exists already` : `cannot write ${file}: ${(cause as Error).message}`, { hint: 'give another name' });
  }
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Asks a yes-or-no question on the terminal; false without one. */
export async function confirmOnTerminal(shown: string, question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const asker = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-C and Ctrl-D answer no.
  const closed = new Promise<string>((resolve) => asker.once('close', () => resolve('')));
  const typed = asker.question(`${shown}\n${question} [y/N] `).catch(() => '');
  if (unread !== '') asker.write(unread);
  unread = '';
  const answer = await Promise.race([typed, closed]);
  asker.close();
  return /^y(?:es)?$/i.test(answer.trim());
}

/** Shows a text and a question and waits for one of the keys. Ctrl-C, the end of the input, and no terminal at all count as the last key. */
export async function keyOnTerminal(shown: string, question: string, keys: string): Promise<string> {
  const last = keys.slice(-1);
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) return last;
  stdout.write(`${shown}\n${question} `);
  stdin.setRawMode(true);
  stdin.resume();
  try {
    for (;;) {
      const typed = await nextInput();
      const key = typed === undefined || /[\u0003\u0004]/.test(typed) ? last : [...typed.toLowerCase()].find((one) => keys.includes(one));
      if (key === undefined) continue;
      // Several keys typed at once: the others belong to the next question.
      if (typed !== undefined) unread = typed.slice(typed.toLowerCase().indexOf(key) + 1);
      stdout.write(`${key}\n`);
      return key;
    }
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
  }
}

/** Text that was typed before the question; it answers the question. */
let unread = '';

function nextInput(): Promise<string | undefined> {
  if (unread !== '') {
    const typed = unread;
    unread = '';
    return Promise.resolve(typed);
  }
  const { stdin } = process;
  return new Promise((resolve) => {
    const done = (data?: Buffer): void => {
      stdin.off('data', done);
      stdin.off('end', ended);
      resolve(data?.toString('utf8'));
    };
    const ended = (): void => done();
    stdin.once('data', done);
    stdin.once('end', ended);
  });
}
