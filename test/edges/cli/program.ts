import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, expect } from 'vitest';
import { root } from '../../../scripts/bundle.js';
import { setJsonValue } from '../../../src/render/json/edit.ts';
import { scratch, temporaryFolder } from '../../scratch.ts';
import { runWarm, runWarmBeside, type WarmRequest } from './warm-program.ts';

export const PROGRAM = path.join(root, 'dist', 'cli.js');

export interface Answer {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Circumstances {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** The words to put before the command line, such as a shell that first sets a limit. */
  readonly under?: readonly string[];
}

/** Runs the built program in a process of its own. Nothing of this machine's settings reaches it. */
export function spawnProgram(argv: readonly string[], { cwd, env = {}, input = '', under = [] }: Circumstances): Answer {
  const [command = '', ...rest] = [...under, process.execPath, PROGRAM, ...argv];
  const { status, stdout, stderr, error } = spawnSync(command, rest, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', TZ: 'UTC', ...env },
    input,
    encoding: 'utf8',
    timeout: 100_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw error;
  return { code: status, out: stdout, err: stderr };
}

/** Commands that serve until they are ended or read their input as it comes, and variables that Node reads at its start. */
const NEEDS_PROCESS = { command: /^(?:hook|mcp|view|server)$/, variable: /^(?:NODE_|LANG|LC_|LD_)/ };

const needsProcess = (argv: readonly string[], { cwd = process.cwd(), env = {}, under = [] }: Circumstances): boolean =>
  under.length > 0 ||
  argv.some((word) => NEEDS_PROCESS.command.test(word)) ||
  Object.keys(env).some((name) => NEEDS_PROCESS.variable.test(name)) ||
  !fs.existsSync(cwd);

const warmRequest = (argv: readonly string[], { cwd = process.cwd(), env = {}, input = '' }: Circumstances): WarmRequest => ({
  argv,
  env: { PATH: process.env['PATH'] ?? '', TZ: 'UTC', ...env },
  cwd,
  input,
});

/** The same as `spawnProgram`, in a process that has run commands before wherever the command allows it: that takes a third of the time. */
export const runProgram = (argv: readonly string[], circumstances: Circumstances): Answer =>
  needsProcess(argv, circumstances) ? spawnProgram(argv, circumstances) : runWarm(warmRequest(argv, circumstances));

/** The same while this process goes on, for a command that asks a server in it. */
export async function runProgramBeside(argv: readonly string[], circumstances: Circumstances): Promise<Answer> {
  if (needsProcess(argv, circumstances)) throw new Error(`${argv.join(' ')} needs a process of its own`);
  return runWarmBeside(warmRequest(argv, circumstances));
}

/** The rows of a stream, or the one document: stdout holds JSON and nothing else. */
export const documentsOf = ({ out }: Answer): readonly Record<string, unknown>[] => {
  expect(out === '' || out.endsWith('\n')).toBe(true);
  return out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
};

export interface Refused {
  readonly ok: false;
  readonly error: string;
  readonly message: string;
  readonly hint: string;
  readonly fields?: readonly string[];
}

export interface Program {
  /** A folder of its own, with everything below in it. */
  readonly folder: string;
  readonly home: string;
  /** An empty folder named `webshop` that the program runs in. */
  readonly project: string;
  /** Where the project's records lie. */
  readonly records: string;
  run(...argv: string[]): Answer;
  runIn(circumstances: Circumstances, ...argv: string[]): Answer;
  /** With `--json`, for one document and exit code 0. */
  ask(...argv: string[]): Record<string, unknown>;
  askIn(circumstances: Circumstances, ...argv: string[]): Record<string, unknown>;
  /** With `--json`, for an error: its document, and the exit code that came with it. */
  refused(...argv: string[]): Refused & { readonly exit: number | null };
}

const documentOf = (answer: Answer): Record<string, unknown> => {
  const documents = documentsOf(answer);
  expect(documents).toHaveLength(1);
  return documents[0] ?? {};
};

/** The program over given folders, always under the same circumstances. */
export function programAt(folder: string, home: string, project: string, always: Circumstances = {}): Program {
  const runIn = (circumstances: Circumstances, ...argv: string[]): Answer =>
    runProgram(['--home', home, ...argv], {
      cwd: project,
      ...always,
      ...circumstances,
      env: { HOME: path.join(folder, 'no-such-home'), ...circumstances.env },
    });
  const askIn = (circumstances: Circumstances, ...argv: string[]): Record<string, unknown> => {
    const answer = runIn(circumstances, ...argv, '--json');
    expect(answer, argv.join(' ')).toMatchObject({ code: 0 });
    return documentOf(answer);
  };
  return {
    folder,
    home,
    project,
    records: path.join(home, 'projects', 'webshop'),
    runIn,
    askIn,
    run: (...argv) => runIn({}, ...argv),
    ask: (...argv) => askIn({}, ...argv),
    refused: (...argv) => {
      const answer = runIn({}, '--json', ...argv);
      const document = documentOf(answer);
      expect(document, answer.out).toMatchObject({
        ok: false,
        error: expect.stringMatching(/^[A-Z_]+$/),
        message: expect.stringMatching(/\S/),
        hint: expect.stringMatching(/\S/),
      });
      expect(answer.err).toBe('');
      return { ...(document as unknown as Refused), exit: answer.code };
    },
  };
}

function programIn(folder: string): Program {
  const [home, project] = [path.join(folder, 'home'), path.join(folder, 'webshop')];
  fs.mkdirSync(project);
  return programAt(folder, home, project);
}

/** The program in a scratch home and project. */
export const program = (): Program => programIn(scratch());

/** The same for all tests of a file; gone when they are done. */
export function lastingProgram(): Program {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(temporaryFolder(), 'holdfast-cli-')));
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
  return programIn(folder);
}

/** Sets what no script may: as a person does it, in the settings file. */
export function setByHand(home: string, settings: Readonly<Record<string, string>>): void {
  const file = path.join(home, 'settings.json');
  let text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
  for (const [key, value] of Object.entries(settings)) {
    const changed = setJsonValue(text, ['memory', ...key.split('.')], value);
    if (!changed.ok) throw new Error(changed.error.message);
    text = changed.value;
  }
  fs.mkdirSync(home, { recursive: true });
  fs.writeFileSync(file, text ?? '');
}

/** Writes a draft beside the project and returns its path. */
export function draftFile({ folder }: Program, name: string, draft: unknown): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, typeof draft === 'string' ? draft : JSON.stringify(draft));
  return file;
}

export const DECISION = {
  title: 'Use SQLite',
  tags: ['storage'],
  content: { status: 'accepted', context: 'One machine', decision: 'SQLite with FTS5', rationale: ['it needs no server'] },
};

/** Creates decisions/use-sqlite.md from a draft. */
export const createUseSqlite = (cli: Program): Record<string, unknown> =>
  cli.ask('write', '--action', 'create', '--category', 'decision', '--target', 'decisions/use-sqlite.md', '--input', draftFile(cli, 'draft.json', DECISION));
