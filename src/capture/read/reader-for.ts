import type { Client } from '../../core/episode.ts';
import { ChatReader } from './chat.ts';
import { ClaudeCodeReader } from './claude-code/reader.ts';
import { CodexReader } from './codex/reader.ts';
import type { ReaderOptions, TranscriptReader } from './event.ts';
import { GeminiReader } from './gemini.ts';
import { OpencodeReader } from './opencode.ts';

const READERS: Readonly<Record<Client, new (options?: ReaderOptions) => TranscriptReader>> = {
  'claude-code': ClaudeCodeReader,
  codex: CodexReader,
  gemini: GeminiReader,
  opencode: OpencodeReader,
  chat: ChatReader,
};

/** A new reader for one transcript of a client. */
export const readerFor = (client: Client, options: ReaderOptions = {}): TranscriptReader => new READERS[client](options);
