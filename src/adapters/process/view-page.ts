import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from '../../core/failure.ts';
import type { Environment } from '../../core/ports/host.ts';
import { writeText } from './output.ts';
import { processes } from './running.ts';

interface RunningFile {
  readonly pid: number;
  readonly began: string;
  readonly port: number;
  readonly knock: string;
}

/** The built files of a web page, beside the program: `view` for the page of a home, `team` for that of a team. */
export function pageFiles(programs: string, page: 'view' | 'team'): { readonly script: string; readonly style: string } {
  try {
    return { script: readFileSync(join(programs, 'viewer', `${page}.js`), 'utf8'), style: readFileSync(join(programs, 'viewer', 'view.css'), 'utf8') };
  } catch (cause) {
    throw new Failure('READ_ERROR', 'The files of the web page are missing from this installation.', { hint: 'reinstall holdfast', cause });
  }
}

/** 32 random bytes that fit into a link and a header. */
const randomKey = (): string => randomBytes(32).toString('base64url');

/** The file with process and port of the home's one page. */
const pageFile = (file: string) => ({
  running: (): RunningFile | undefined => {
    try {
      const page = JSON.parse(readFileSync(file, 'utf8')) as RunningFile;
      return processes.isRunning({ pid: page.pid, began: page.began }) ? page : undefined;
    } catch {
      return undefined;
    }
  },
  claim(page: Omit<RunningFile, 'began'>): boolean {
    mkdirSync(dirname(file), { recursive: true });
    if (this.running() === undefined) rmSync(file, { force: true });
    try {
      writeFileSync(file, JSON.stringify({ ...page, began: processes.self.began }), { flag: 'wx', mode: 0o600 });
      return true;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw cause;
    }
  },
  release({ pid, port }: Pick<RunningFile, 'pid' | 'port'>): void {
    const page = this.running();
    if (page === undefined || (page.pid === pid && page.port === port)) rmSync(file, { force: true });
  },
});

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [command: string, words: readonly string[]]>>> = {
  darwin: ['open', []],
  win32: ['rundll32', ['url.dll,FileProtocolHandler']],
};

/** Opens a link in the user's browser; false without a desktop. */
function openBrowser(env: Environment, url: string): boolean {
  const isDesktop = process.platform in OPENERS || env['DISPLAY'] !== undefined || env['WAYLAND_DISPLAY'] !== undefined;
  if (!isDesktop) return false;
  const [command, words] = OPENERS[process.platform] ?? ['xdg-open', []];
  const child = spawn(command, [...words, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
  return true;
}

export interface PageProcess {
  /** Holdfast's own state under the home. */
  readonly state: string;
  /** The folder of the program's files. */
  readonly programs: string;
  readonly env: Environment;
}

/** The parts of this process that the web page uses: its files, the terminal, the browser, and the record of where it runs. */
export const pageProcess = ({ state, programs, env }: PageProcess) => ({
  ...pageFile(join(state, 'view.json')),
  readFiles: () => pageFiles(programs, 'view'),
  openBrowser: (url: string): boolean => openBrowser(env, url),
  randomKey,
  say: (line: string): void => writeText(1, `${line}\n`),
  warn: (line: string): void => writeText(2, `${line}\n`),
});
