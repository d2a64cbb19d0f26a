import type { Message, SessionFacts } from '../../core/episode/episode.ts';
import type { TranscriptText } from '../../core/ports/episodes.ts';

/** Why a line, or a part of one, was skipped. Records of types that never have a message are not reported. */
export type SkipReason = 'broken-json' | 'cut-short' | 'not-an-object' | 'unknown-record' | 'no-message' | 'no-session' | 'too-long';

export type ReadEvent =
  | { readonly kind: 'message'; readonly message: Message }
  /** All facts about a session so far. Sent before its first message, after each change, and at the end. */
  | { readonly kind: 'facts'; readonly facts: SessionFacts }
  /** The client's summary of a conversation that it compacted. */
  | { readonly kind: 'summary'; readonly sessionId: string; readonly at?: string; readonly text: string }
  | { readonly kind: 'skipped'; readonly reason: SkipReason; readonly line: number }
  /** The line was damaged and could be repaired. */
  | { readonly kind: 'mended'; readonly line: number };

/** Turns one transcript into events, line by line; buffers only messages that may still grow. Never throws on any input. */
export interface TranscriptReader {
  /** One line, without its newline. */
  push(line: TranscriptText): readonly ReadEvent[];
  /** The buffered events, and every session's facts. */
  end(): readonly ReadEvent[];
  /** How many of the last lines have buffered events: an import that resumes must read them again, and gets the same message ids. */
  readonly backlog: number;
}

/** The most characters of each kind of text; a longer text loses its middle. */
export interface Limits {
  readonly text: number;
  readonly thinking: number;
  readonly input: number;
  readonly answer: number;
}

export const TRANSCRIPT_LIMITS: Limits = { text: 100_000, thinking: 20_000, input: 4_000, answer: 4_000 };

/** A line, or one message of a single-document transcript, with more characters is skipped. */
export const MAX_RECORD = 64_000_000;

export interface ReaderOptions {
  /** The path of the transcript; the file's name is the session id if the lines have none. */
  readonly path?: string;
  readonly limits?: Partial<Limits>;
}

/** The file's name without folder and extension. */
export const transcriptStem = (path: string | undefined): string | undefined =>
  path
    ?.split(/[\\/]/)
    .at(-1)
    ?.replace(/\.(jsonl|json)$/, '');

/** An id for a message without one: the same text at the same time gets the same id on every import. Not a cryptographic digest, because nothing relies on it. */
export function fingerprint(...parts: readonly (string | undefined)[]): string {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (const part of parts) {
    const text = part ?? '';
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      low = Math.imul(low ^ code, 0x01000193);
      high = Math.imul(high ^ code, 0x85ebca6b);
    }
    low = Math.imul(low ^ 0x1f, 0x01000193);
    high = Math.imul(high ^ (low >>> 13), 0xc2b2ae35);
  }
  return hex(low ^ (high >>> 15)) + hex(high);
}

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');
