import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import type { Cli, OpenMemory, Paint, Settings } from '../../edges/cli/command.ts';
import type { GlobalOptions } from '../../edges/cli/main.ts';
import { configFiles } from '../../adapters/files/config-files.ts';
import type { ConfigFiles } from '../../core/config/ports.ts';
import { Refused } from '../../core/failure.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { homeFolder } from './home.ts';
import { placesIn } from './places.ts';
import { knownProjects, openProject, openUser, type ProjectMemory } from './project.ts';

declare const HOLDFAST_VERSION: string;

const INPUT_LIMIT = 64 * 1024 * 1024;

export interface CliHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly closers: (() => void)[];
}

/** The outside of the command line: real files, the real clock, the real terminal. */
export function connectCli(host: CliHost, options: GlobalOptions, paint: Paint): Cli {
  const now = Date.now;
  const home = (): string => homeFolder({ option: options.home, env: host.env });
  const crosses = options.project === 'all';
  let opened: ProjectMemory | undefined;

  const project = (word = crosses ? undefined : options.project): ProjectMemory => {
    const result = openProject({ home: home(), cwd: host.cwd, word, now });
    if (!result.ok) throw new Refused(result.error);
    host.closers.push(() => result.value.close());
    return result.value;
  };
  const current = (): ProjectMemory => (opened ??= project());

  return {
    paint,
    cwd: host.cwd,
    crossesProjects: crosses,
    version: typeof HOLDFAST_VERSION === 'string' ? HOLDFAST_VERSION : '0.0.0',
    now,
    open: async (which = 'project') => {
      if (which === 'project') return openMemory(current(), home());
      const user = openUser(home(), now);
      host.closers.push(() => user.close());
      return { memory: user.memory };
    },
    openAll: async () => knownProjects(home()).map((key) => openMemory(project(key), home())),
    readInput,
    edit: (name, text) => editText(host.env, name, text),
    settings: settingsOver(() => (crosses ? configFiles({ user: placesIn(home()).settings }) : current().config)),
  };
}

const openMemory = ({ memory, project }: ProjectMemory, home: string): OpenMemory => ({
  memory,
  project: { key: project.key, hash: project.hash, path: project.path, privateRoot: project.privateRoot, home, ...(project.sharedRoot !== undefined && { sharedRoot: project.sharedRoot }) },
});

async function readInput(file: string): Promise<Result<string>> {
  if (file === '-') return ok(await readStandardInput());
  try {
    const stat = fs.statSync(file);
    if (!stat.isFile()) return refuse('INPUT_ERROR', `${file} is not a file`);
    if (stat.size > INPUT_LIMIT) return refuse('INPUT_ERROR', `${file} is larger than ${INPUT_LIMIT / 1024 / 1024} MB`);
    return ok(fs.readFileSync(file, 'utf8'));
  } catch (cause) {
    return refuse('INPUT_ERROR', `cannot read ${file}: ${(cause as Error).message}`, { hint: 'check the path; - reads standard input' });
  }
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Lets the user change a text in their own editor; the file stays when something goes wrong afterwards. */
async function editText(env: CliHost['env'], name: string, text: string): Promise<Result<{ readonly text: string; readonly keptAt: string } | undefined>> {
  const editor = env['VISUAL'] || env['EDITOR'] || (process.platform === 'win32' ? 'notepad' : 'vi');
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-edit-')), name);
  fs.writeFileSync(file, text, { mode: 0o600 });
  const [command = 'vi', ...args] = editor.split(/\s+/);
  const run = spawnSync(command, [...args, file], { stdio: 'inherit' });
  if (run.error || run.status !== 0) return refuse('USAGE_ERROR', `the editor ${JSON.stringify(editor)} ended with ${run.error?.message ?? run.status}`, { hint: 'set VISUAL or EDITOR; nothing was changed' });
  const changed = fs.readFileSync(file, 'utf8');
  if (changed !== text) return ok({ text: changed, keptAt: file });
  fs.rmSync(path.dirname(file), { recursive: true, force: true });
  return ok(undefined);
}

function settingsOver(files: () => ConfigFiles): Settings {
  return {
    list: async () => (await import('../../app/config/show.ts')).listConfig(files()).rows.map(({ key, value, source }) => ({ key, value, source })),
    get: async (key) => {
      const found = (await import('../../app/config/show.ts')).getConfig(files(), key);
      return found.ok ? ok({ value: found.value.value, source: found.value.source, about: found.value.about, takes: found.value.takes }) : found;
    },
    set: async (key, value, level) => {
      const set = (await import('../../app/config/change.ts')).setConfig(files(), { key, value, level });
      return set.ok ? ok({ value: set.value.now.value, file: set.value.place }) : set;
    },
    unset: async (key, level) => {
      const unset = (await import('../../app/config/change.ts')).unsetConfig(files(), { key, level });
      return unset.ok ? ok({ value: unset.value.now.value, file: unset.value.place }) : unset;
    },
    warnings: async () => (await import('../../app/config/show.ts')).listConfig(files()).warnings.map(({ key, level, message }) => `${level} setting ${key}: ${message}`),
  };
}
