import type { Message, ToolCall } from '../../core/episode/episode.ts';
import { epochOf } from '../../core/instant.ts';
import { chunkId, type ChunkKind, chunksOf } from './split-text.ts';
import type { ChunkRow } from '../port.ts';
import type { NewWords } from '../text/words.ts';

/** A chunk with the terms by which it is found. */
export interface IndexedChunk extends ChunkRow {
  readonly terms: readonly string[];
  /** The agent's thinking. */
  readonly thought?: true;
}

export interface IndexedRows {
  readonly chunks: readonly IndexedChunk[];
  /** Where the unit's next chunk begins: a growing episode continues there. */
  readonly nextPlace: number;
  /** Number of terms in all chunks except code. */
  readonly size: number;
}

/**
 * The index rows of an episode's messages. Texts and commands share one sequence of places, so that a reply and the command after it are neighbours; code
 * is indexed too but takes only one place. Tool output is left out: it is most of the text and adds no hits.
 */
export function episodeRows(unit: number, messages: readonly Message[], firstPlace = 0, words?: NewWords): IndexedRows {
  const chunks: IndexedChunk[] = [];
  let place = firstPlace;
  let size = 0;
  for (const message of messages) {
    if (message.role === 'tool') continue;
    const at = epochOf(message.at);
    const isQuestion = endsWithQuestion(message.text);
    for (const { kind, text, isThought } of textsOf(message)) {
      for (const textChunk of chunksOf(text, words)) {
        // Set field by field: spreading optional fields would cost more than the rest of this loop.
        const chunk: MutableChunk = {
          id: chunkId(unit, place, textChunk.terms.length, kind),
          text: textChunk.text,
          terms: textChunk.terms,
          messageId: message.id,
        };
        if (at !== undefined) chunk.at = at;
        if (message.speaker !== undefined) chunk.speaker = message.speaker;
        if (isQuestion) chunk.asks = true;
        if (isThought) chunk.thought = true;
        chunks.push(chunk);
        const length = kind === 'code' ? 1 : textChunk.terms.length;
        place += length;
        if (kind !== 'code') size += length;
      }
    }
  }
  return { chunks, nextPlace: place, size };
}

type MutableChunk = { -readonly [Field in keyof IndexedChunk]: IndexedChunk[Field] };

/** Ignores brackets at the end, such as a picture's caption. */
function endsWithQuestion(text: string): boolean {
  const words = text.trimEnd();
  const opening = words.endsWith(']') ? words.indexOf('[', words.lastIndexOf(']', words.length - 2) + 1) : -1;
  return (opening < 0 ? words : words.slice(0, opening).trimEnd()).endsWith('?');
}

interface ChunkText {
  readonly kind: ChunkKind;
  readonly text: string;
  readonly isThought?: true;
}

function textsOf(message: Message): readonly ChunkText[] {
  const texts: ChunkText[] = [];
  if (message.text !== '') texts.push({ kind: message.speaker !== undefined ? 'said' : message.role === 'user' ? 'prompt' : 'reply', text: message.text });
  if (message.thinking) texts.push({ kind: 'reply', text: message.thinking, isThought: true });
  for (const call of message.toolCalls ?? []) {
    if (call.input !== '') texts.push({ kind: isCode(call) ? 'code' : 'command', text: call.input });
  }
  return texts;
}

const isCode = (call: ToolCall): boolean => call.command === undefined && call.files.length > 0;
