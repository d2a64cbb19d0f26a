import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { realPath } from '../../adapters/files/containment.ts';
import { EPISODES_FILE, INJECTIONS_FILE, placesIn, VECTORS_FILE } from '../../adapters/files/home-layout.ts';
import { findHashFolder } from '../../adapters/files/layer-folder.ts';
import { runIfUnlocked } from '../../adapters/files/lock.ts';
import { ownText } from '../../adapters/files/outside/own.ts';
import { fingerprintOf, FolderWatch } from '../../adapters/files/watch.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import { conversationLookups } from '../../adapters/sqlite/episodes/conversation-lookups.ts';
import { SqliteInjectionLog } from '../../adapters/sqlite/injections.ts';
import { FILE_BYTES } from '../../core/limits.ts';
import type { SessionMachine } from '../../core/ports/machine.ts';
import { hookMachineAt, type HookMachineRequest } from './hook-machine.ts';
import { machineAt } from './machine.ts';

/** The machine for answering the events of a client's sessions. */
export function sessionMachineAt(request: HookMachineRequest): SessionMachine {
  const { home } = request;
  const places = placesIn(home);
  return {
    ...machineAt(request),
    ...hookMachineAt(request),
    openInjections: (key) => new SqliteInjectionLog(join(places.state(key), INJECTIONS_FILE)),
    ...conversationLookups((key) => join(places.state(key), EPISODES_FILE)),
    hashFolder: (hash) => findHashFolder(home, hash),
    ownText: (folder, name) => (existsSync(join(folder, name)) ? ownText(join(folder, name), FILE_BYTES.memory) : undefined),
    fingerprint: fingerprintOf,
    watch: (changed) => new FolderWatch(changed),
    realPath,
    lastLines: async (transcript) => (await import('../../adapters/episodes/lines.ts')).linesAtEnd(transcript),
    runIfUnlocked: (key, name, work) => runIfUnlocked(join(places.state(key), `${name}.lock`), openDatabase, work),
    hasVectors: (state) => existsSync(join(state, VECTORS_FILE)),
    removeOldState: async (key) => (await import('../../adapters/files/leftovers.ts')).removeOldState(home, places.state(key)),
  };
}
