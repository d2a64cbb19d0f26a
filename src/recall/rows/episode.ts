import type { Message, ToolCall } from '../../core/episode.ts';
import { epochOf } from '../../core/instant.ts';
import { chunkId, type ChunkKind } from '../chunk-id.ts';
import type { ChunkRow } from '../port.ts';
import { piecesOf } from './pieces.ts';

/** A chunk and the terms it is found by. */
export interface IndexedChunk extends ChunkRow {
  readonly terms: readonly string[];
}

export interface IndexedRows {
  readonly chunks: readonly IndexedChunk[];
  /** Where the unit's next chunk begins: an episode that grows is continued there. */
  readonly nextPlace: number;
  /** Terms in all chunks but those of code. */
  readonly size: number;
}

/**
 * The index rows of an episode's messages. What was said and what was run stand in one stream of places, so that a reply and the command after it are
 * neighbours; code and paths are found too but take no room in it. What tools answered stays out: it is most of the text and finds nothing more.
 */
export function episodeRows(unit: number, messages: readonly Message[], firstPlace = 0): IndexedRows {
  const chunks: IndexedChunk[] = [];
  let place = firstPlace;
  let size = 0;
  for (const message of messages) {
    if (message.role === 'tool') continue;
    const about = aboutOf(message);
    for (const { kind, text } of textsOf(message)) {
      for (const piece of piecesOf(text)) {
        chunks.push({ ...about, id: chunkId(unit, place, piece.terms.length, kind), text: piece.text, terms: piece.terms });
        const length = kind === 'code' ? 1 : piece.terms.length;
        place += length;
        if (kind !== 'code') size += length;
      }
    }
  }
  return { chunks, nextPlace: place, size };
}

function aboutOf(message: Message): Omit<ChunkRow, 'id' | 'text'> {
  const at = epochOf(message.at);
  return {
    messageId: message.id,
    ...(at === undefined ? {} : { at }),
    ...(message.speaker === undefined ? {} : { speaker: message.speaker }),
    ...(asks(message.text) ? { asks: true } : {}),
  };
}

/** What stands in brackets after the words, such as a picture's caption, is no part of the sentence. */
const asks = (text: string): boolean =>
  text
    .replace(/\[[^\]]*\]\s*$/, '')
    .trimEnd()
    .endsWith('?');

function* textsOf(message: Message): Generator<{ readonly kind: ChunkKind; readonly text: string }> {
  if (message.text !== '') yield { kind: message.speaker !== undefined ? 'said' : message.role === 'user' ? 'prompt' : 'reply', text: message.text };
  if (message.thinking) yield { kind: 'reply', text: message.thinking };
  for (const call of message.toolCalls ?? []) {
    if (call.input !== '') yield { kind: isCode(call) ? 'code' : 'command', text: call.input };
  }
}

const isCode = (call: ToolCall): boolean => call.command === undefined && call.files.length > 0;
