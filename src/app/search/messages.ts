import type { NearbyOf } from '../embedding/nearby.ts';
import { rankWithMeaning } from '../recall/near-records.ts';
import { itemRanking } from '../recall/ranking.ts';
import type { OpenRanking, RankingParts } from '../runtime/open-recall.ts';
import { isFailure } from '../../core/failure.ts';
import type { ExchangeIndex } from '../../recall/exchange/port.ts';
import type { RecallIndex } from '../../recall/port.ts';

/** An index of messages that can be closed. */
export interface MessageIndex extends RecallIndex, ExchangeIndex {
  /** False for an index of another version, and for one that does not know what the archive holds. */
  readonly isReadable: boolean;
  close(): void;
}

/** Opens and remakes the index of a project's messages. */
export interface MessageIndexHost {
  open(): MessageIndex;
  /** Tells one file from another of the same name; 0 where there is none. */
  fileId(): number;
  hasArchive(): boolean;
  /** Makes the index again from the archive. */
  remake(): Promise<void>;
}

/** The messages of a project's sessions for a search; opened when first used, and then kept open. */
export class ProjectMessages {
  readonly #host: MessageIndexHost;
  #opened: { readonly index: MessageIndex | undefined; readonly fileId: number } | undefined;

  constructor(host: MessageIndexHost) {
    this.#host = host;
  }

  /** Undefined if there are none, or none that can be read. */
  open(): MessageIndex | undefined {
    // An index that was made again is another file under the same name.
    const fileId = this.#host.fileId();
    if (this.#opened?.fileId !== fileId) {
      this.close();
      this.#opened = { fileId, index: fileId === 0 ? undefined : this.#openReadable() };
    }
    return this.#opened?.index;
  }

  /** The same, but an index that is lost, damaged or of another version is made again first, which is slow. */
  async openRepaired(): Promise<MessageIndex | undefined> {
    const index = this.open();
    if (index !== undefined || (this.#host.fileId() === 0 && !this.#host.hasArchive())) return index;
    await this.#host.remake();
    this.#opened = undefined;
    return this.open();
  }

  close(): void {
    this.#opened?.index?.close();
    this.#opened = undefined;
  }

  #openReadable(): MessageIndex | undefined {
    const index = this.#host.open();
    try {
      if (index.isReadable) return index;
    } catch (cause) {
      index.close();
      if (isFailure(cause) && cause.code === 'READ_ERROR') return undefined;
      throw cause;
    }
    index.close();
    return undefined;
  }
}

/** Records ranked by words and, where an embedder is set up, by meaning; and the conversations beside them. */
export const rankWithMessages =
  (openMessages: (key: string) => ProjectMessages, nearbyOf?: NearbyOf) =>
  ({ memories, log, key }: RankingParts): OpenRanking => {
    const messages = openMessages(key);
    const words = itemRanking(memories, log);
    const ranking = nearbyOf ? rankWithMeaning(words, memories, log, nearbyOf) : words;
    return { ranking, exchanges: () => messages.open(), close: () => messages.close() };
  };
