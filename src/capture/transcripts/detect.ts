import type { Client } from '../../core/episode/episode.ts';
import type { Json } from '../../core/value.ts';
import { jsonOf, objectOf, stringOf } from './value.ts';
import { ChatReader } from './chat.ts';
import { ClaudeCodeReader } from './claude-code/reader.ts';
import { CodexReader } from './codex/reader.ts';
import { CopilotReader } from './copilot.ts';
import { DroidReader } from './droid.ts';
import type { ReaderOptions, TranscriptReader } from './event.ts';
import { GeminiReader } from './gemini.ts';
import { KiloReader, OpencodeReader } from './opencode.ts';
import { QwenReader } from './qwen.ts';

const CODEX_TYPES = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted']);
const CLAUDE_TYPES = new Set([
  'user',
  'assistant',
  'system',
  'summary',
  'attachment',
  'progress',
  'file-history-snapshot',
  'queue-operation',
  'permission-mode',
  'last-prompt',
  'tool',
]);
const COPILOT_TYPES = /^(?:session|user|assistant|system|tool|hook)\.\w+$/;
const MAX_LINES = 50;

/** The client that wrote a transcript, from its first lines; from its name if the lines do not show it; undefined if unknown. */
export function detectFormat(firstLines: Iterable<string>, path = ''): Client | undefined {
  const lines: string[] = [];
  for (const line of firstLines) {
    lines.push(line);
    const client = clientOf(objectOf(jsonOf(line)));
    if (client !== undefined) return forkOf(client, path);
    if (lines.length === MAX_LINES) break;
  }
  return forkOf(documentClient(lines.join('\n')) ?? clientByName(path, lines), path);
}

/** Kilo writes opencode's format in another folder. */
const forkOf = (client: Client | undefined, path: string): Client | undefined => (client === 'opencode' && /kilo\.db#/.test(path) ? 'kilo' : client);

function clientOf(record: Json | undefined): Client | undefined {
  if (record === undefined) return undefined;
  const type = stringOf(record['type']) ?? '';
  if (CODEX_TYPES.has(type) && objectOf(record['payload']) !== undefined) return 'codex';
  if (typeof record['sessionId'] === 'string' && typeof record['projectHash'] === 'string') return 'gemini';
  if ('session_id' in record && 'role' in record && typeof record['text'] === 'string') return 'chat';
  if (objectOf(record['info']) !== undefined && Array.isArray(record['messages'])) return 'opencode';
  if (COPILOT_TYPES.test(type) && objectOf(record['data']) !== undefined) return 'copilot';
  if (type === 'session_start' && typeof record['id'] === 'string' && typeof record['cwd'] === 'string') return 'droid';
  const isQwen = typeof record['provenance'] === 'string' || Array.isArray(objectOf(record['message'])?.['parts']);
  if (isQwen && typeof record['sessionId'] === 'string') return 'qwen';
  const isClaude = CLAUDE_TYPES.has(type) && ('uuid' in record || 'sessionId' in record || 'leafUuid' in record || 'messageId' in record);
  return isClaude ? 'claude-code' : undefined;
}

/** A document over many lines has its fields before its messages. */
function documentClient(head: string): Client | undefined {
  const text = head.slice(head.search(/^\s*[{[]/m));
  if (!/^\s*[{[]\s*(?:$|")/m.test(text)) return undefined;
  if (/"sessionId"\s*:/.test(text) && /"projectHash"\s*:/.test(text)) return 'gemini';
  return /"info"\s*:\s*\{/.test(text) && /"(?:sessionID|projectID|directory|messages)"\s*:/.test(text) ? 'opencode' : undefined;
}

/** For files whose first lines are damaged. */
function clientByName(path: string, lines: readonly string[]): Client | undefined {
  if (!lines.some((line) => /^\s*\{\s*(?:"|$)/.test(line))) return undefined;
  if (/(?:^|[\\/])rollout-[^\\/]*\.jsonl$/.test(path)) return 'codex';
  if (/[\\/]chats[\\/]session-[^\\/]*\.jsonl?$/.test(path)) return 'gemini';
  return /[\\/]projects[\\/][^\\/]+[\\/](?:.*[\\/])?[^\\/]+\.jsonl$/.test(path) && !/[\\/]journal\.jsonl$/.test(path) ? 'claude-code' : undefined;
}

const READERS: Readonly<Record<Client, new (options?: ReaderOptions) => TranscriptReader>> = {
  'claude-code': ClaudeCodeReader,
  codex: CodexReader,
  gemini: GeminiReader,
  opencode: OpencodeReader,
  kilo: KiloReader,
  copilot: CopilotReader,
  qwen: QwenReader,
  droid: DroidReader,
  chat: ChatReader,
};

/** A new reader for one transcript of a client. */
export const readerFor = (client: Client, options: ReaderOptions = {}): TranscriptReader => new READERS[client](options);
