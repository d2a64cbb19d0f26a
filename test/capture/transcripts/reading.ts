import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReadEvent, ReaderOptions, TranscriptReader } from '../../../src/capture/transcripts/event.ts';
import { readerFor } from '../../../src/capture/transcripts/detect.ts';
import type { Client, Message, SessionFacts } from '../../../src/core/episode/episode.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures/transcripts/', import.meta.url));

export const fixture = (name: string): string => fs.readFileSync(path.join(FIXTURES, name), 'utf8');

export interface Reading {
  readonly events: readonly ReadEvent[];
  readonly messages: readonly Message[];
  /** The last facts of each session. */
  readonly facts: Readonly<Record<string, SessionFacts>>;
  readonly summaries: readonly string[];
  readonly skipped: readonly string[];
  readonly prompts: readonly string[];
}

/** Feeds lines to a reader as an importer would. */
export function drain(reader: TranscriptReader, lines: readonly string[]): readonly ReadEvent[] {
  const events: ReadEvent[] = [];
  for (const line of lines) events.push(...reader.push(line));
  events.push(...reader.end());
  return events;
}

export function sorted(events: readonly ReadEvent[]): Reading {
  const messages = events.flatMap((event) => (event.kind === 'message' ? [event.message] : []));
  return {
    events,
    messages,
    facts: Object.fromEntries(events.flatMap((event) => (event.kind === 'facts' ? [[event.facts.sessionId, event.facts]] : []))),
    summaries: events.flatMap((event) => (event.kind === 'summary' ? [event.text] : [])),
    skipped: events.flatMap((event) => (event.kind === 'skipped' ? [`${event.line} ${event.reason}`] : [])),
    prompts: messages.filter(({ role }) => role === 'user').map(({ text }) => text),
  };
}

export const read = (client: Client, text: string, options: ReaderOptions = {}): Reading => sorted(drain(readerFor(client, options), text.split('\n')));

let serial = 0;

/** A Claude Code record with what every record carries. */
export const claude = (fields: Record<string, unknown>): string => {
  serial++;
  const common = { parentUuid: null, isSidechain: false, userType: 'external', cwd: '/home/dev/kiosk', sessionId: 's1', version: '2.1.63' };
  return JSON.stringify({ ...common, uuid: `r${serial}`, timestamp: '2026-01-02T03:04:05.000Z', ...fields });
};

export const said = (content: unknown, more: Record<string, unknown> = {}): string => claude({ type: 'user', message: { role: 'user', content }, ...more });

export const replied = (id: string, content: unknown, more: Record<string, unknown> = {}): string =>
  claude({ type: 'assistant', message: { id, role: 'assistant', model: 'claude-x', content }, ...more });

export const called = (id: string, name: string, input: unknown): Record<string, unknown> => ({ type: 'tool_use', id, name, input });

export const answered = (id: string, content: unknown, more: Record<string, unknown> = {}): string =>
  said([{ type: 'tool_result', tool_use_id: id, content, ...more }]);

export const text = (words: string): Record<string, unknown> => ({ type: 'text', text: words });
