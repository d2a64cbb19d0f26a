import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { isFile } from '../../adapters/episodes/find.ts';
import { placesIn } from '../../adapters/files/home-layout.ts';
import { HookLogFolder } from '../../adapters/files/hook-log.ts';
import { SessionNoteFiles } from '../../adapters/files/session-states.ts';
import { startBackground } from '../../adapters/process/background.ts';
import { md5 } from '../../adapters/process/environment.ts';
import { processes } from '../../adapters/process/running.ts';
import type { Clock, Environment } from '../../core/ports/host.ts';
import type { HookMachine } from '../../core/ports/machine.ts';
import { foldersIn } from './folders.ts';

export interface HookMachineRequest {
  readonly home: string;
  readonly env: Environment;
  readonly now?: Clock | undefined;
}

/** The machine for hooks; each of them loads it. */
export const hookMachineAt = ({ home, env, now = Date.now }: HookMachineRequest): HookMachine => ({
  home,
  now,
  folders: foldersIn(home),
  processes,
  hookLog: new HookLogFolder(placesIn(home)),
  sessionNotes: (key) => new SessionNoteFiles(join(placesIn(home).state(key), 'sessions'), md5),
  isFile,
  startBackground: (work, ended) => startBackground(home, work, env, ended),
  warn: (text) => void writeSync(2, text),
});
