import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dayOf, parseLedger, reserve, serializeLedger, settleHold, usedOn, type TokenLedger } from '../../core/budget/token-ledger.ts';
import type { TokenBudget, Reservation } from '../../core/ports/model.ts';
import type { Clock } from '../../core/ports/host.ts';
import { ok, type Result } from '../../core/result.ts';
import { ioFailure, replaceFile } from './durable.ts';
import { WriteLock, type LockDatabase } from './lock.ts';

export interface LedgerFileOptions {
  /** Lies in the home, because a budget is a user's and not a project's. */
  readonly file: string;
  readonly openDatabase: (file: string) => LockDatabase;
  readonly now: Clock;
  readonly newId: () => string;
}

/** The daily token budget in a small file: one line a day, changed with the lock held. */
export class LedgerFile implements TokenBudget {
  readonly #options: LedgerFileOptions;

  constructor(options: LedgerFileOptions) {
    this.#options = options;
  }

  async reserve(tokens: number, limit: number): Promise<Result<Reservation>> {
    const id = this.#options.newId();
    const reserved = await this.#change((ledger) => reserve(ledger, { id, tokens, limit, day: dayOf(this.#options.now()) }));
    if (!reserved.ok) return reserved;
    return ok({
      settle: async (used) => {
        await this.#change((ledger) => ok(settleHold(ledger, id, used)));
      },
    });
  }

  spentToday(): number {
    return usedOn(parseLedger(this.#text()), dayOf(this.#options.now()));
  }

  async #change(next: (ledger: TokenLedger) => Result<TokenLedger>): Promise<Result<TokenLedger>> {
    const { file, openDatabase } = this.#options;
    const lock = new WriteLock(`${file}.lock`, openDatabase);
    try {
      return await lock.hold(async () => {
        const changed = next(parseLedger(this.#text()));
        if (changed.ok) replaceFile(file, serializeLedger(changed.value), join(dirname(file), '.tokens.tmp'), true);
        return changed;
      });
    } finally {
      lock.close();
    }
  }

  #text(): string {
    try {
      return readFileSync(this.#options.file, 'utf8');
    } catch (cause) {
      if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return '';
      throw ioFailure(cause, `cannot read ${this.#options.file}`);
    }
  }
}
