import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import { Failure } from '../../core/failure.ts';
import { utcSeconds } from '../../core/instant.ts';
import { FILE_BYTES, FILES_LOOKED_AT } from '../../core/limits.ts';
import type { Clock } from '../../core/ports/host.ts';
import type { FileChange, FileState, JournalEntry, FileRef, RootName, SkippedFile, Store, StoredFile, WriteSession } from '../../core/ports/store.ts';
import { isSkillPath } from '../../core/record/skill-place.ts';
import { ok, type Result } from '../../core/result.ts';
import { contain } from './containment.ts';
import { ioFailure, makeFolder, removeFile, replaceFile } from './durable.ts';
import { Erasure } from './erasure.ts';
import { FileJournal, VersionFolder } from './journal.ts';
import { WriteLock, type LockDatabase } from './lock.ts';
import { readRegularBytes, readRegularText, skippedIn, type ReadText, statIfExists, undefinedIfMissing } from './regular-file.ts';

export interface FileStoreOptions {
  readonly roots: Readonly<Partial<Record<RootName, string>>>;
  /** The folder of the journal, the earlier versions and the lock, outside every root. */
  readonly state: string;
  readonly md5: (bytes: Buffer) => string;
  readonly now: Clock;
  readonly openDatabase: (file: string) => LockDatabase;
  /** How long to wait for another writer. */
  readonly lockMs?: number;
  /** Runs once before anything is written: a memory that is only read leaves no trace. */
  readonly beforeFirstWrite?: () => Promise<void>;
}

/** One name a root, so that a crash leaves at most one stray file and the next write clears it. */
const TEMPORARY = '.holdfast.tmp';

/** Roots that lie in the user's repository, where others may have to read. */
const isCheckout = (root: RootName): boolean => root === 'shared' || root === 'folder' || root === 'skills';

/** Files from a clone are read within narrow limits; views of the user's own memory grow with it. */
const OWN_BYTES = 64 * 1024 * 1024;
const limitOf = (root: RootName): number => (isCheckout(root) ? FILE_BYTES.memory : OWN_BYTES);

/** A memory as plain files under its roots. */
export class FileStore implements Store {
  readonly roots: readonly RootName[];
  readonly hasSkills: boolean;
  readonly journal: FileJournal;
  readonly #options: FileStoreOptions;
  readonly #versions: VersionFolder;
  readonly #lock: WriteLock;
  readonly #erasure: Erasure;
  #prepared: Promise<void> | undefined;

  constructor(options: FileStoreOptions) {
    this.#options = options;
    this.roots = (Object.keys(options.roots) as RootName[]).filter((root) => root !== 'skills');
    this.hasSkills = options.roots.skills !== undefined;
    this.journal = new FileJournal(join(options.state, 'journal'));
    this.#versions = new VersionFolder(join(options.state, 'versions'));
    this.#erasure = new Erasure({ state: options.state, journal: this.journal, versions: this.#versions, absolute: (place) => this.absolute(place) });
    this.#lock = new WriteLock(join(options.state, 'lock.db'), options.openDatabase, options.lockMs);
  }

  absolute({ root, path: relative }: FileRef): string {
    if (root === 'skills' && !(this.hasSkills && isSkillPath(relative)))
      throw new Failure('IO_ERROR', `${JSON.stringify(relative)} is not the path of a skill in this project's folder`);
    return sep === '/' ? this.#joined(root, relative) : join(this.#folder(root), ...relative.split('/'));
  }

  async read({ root, path }: FileRef): Promise<StoredFile | undefined> {
    const file = this.#readText({ root, path });
    if (!file) return undefined;
    const { md5 } = this.#options;
    const { text, mtimeMs, size, bytes } = file;
    let hash: string | undefined;
    return {
      root,
      path,
      mtimeMs,
      size,
      text,
      // On demand: readers need not load Node's crypto.
      get hash() {
        return (hash ??= md5(bytes ?? Buffer.from(text)));
      },
    };
  }

