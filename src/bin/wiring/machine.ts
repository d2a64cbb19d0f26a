import { placesIn } from '../../adapters/files/home-layout.ts';
import { findOutside } from '../../adapters/files/outside/path.ts';
import { FileStore } from '../../adapters/files/store.ts';
import { checkoutAt } from '../../adapters/git/checkout.ts';
import { md5 } from '../../adapters/process/environment.ts';
import { timers } from '../../adapters/process/running.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import { openIndex } from '../../adapters/sqlite/open-index.ts';
import type { Clock } from '../../core/ports/host.ts';
import type { Machine } from '../../core/ports/machine.ts';
import { foldersIn } from './folders.ts';

declare const HOLDFAST_VERSION: string;
export const VERSION = typeof HOLDFAST_VERSION === 'string' ? HOLDFAST_VERSION : '0.0.0';

export interface MachineRequest {
  readonly home: string;
  readonly now?: Clock | undefined;
}

/** The real files, databases, git and clock under one home. */
export const machineAt = ({ home, now = Date.now }: MachineRequest): Machine => ({
  home,
  now,
  md5,
  timers,
  places: placesIn(home),
  folders: foldersIn(home),
  checkout: (worktree) => checkoutAt(worktree, (path) => findOutside(worktree, path).ok),
  openStore: (parts) => new FileStore({ ...parts, now, md5, openDatabase }),
  openIndex,
  injectionFiles: async () => import('../../adapters/sqlite/injections.ts'),
  sweep: async () => (await import('./episodes.ts')).openSweep(home),
});
