import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished, vi } from 'vitest';
import { finishing } from '../../finishing.ts';
import { scratch } from '../../scratch.ts';
import { PROGRAM } from '../cli/program.ts';
import { PATIENCE } from '../../patience.ts';

export const PLUGIN = path.join(path.dirname(PROGRAM), 'plugin', 'claude-code');

export interface Place {
  readonly home: string;
  readonly project: string;
  readonly privateRoot: string;
}

/** A home and a project on real files; memory is on unless the settings say otherwise. */
export function place(config: object | undefined = { on: true }): Place {
  const folder = scratch();
  const [home, project] = [path.join(folder, 'home'), path.join(folder, 'shop')];
  const privateRoot = path.join(home, 'projects', 'shop');
  fs.mkdirSync(project, { recursive: true });
  fs.mkdirSync(privateRoot, { recursive: true });
  if (config) fs.writeFileSync(path.join(privateRoot, 'memory-config.json'), JSON.stringify(config));
  return { home, project, privateRoot };
}

export const environment = ({ home }: Pick<Place, 'home'>, more: Readonly<Record<string, string>> = {}) => ({
  PATH: process.env['PATH'] ?? '',
  TZ: 'UTC',
  HOLDFAST_HOME: home,
  ...more,
});

export interface Talk {
  readonly child: ChildProcess;
  /** Sends a line as it is. */
  send(line: string): void;
  /** The next line of the server. */
  next(): Promise<Record<string, unknown>>;
  ask(method: string, params?: object): Promise<Record<string, unknown>>;
  /** The text that a tool answers. */
  call(name: string, args?: object): Promise<{ readonly text: string; readonly isError: boolean }>;
  /** The output that the client's hook would read. */
  hook(event: string, input?: object): Promise<string>;
  /** The user types a prompt. */
  says(prompt: string, more?: object): Promise<string>;
  readonly ended: Promise<number | null>;
}

export interface Circumstances {
  /** The words to put before the command line. */
  readonly under?: readonly string[];
  /** Takes what the server says on standard error. */
  readonly complaint?: (text: string) => void;
  /** As which client it introduces itself before the first hook. */
  readonly client?: string;
}

/** A conversation with the real server process. */
export function talkTo(
  { home, project }: Place,
  more: Readonly<Record<string, string>> = {},
  { under = [], complaint, client = 'claude-code' }: Circumstances = {},
): Talk {
  const [command, ...words] = [...under, process.execPath, path.join(PLUGIN, 'dist', 'mcp.js')];
  const child = spawn(command, words, { cwd: project, env: environment({ home }, more), stdio: ['pipe', 'pipe', complaint ? 'pipe' : 'inherit'] });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => complaint?.(text));
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  onTestFinished(async () => {
    child.stdin?.end();
    child.kill('SIGKILL');
    await ended;
  });
  const waiting: ((line: string) => void)[] = [];
  const early: string[] = [];
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    const taker = waiting.shift();
    if (taker) taker(line);
    else early.push(line);
  });
  const next = async (): Promise<Record<string, unknown>> => {
    const line = early.shift() ?? (await new Promise<string>((resolve) => waiting.push(resolve)));
    return JSON.parse(line) as Record<string, unknown>;
  };
  let id = 0;
  const send = (line: string): void => void child.stdin?.write(`${line}\n`);
  const ask = async (method: string, params: object = {}): Promise<Record<string, unknown>> => {
    send(JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }));
    return next();
  };
  const call: Talk['call'] = async (name, args = {}) => {
    const { result } = (await ask('tools/call', { name, arguments: args })) as { result: { content: { text: string }[]; isError?: boolean } };
    return { text: result.content[0]?.text ?? '', isError: result.isError === true };
  };
  let isKnown = false;
  // An empty object is how a hook tool says nothing.
  const hook: Talk['hook'] = async (event, input = {}) => {
    if (!isKnown) await ask('initialize', { protocolVersion: '2025-11-25', clientInfo: { name: client } });
    isKnown = true;
    return (await call('client_event', { event, session_id: 's-1', cwd: project, ...input })).text.replace(/^\{\}$/, '');
  };
  const says: Talk['says'] = (prompt, given = {}) => hook('UserPromptSubmit', { prompt, ...given });
  return { child, send, next, ask, call, hook, says, ended };
}

/** The same, once the process that looks back on earlier sessions is done: nothing else is at the memory then. */
export async function talkInPeace(there: Place): Promise<Talk> {
  const talk = talkTo(there);
  const seen = path.join(there.home, 'holdfast', 'hooks', 'claude-code.finish.seen');
  await vi.waitFor(() => fs.statSync(seen), PATIENCE);
  await vi.waitUntil(() => finishing(there.home) === 0, PATIENCE);
  return talk;
}

/** The context that a hook gave the agent. */
export const contextIn = (said: string): string =>
  said === '' ? '' : (((JSON.parse(said) as { hookSpecificOutput?: { additionalContext?: string } }).hookSpecificOutput ?? {}).additionalContext ?? '');

/** The state that hooks stored for a session. */
export const noteOf = ({ home }: Place, session: string): Record<string, unknown> =>
  JSON.parse(fs.readFileSync(path.join(home, 'holdfast', 'projects', 'shop', 'sessions', `${session}.json`), 'utf8')) as Record<string, unknown>;
