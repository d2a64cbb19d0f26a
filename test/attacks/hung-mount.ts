import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Mounts a FUSE file system that no program answers: reading it waits forever. Needs a namespace of its own and /dev/fuse. */
const mountOver = (folder: string): string => `exec 9<>/dev/fuse && mount -i -t fuse hung ${folder} -o fd=9,rootmode=40000,user_id=0,group_id=0`;

const NAMESPACE = ['unshare', '--user', '--map-root-user', '--mount'] as const;

/** The words to put before a command line so that `folder` hangs for that command only. */
export const withHung = (folder: string): readonly string[] => [...NAMESPACE, 'sh', '-c', `${mountOver(folder)} && "$@"`, 'sh'];

/** The same, but the folder hangs only once a file named `trigger` exists. */
export const withHungLater = (folder: string, trigger: string): readonly string[] => [
  ...NAMESPACE,
  'sh',
  '-c',
  `(while [ ! -e ${trigger} ]; do sleep 0.05; done; ${mountOver(folder)} && echo done > ${trigger}.done; sleep 100 9<&9) >/dev/null 2>&1 & "$@"; kill $!`,
  'sh',
];

/** Why nothing can be made to hang on this machine; undefined if it can. */
function whyNoHungMounts(): string | undefined {
  if (process.platform !== 'linux') return 'mounts hang only on Linux in this test';
  const folder = mkdtempSync(path.join(os.tmpdir(), 'holdfast-hung-'));
  const [command = '', ...words] = withHung(folder);
  const { status, stderr } = spawnSync(command, [...words, 'true'], { encoding: 'utf8', timeout: 10_000 });
  rmdirSync(folder);
  return status === 0 ? undefined : `this machine mounts no FUSE file system in a namespace: ${stderr}`;
}

export const NO_HUNG_MOUNTS = whyNoHungMounts();

export const touch = (file: string): void => writeFileSync(file, '');
