import { readerFor } from '../../src/capture/transcripts/detect.ts';
import { triageSettings } from '../../src/capture/triage/settings.ts';
import { Triage, type TriageResult } from '../../src/capture/triage/triage.ts';
import { effectiveConfig } from '../../src/core/config/effective.ts';
import type { Client, Message } from '../../src/core/episode/episode.ts';

const settings = triageSettings(effectiveConfig({}));

export function messagesIn(lines: readonly string[], client: Client): Message[] {
  const reader = readerFor(client);
  return [...lines.flatMap((line) => reader.push(line)), ...reader.end()].flatMap((event) => (event.kind === 'message' ? [event.message] : []));
}

export function triaged(messages: readonly Message[]): TriageResult {
  const triage = new Triage(settings);
  for (const message of messages) triage.add(message);
  return triage.result();
}
