import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalEntry, FileRef } from '../../core/ports/store.ts';
import { removeFile, replaceFile } from './durable.ts';
import type { FileJournal, VersionFolder } from './journal.ts';

export interface ErasureParts {
  readonly state: string;
  readonly journal: FileJournal;
  readonly versions: VersionFolder;
  readonly absolute: (place: FileRef) => string;
}

const keyOf = ({ root, path }: FileRef): string => `${root}:${path}`;
const FORGOTTEN_NAME = '.forgotten';

/** The journal keeps the folder and loses the file name, which is made from the title, as is the folder of a skill. */
const pathWithoutName = ({ root, path }: FileRef): string =>
  root === 'skills' ? FORGOTTEN_NAME : `${path.slice(0, path.lastIndexOf('/') + 1)}${FORGOTTEN_NAME}`;

const tombstone = ({ seq, at, group, actor, root, path, undoes }: JournalEntry): JournalEntry => ({
  seq,
  at,
  op: 'forget',
  group,
  actor,
  root,
  path: pathWithoutName({ root, path }),
  ...(undoes !== undefined && { undoes }),
});

/** Removes files without keeping a version. First writes a note of what to remove; it holds only paths, none of the text. */
export class Erasure {
  readonly #parts: ErasureParts;
  readonly #note: string;

  constructor(parts: ErasureParts) {
    this.#parts = parts;
    this.#note = join(parts.state, 'forgetting.json');
  }

  pending(): readonly FileRef[] {
    if (!existsSync(this.#note)) return [];
    try {
      const places: unknown = JSON.parse(readFileSync(this.#note, 'utf8'));
      return Array.isArray(places) ? (places as FileRef[]).filter(({ root, path }) => typeof root === 'string' && typeof path === 'string') : [];
    } catch (cause) {
      if (cause instanceof SyntaxError) return [];
      throw cause;
    }
  }

  addPending(places: readonly FileRef[]): void {
    const all = new Map([...this.pending(), ...places].map(({ root, path }) => [keyOf({ root, path }), { root, path }]));
    replaceFile(this.#note, JSON.stringify([...all.values()]), `${this.#note}.tmp`, true);
  }

  clearPending(): void {
    if (existsSync(this.#note)) removeFile(this.#note);
  }

  /** The file goes after its journal entries and before its versions: after an interruption, both still tell what to forget. */
  erase(places: readonly FileRef[], hashes: ReadonlySet<string>): void {
    const { journal, versions, absolute } = this.#parts;
    const erased = new Set(places.map(keyOf));
    journal.rewrite((entry) => (erased.has(keyOf(entry)) ? tombstone(entry) : entry));
    for (const place of places) rmSync(absolute(place), { force: true });
    for (const hash of hashes) versions.drop(hash);
  }
}