  async stat(place: FileRef): Promise<FileState | undefined> {
    const stats = statIfExists(this.#joined(place.root, place.path));
    return stats && { mtimeMs: stats.mtimeMs, size: stats.size };
  }

  async changed<F extends FileRef & FileState>(files: readonly F[]): Promise<readonly F[]> {
    return files.filter(({ root, path, mtimeMs, size }) => {
      const state = statIfExists(this.#joined(root, path));
      return state?.mtimeMs !== mtimeMs || state.size !== size;
    });
  }

  async list(root: RootName, folder: string): Promise<readonly string[]> {
    try {
      const absolute = this.absolute({ root, path: folder });
      // A clone may carry links, which can lead anywhere: neither linked folders nor linked files belong to the memory.
      if (folder !== '' && this.#linkIn({ root, path: `${folder}/` }) !== undefined) return [];
      const names = readdirSync(absolute, { withFileTypes: true })
        .filter((entry) => !entry.isSymbolicLink())
        .map(({ name }) => name)
        .toSorted();
      return isCheckout(root) ? names.slice(0, FILES_LOOKED_AT) : names;
    } catch (cause) {
      if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return [];
      throw ioFailure(cause, `cannot list ${folder}`);
    }
  }

  async skipped(root: RootName, folder: string): Promise<readonly SkippedFile[]> {
    try {
      if (folder !== '' && this.#linkIn({ root, path: `${folder}/` }) !== undefined) return [{ name: '', why: 'it is a symbolic link' }];
      return skippedIn(this.absolute({ root, path: folder }), !isCheckout(root), limitOf(root));
    } catch (cause) {
      if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return [];
      throw ioFailure(cause, `cannot list ${folder}`);
    }
  }

  async locate(root: RootName, target: string, known?: 'free'): Promise<Result<FileRef>> {
    const contained = contain(this.#folder(root), target, known === 'free');
    return contained.ok ? ok({ root, path: contained.value }) : contained;
  }

  async version(hash: string): Promise<string | undefined> {
    return this.#versions.read(hash)?.toString('utf8');
  }

  async forget(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) this.#versions.drop(hash);
  }

  pendingErasures(): readonly FileRef[] {
    return this.#erasure.pending();
  }

  async write<T>(actor: string, work: (session: WriteSession) => Promise<T>): Promise<T> {
    await (this.#prepared ??= this.#options.beforeFirstWrite?.() ?? Promise.resolve());
    return this.#lock.hold(async () => {
      this.#clearStrayFiles();
      return work(this.#session(actor));
    });
  }

  async hasStrayFiles(): Promise<boolean> {
    return this.roots.some((root) => existsSync(this.#temporary({ root, path: '' })));
  }

  close(): void {
    this.#lock.close();
  }

  #session(actor: string): WriteSession {
    let seq = this.journal.nextSeq();
    let group: string | undefined;
    const position = (): Pick<JournalEntry, 'seq' | 'at'> => ({ seq: seq++, at: utcSeconds(this.#options.now()) });
    return {
      apply: async (change) => {
        const { seq: number, at } = position();
        group ??= String(number);
        return this.#apply(change, { seq: number, at, group, actor });
      },
      adopt: async ({ root, path: relative, hash }, before, copies) => {
        const { seq: number, at } = position();
        const entry: JournalEntry = {
          seq: number,
          at,
          group: String(number),
          actor: 'hand',
          op: 'adopt',
          root,
          path: relative,
          ...(before && { before }),
          after: hash,
        };
        this.journal.append(entry);
        const file = copies ? this.#readBytes({ root, path: relative }) : undefined;
        if (file && this.#options.md5(file.bytes) === hash) this.#versions.keepCopy(hash, file.bytes);
        return entry;
      },
      view: async (place, text) => this.#replaceDerived(place, text, false),
      state: async (place, text) => this.#replaceDerived(place, text, true),
      erase: async (places, hashes) => {
        for (const place of places) this.#refuseLink(place);
        this.#erasure.erase(places, hashes);
        // Tells indexes of other processes that something has changed.
        const { seq: number, at } = position();
        const [first] = places;
        if (first) this.journal.append({ seq: number, at, group: String(number), actor, op: 'forget', root: first.root, path: '.forgotten' });
      },
      pending: async (places) => this.#erasure.addPending(places),
      erased: async () => this.#erasure.clearPending(),
      folder: async (root, folder) => {
        this.#refuseLink({ root, path: `${folder}/.` });
        makeFolder(this.absolute({ root, path: folder }), isCheckout(root));
      },
    };
  }

  #apply(change: FileChange, position: Pick<JournalEntry, 'seq' | 'group' | 'actor' | 'at'>): JournalEntry {
    const { text: newText, copyOf, ...facts } = change;
    const original = copyOf && this.#original(copyOf);
    const text = original?.bytes ?? newText;
    this.#refuseLink(change);
    const old = this.#readBytes(change);
    const before = old && this.#options.md5(old.bytes);
    if (old && before) this.#versions.keep(before, old.bytes);
    if (text === undefined) removeFile(this.absolute(change), change.root === 'skills');
    else
      replaceFile(this.absolute(change), text, this.#temporary(change), true, {
        mtimeMs: original?.state.mtimeMs,
        inCheckout: isCheckout(change.root),
      });
    const after = text === undefined ? undefined : this.#options.md5(Buffer.from(text));
    const entry: JournalEntry = { ...position, ...facts, ...(before && { before }), ...(after && { after }) };
    try {
      this.journal.append(entry);
    } catch (cause) {
      // A write that could not be journalled is undone.
      if (old) replaceFile(this.absolute(change), old.bytes, this.#temporary(change), true, { inCheckout: isCheckout(change.root) });
      else removeFile(this.absolute(change));
      throw cause;
    }
    if (after !== undefined && text !== undefined) this.#versions.keepCopy(after, Buffer.from(text));
    return entry;
  }

  #original(place: FileRef): { bytes: Buffer; state: FileState } {
    const file = this.#readBytes(place);
    if (!file) throw new Failure('IO_ERROR', `cannot copy ${this.absolute(place)}: it does not exist`);
    return file;
  }

  #replaceDerived(place: FileRef, text: string, durable: boolean): void {
    this.#refuseLink(place);
    const old = this.#readBytes(place);
    if (old?.bytes.equals(Buffer.from(text))) return;
    replaceFile(this.absolute(place), text, this.#temporary(place), durable);
  }

  #readText(place: FileRef): ReadText | undefined {
    const file = this.absolute(place);
    try {
      return this.#linkIn(place) === undefined ? readRegularText(file, limitOf(place.root)) : undefined;
    } catch (cause) {
      return undefinedIfMissing(cause, file);
    }
  }

  #readBytes(place: FileRef): { bytes: Buffer; state: FileState } | undefined {
    const file = this.absolute(place);
    try {
      return this.#linkIn(place) === undefined ? readRegularBytes(file) : undefined;
    } catch (cause) {
      return undefinedIfMissing(cause, file);
    }
  }

  /** The first folder on the way to a file, below its root, that is a link. */
  #linkIn({ root, path }: FileRef): string | undefined {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const folder = this.#joined(root, path.slice(0, slash));
      if (statIfExists(folder)?.isSymbolicLink() === true) return folder;
    }
    return undefined;
  }

  #refuseLink(place: FileRef): void {
    const link = this.#linkIn(place);
    if (link !== undefined) throw new Failure('IO_ERROR', `${link} is a symbolic link`, { hint: 'put a real folder there: nothing is written through links' });
  }

  #clearStrayFiles(): void {
    for (const root of this.roots) rmSync(this.#temporary({ root, path: '' }), { force: true });
  }

  /** For a skill it lies beside the skill's file, so that nothing else of the checkout changes. */
  #temporary(place: FileRef): string {
    return place.root === 'skills' ? `${this.absolute(place)}${TEMPORARY}` : this.#joined(place.root, TEMPORARY);
  }

  /** Joined without `path.join`, which is slower: every search does this for hundreds of files. Every system accepts a forward slash. */
  #joined(root: RootName, path: string): string {
    return path === '' ? this.#folder(root) : `${this.#folder(root)}/${path}`;
  }

  #folder(root: RootName): string {
    const folder = this.#options.roots[root];
    if (folder === undefined) throw new Error(`this memory has no ${root} root`);
    return folder;
  }
}
