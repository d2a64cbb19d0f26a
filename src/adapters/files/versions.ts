import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from './durable.ts';

/** Superseded texts by their hash: what `diff` shows and `undo` brings back. */
export class VersionFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  keep(hash: string, bytes: Buffer): void {
    const file = this.#file(hash);
    if (existsSync(file)) return;
    replaceFile(file, bytes, join(dirname(this.#folder), '.versions.tmp'), true);
  }

  read(hash: string): Buffer | undefined {
    if (!/^[0-9a-f]{32}$/.test(hash)) return undefined;
    const file = this.#file(hash);
    return existsSync(file) ? readFileSync(file) : undefined;
  }

  drop(hash: string): void {
    rmSync(this.#file(hash), { force: true });
  }

  #file(hash: string): string {
    return join(this.#folder, hash.slice(0, 2), hash);
  }
}
