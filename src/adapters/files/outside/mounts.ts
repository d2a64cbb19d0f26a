import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { Failure } from '../../../core/failure.ts';
import { ANSWER_MS } from '../../../core/limits.ts';

/** File systems served by another machine or by a program, which may not answer. */
const REMOTE = /^(?:nfs|cifs|smb|fuse|9p|virtiofs|autofs|ceph|afs|lustre|gluster|beegfs|coda|ncp|vboxsf|vmhgfs|prl_fs|davfs|drvfs)/;

/** Monotonic milliseconds. The global `performance` would load a dozen modules of Node, and a hook would wait for them. */
export const elapsedMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** How long to reuse the list of mounts and an answer, and how long to wait before asking a hung mount again. */
const CACHE_MS = 1_000;
const HUNG_MS = 10_000;
const MOST_LINKS = 40;

interface Cached<T> {
  readonly value: T;
  readonly until: number;
}

/** Mount points of remote file systems; below an automatic one, every folder is a mount of its own. */
type RemoteMounts = ReadonlyMap<string, 'mount' | 'automatic'>;

let cachedMounts: Cached<RemoteMounts> | undefined;
const answers = new Map<string, Cached<boolean>>();

const unescaped = (point: string): string => point.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCodePoint(Number.parseInt(octal, 8)));

/** The remote mounts of a /proc/self/mountinfo. The root is never one of them: if it hangs, no program runs. */
export function remoteMounts(mountinfo: string): RemoteMounts {
  const points = new Map<string, 'mount' | 'automatic'>();
  for (const line of mountinfo.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const point = unescaped(before.split(' ')[4] ?? '');
    if (point !== '/' && REMOTE.test(after)) points.set(point, after.startsWith('autofs') ? 'automatic' : 'mount');
  }
  return points;
}

function currentMounts(): RemoteMounts {
  const now = elapsedMs();
  if (cachedMounts && now < cachedMounts.until) return cachedMounts.value;
  let value: RemoteMounts = new Map();
  try {
    if (process.platform === 'linux') value = remoteMounts(readFileSync('/proc/self/mountinfo', 'utf8'));
  } catch {
    // Without the list every folder counts as local, as on other systems.
    value = new Map();
  }
  cachedMounts = { value, until: now + CACHE_MS };
  return value;
}

/** Checks in another process, because a system call that hangs cannot be interrupted. */
function folderAnswers(folder: string): boolean {
  const cached = answers.get(folder);
  if (cached && elapsedMs() < cached.until) return cached.value;
  const { error }: { readonly error?: NodeJS.ErrnoException } = process
    .getBuiltinModule('node:child_process')
    .spawnSync('find', [folder, '-maxdepth', '0', '-empty'], { cwd: '/', stdio: 'ignore', timeout: ANSWER_MS, killSignal: 'SIGKILL' });
  const value = error?.code !== 'ETIMEDOUT';
  answers.set(folder, { value, until: elapsedMs() + (value ? CACHE_MS : HUNG_MS) });
  return value;
}

/** Whether every mount on the way to a path answers. Links are followed one by one, so that none leads into a mount that hangs. */
export function isAnswering(path: string): boolean {
  const mounts = currentMounts();
  if (mounts.size === 0) return true;
  let remaining = resolve(path).split(sep).slice(1);
  let current: string = sep;
  for (let links = 0; remaining.length > 0 && links < MOST_LINKS;) {
    const [name = '', ...rest] = remaining;
    const next = join(current, name);
    const mount = mounts.get(next);
    if (mount !== undefined && !folderAnswers(mount === 'automatic' ? join(next, rest[0] ?? '') : next)) return false;
    const stats = lstatSync(next, { throwIfNoEntry: false });
    if (!stats) return true;
    const target = stats.isSymbolicLink() ? resolve(dirname(next), readlinkSync(next)) : undefined;
    remaining = target === undefined ? rest : [...target.split(sep).slice(1), ...rest];
    current = target === undefined ? next : sep;
    links += target === undefined ? 0 : 1;
  }
  return true;
}

/** Fails where waiting for a folder could take forever. */
export function requireAnswer(folder: string): void {
  if (isAnswering(folder)) return;
  throw new Failure('READ_ERROR', `The file system of ${folder} does not answer.`, { hint: 'try again when it is mounted and its server runs' });
}
