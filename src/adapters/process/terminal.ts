import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { ok, refuse, type Result } from '../../core/result.ts';

const INPUT_LIMIT = 64 * 1024 * 1024;

/** The text of a file that the user named; - is standard input. */
export async function readInput(file: string): Promise<Result<string>> {
  if (file === '-') return ok(await readStandardInput());
  try {
    const stat = statSync(file);
    if (!stat.isFile()) return refuse('INPUT_ERROR', `${file} is not a file.`, { hint: 'name a file; - reads standard input' });
    if (stat.size > INPUT_LIMIT) return refuse('INPUT_ERROR', `${file} is larger than ${INPUT_LIMIT / 1024 / 1024} MB.`, { hint: 'split it' });
    return ok(readFileSync(file, 'utf8'));
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'the file does not exist' : code === 'EACCES' ? 'permission denied' : message;
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
    return refuse('INPUT_ERROR', exists ? `${file} already exists` : `cannot write ${file}: ${(cause as Error).message}`, { hint: 'choose another name' });
  }
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Asks a yes-or-no question on the terminal; false without one. */
export async function confirmOnTerminal(text: string, question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-C and Ctrl-D answer no.
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const reply = terminal.question(`${text}\n${question} [y/N] `).catch(() => '');
  if (unread !== '') terminal.write(unread);
  unread = '';
  const answer = await Promise.race([reply, closed]);
  terminal.close();
  return /^y(?:es)?$/i.test(answer.trim());
}

/** Shows a text and a question and waits for one of the keys. Ctrl-C, the end of the input or a missing terminal counts as the last key. */
export async function keyOnTerminal(text: string, question: string, keys: string): Promise<string> {
  const last = keys.slice(-1);
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) return last;
  stdout.write(`${text}\n${question} `);
  stdin.setRawMode(true);
  stdin.resume();
  try {
    for (;;) {
      const typed = await nextInput();
      const key = typed === undefined || /[\u0003\u0004]/.test(typed) ? last : [...typed.toLowerCase()].find((one) => keys.includes(one));
      if (key === undefined) continue;
      // Keys typed after the answer belong to the next question.
      if (typed !== undefined) unread = typed.slice(typed.toLowerCase().indexOf(key) + 1);
      stdout.write(`${key}\n`);
      return key;
    }
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
  }
}

/** Input that was typed before the next question, and answers it. */
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
