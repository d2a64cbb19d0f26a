import { resolve } from 'node:path';
import type { Memory } from '../../app/memory/memory.ts';
import type { HookDesk } from '../../app/hooks/desk.ts';
import type { Injection } from '../../core/ports/injection-log.ts';
import type { Place, Store } from '../../core/ports/store.ts';

/** What a desk was asked for while an answer was made. */
export interface Trace {
  readonly paths: Set<string>;
  injection?: Injection;
}

/** A memory of so many files is looked at whole; of a larger one, what is shown and the folders. */
const FEW = 64;

function tracedStore(store: Store, { paths }: Trace): Store {
  const saw = (place: Place): void => {
    // The home is the client's: only the documents in it are the memory's, and they are watched by name.
    if (place.root !== 'home' || place.path !== '') paths.add(store.absolute(place));
  };
  return {
    roots: store.roots,
    journal: store.journal,
    read: (place) => {
      saw(place);
      return store.read(place);
    },
    stat: (place) => {
      saw(place);
      return store.stat(place);
    },
    changed: (files) => {
      if (files.length <= FEW) for (const file of files) saw(file);
      return store.changed(files);
    },
    list: (root, folder) => {
      saw({ root, path: folder });
      return store.list(root, folder);
    },
    locate: (root, target, known) => store.locate(root, target, known),
    absolute: (place) => store.absolute(place),
    version: (hash) => store.version(hash),
    write: (actor, work) => store.write(actor, work),
    hasStrayFiles: () => store.hasStrayFiles(),
    forget: (hashes) => store.forget(hashes),
  };
}

const tracedMemory = (memory: Memory, trace: Trace, sawFile: (path: string) => void): Memory => ({
  ...memory,
  store: tracedStore(memory.store, trace),
  projectFileExists: (path) => {
    sawFile(path);
    return memory.projectFileExists(path);
  },
  evidenceOf: (files) => {
    for (const path of files) sawFile(path);
    return memory.evidenceOf(files);
  },
});

/** The same desk, with a note of every file that it looks at: what the answer has to be made anew for. Nothing is said to anybody yet, so nothing is in the log. */
export function tracedDesk(desk: HookDesk, worktree: string, trace: Trace): HookDesk {
  const { memory, bearings } = desk;
  const sawFile = (path: string): void => void trace.paths.add(resolve(worktree, path));
  const { log, user } = bearings;
  return {
    ...desk,
    memory: tracedMemory(memory, trace, sawFile),
    bearings: {
      ...bearings,
      ...(user && { user: tracedMemory(user, trace, sawFile) }),
      changedAt: (path) => {
        sawFile(path);
        return bearings.changedAt(path);
      },
      log: {
        note: (injection) => {
          trace.injection = injection;
        },
        shown: (session) => log.shown(session),
        spent: (session) => log.spent(session),
        injections: (session, limit) => log.injections(session, limit),
        say: (feedback) => log.say(feedback),
        verdicts: (ids) => log.verdicts(ids),
        feedbackOf: (ids) => log.feedbackOf(ids),
      },
    },
  };
}
