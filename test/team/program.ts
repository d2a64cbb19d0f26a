import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

const CLI = path.resolve(import.meta.dirname, '../../dist/cli.js');

export interface ProgramResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly json: Record<string, unknown>;
}

const environment = (more: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', ...more });

/** Runs the built program to its end. */
export function holdfast(
  cwd: string,
  home: string,
  words: readonly string[],
  { input = '', env = {} }: { readonly input?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<ProgramResult> {
  const child = spawn(process.execPath, [CLI, ...words], { cwd, env: environment({ HOLDFAST_HOME: home, ...env }), stdio: 'pipe' });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdin.end(input);
  return new Promise((resolve) => {
    child.once('close', (code) =>
      resolve({ code, out, err, json: out.startsWith('{') ? (JSON.parse(out.split('\n')[0] ?? '') as Record<string, unknown>) : {} }),
    );
  });
}

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly url: string;
  readonly first: Record<string, unknown>;
  /** All that it has printed. */
  readonly lines: readonly string[];
  /** Ends with the process. */
  readonly ended: Promise<number | null>;
}

/** `holdfast server` as a process of its own, from the moment it listens. */
export async function startServer(folder: string, env: NodeJS.ProcessEnv, words: readonly string[] = [], program = CLI): Promise<ServerProcess> {
  fs.mkdirSync(folder, { recursive: true });
  const child = spawn(process.execPath, [program, 'server', '--port', '0', ...words], {
    cwd: folder,
    env: environment({ HOLDFAST_HOME: path.join(folder, 'server-home'), ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
  }, 60_000);
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const lines: string[] = [];
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout })
      .on('line', (text) => void lines.push(text))
      .once('line', resolve);
    void ended.then((code) => reject(new Error(`the server ended with ${code}: ${err}`)));
  });
  const first = JSON.parse(line) as Record<string, unknown>;
  return { child, url: String(first['listening']), first, lines, ended };
}
