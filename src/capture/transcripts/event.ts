import type { Message, SessionFacts } from '../../core/episode/episode.ts';
import type { TranscriptText } from '../../core/ports/episodes.ts';

/** Why a line, or a part of one, gave nothing. Records that never carry a message are no loss and are not reported. */
export type SkipReason = 'broken-json' | 'cut-short' | 'not-an-object' | 'unknown-record' | 'no-message' | 'no-session' | 'too-long';

export type ReadEvent =
  | { readonly kind: 'message'; readonly message: Message }
  /** All that is known of a session so far; comes before its first message, again when something changed, and once more at the end. */
  | { readonly kind: 'facts'; readonly facts: SessionFacts }
  /** The client's summary of a conversation that it compacted: not a prompt, but worth keeping. */
  | { readonly kind: 'summary'; readonly sessionId: string; readonly at?: string; readonly text: string }
  | { readonly kind: 'skipped'; readonly reason: SkipReason; readonly line: number }
  /** The line was damaged and read anyway. */
  | { readonly kind: 'mended'; readonly line: number };

/** Turns one transcript into events, line by line, holding back only what may still grow. Never throws on what it is given. */
export interface TranscriptReader {
  /** One line, without its newline. */
  push(line: TranscriptText): readonly ReadEvent[];
  /** The events that were held back, and every session's facts. */
  end(): readonly ReadEvent[];
  /** How many of the last lines are needed again for what is held back: an import that resumes goes back so far, and meets the same message ids. */
  readonly held: number;
}

/** Characters kept of each kind of text; what is over loses its middle. */
export interface Limits {
  readonly text: number;
  readonly thinking: number;
  readonly input: number;
  readonly answer: number;
}

export const TRANSCRIPT_LIMITS: Limits = { text: 100_000, thinking: 20_000, input: 4_000, answer: 4_000 };

/** A line, or one message of a whole-file transcript, beyond this many characters is skipped. */
export const MAX_RECORD = 64_000_000;

export interface ReaderOptions {
  /** Where the transcript lies; its name gives the session where the lines do not. */
  readonly path?: string;
  readonly limits?: Partial<Limits>;
}

/** The file's name without folder and extension. */
export const transcriptStem = (path: string | undefined): string | undefined =>
  path
    ?.split(/[\\/]/)
    .at(-1)
    ?.replace(/\.(jsonl|json)$/, '');

/** A short name for a message whose transcript gives it none: the same text at the same time has the same name on every import. No digest: nothing relies on it being hard to forge. */
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
