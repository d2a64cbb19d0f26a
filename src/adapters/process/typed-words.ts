import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../core/value.ts';

/** The client expands a command right after the hook; older words belong to a command that never ran. */
const FRESH_MS = 60_000;

/** Session ids name the file: nothing that could lead elsewhere. */
const fileOf = (state: string, session: string): string => join(state, 'typed', `${session.replace(/[^\w-]/g, '_').slice(0, 100)}.json`);

const textIn = (value: Readonly<Record<string, unknown>>, name: string): string => (typeof value[name] === 'string' ? value[name] : '');

/** Keeps the words behind a command, as the client's hook tells them before it expands the command: they never pass through a shell. */
export function keepTypedWords(state: string, input: string): void {
  const event: unknown = JSON.parse(input);
  if (!isObject(event) || textIn(event, 'session_id') === '') return;
  const file = fileOf(state, textIn(event, 'session_id'));
  mkdirSync(join(state, 'typed'), { recursive: true, mode: 0o700 });
  const [command, words] = [textIn(event, 'command_name').replace(/^.*:/, ''), textIn(event, 'command_args')];
  writeFileSync(file, JSON.stringify({ command, words }), { mode: 0o600 });
}

/** Takes the words of this session's command; undefined if no hook told of them. */
export function takeTypedWords(state: string, session: string | undefined, command: string, now: number): string | undefined {
  if (session === undefined) return undefined;
  const file = fileOf(state, session);
  try {
    const age = now - statSync(file).mtimeMs;
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
    rmSync(file);
    return isObject(stored) && textIn(stored, 'command') === command && age < FRESH_MS ? textIn(stored, 'words') : undefined;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  }
}
