import { copyFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseRegistry, serializeRegistry, type Registry } from '../../core/project/registry.ts';
import { ioFailure, replaceFile } from './durable.ts';
import { WriteLock, type LockDatabase } from './lock.ts';

/** The list of projects that were seen on this machine. */
export class RegistryFile {
  readonly #file: string;
  readonly #openDatabase: (file: string) => LockDatabase;

  constructor(file: string, openDatabase: (file: string) => LockDatabase) {
    this.#file = file;
    this.#openDatabase = openDatabase;
  }

  read(): Registry {
    return parseRegistry(this.#text()).registry;
  }

  /** Changes the list with the lock held, so that two projects seen at once are both remembered. */
  async update(change: (registry: Registry) => Registry): Promise<void> {
    const lock = new WriteLock(`${this.#file}.lock`, this.#openDatabase);
    try {
      await lock.hold(async () => {
        const { registry, problems } = parseRegistry(this.#text());
        if (problems.length > 0) copyFileSync(this.#file, `${this.#file}.damaged`);
        replaceFile(this.#file, serializeRegistry(change(registry)), join(dirname(this.#file), '.registry.tmp'), true);
      });
    } finally {
      lock.close();
    }
  }

  #text(): string | undefined {
    try {
      return readFileSync(this.#file, 'utf8');
    } catch (cause) {
      if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw ioFailure(cause, `cannot read ${this.#file}`);
    }
  }
}
