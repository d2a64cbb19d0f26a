import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { scratch } from '../../scratch.ts';
import { programAt, type Program } from './program.ts';

/** A file system of a few kilobytes in a mount namespace of its own, so that it is gone with the process that holds it. */
export interface SmallDisk {
  /** The program with its home and project on the small disk. */
  readonly program: Program;
  /** The words to put before a command line so that it sees the small disk. */
  readonly under: readonly string[];
  /** Where this process sees the small disk. */
  readonly seen: string;
  readOnly(): void;
}

/** Fills a disk to the last block, so that nothing more can be written. */
export function fill(seen: string): void {
  const filler = fs.openSync(path.join(seen, 'filler'), 'w');
  for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (;;) fs.writeSync(filler, Buffer.alloc(size));
    } catch (cause) {
      expect(cause).toMatchObject({ code: 'ENOSPC' });
    }
  }
  fs.closeSync(filler);
}

const WAYS = [
  ['unshare', '--map-root-user', '--mount'],
  ['unshare', '--mount'],
] as const;

/** Starts the process that holds the mount; undefined when this machine does not allow it. */
function hold(way: readonly string[], folder: string, kilobytes: number): Promise<ChildProcess | undefined> {
  const script = 'mount -t tmpfs -o "size=$2k,mode=700" tmpfs "$1" && echo ready && exec cat';
  const [command, ...rest] = [...way, 'sh', '-c', script, 'sh', folder, String(kilobytes)];
  return new Promise((resolve) => {
    const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdout.once('data', () => resolve(child));
    child.once('error', () => resolve(undefined));
    child.once('exit', () => resolve(undefined));
  });
}

/** A small disk, or why there is none. */
export async function smallDisk(kilobytes: number): Promise<SmallDisk | string> {
  const folder = scratch();
  const [disk, project] = [path.join(folder, 'disk'), path.join(folder, 'webshop')];
  for (const made of [disk, project]) fs.mkdirSync(made);
  for (const way of WAYS) {
    const holder = await hold(way, disk, kilobytes);
    if (!holder?.pid) continue;
    onTestFinished(() => void holder.kill());
    const enter = ['nsenter', '--target', String(holder.pid), '--mount', ...(way.length === 3 ? ['--user', '--preserve-credentials'] : [])];
    const under = [...enter, 'sh', '-c', 'cd "$0" && exec "$@"', project];
    return {
      under,
      program: programAt(folder, path.join(disk, 'home'), project, { under }),
      seen: `/proc/${holder.pid}/root${disk}`,
      readOnly: () => void execFileSync(enter[0] ?? '', [...enter.slice(1), 'mount', '-o', 'remount,ro', disk]),
    };
  }
  return 'a file system of its own needs unshare and mount, which this machine does not allow';
}
