import { isObject } from '../../core/value.ts';
import { cleanFacts } from '../../capture/cleaning/clean.ts';
import { Exclusion } from '../../capture/cleaning/exclude.ts';
import { CLIENTS, type SessionFacts } from '../../core/episode/episode.ts';
import type { EpisodeEntry } from '../../core/ports/episodes.ts';
import { safeSessionId } from '../../core/project/filename.ts';
import { refuse, ok, type Result } from '../../core/result.ts';
import { archivedLine, archiveLine, factsLine } from '../episodes/archive-line.ts';
import { cleanEntry } from '../episodes/intake.ts';
import { type Episode, inOrder } from '../episodes/read.ts';

/** A conversation in a bundle: the facts about the session, then its entries in order, one on each line, as the archive has them. */
export const conversationText = ({ facts, entries }: Episode): string => `${[factsLine(facts), ...inOrder(entries).map(archiveLine)].join('\n')}\n`;

type Json = Readonly<Record<string, unknown>>;
const isText = (value: unknown): value is string => typeof value === 'string';
const isOptional = (value: unknown): boolean => value === undefined || isText(value);
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const LONGEST_ID = 300;

const isFacts = (value: Json): boolean =>
  isText(value['sessionId']) &&
  safeSessionId(value['sessionId']).ok &&
  (CLIENTS as readonly unknown[]).includes(value['client']) &&
  Object.values(value).every(isText);

const isCall = (value: unknown): boolean =>
  isObject(value) && isText(value['id']) && isText(value['name']) && isText(value['input']) && areTexts(value['files']) && isOptional(value['command']);

const isEntry = (value: Json, session: string): boolean => {
  if (!isText(value['id']) || value['id'].length > LONGEST_ID || !isOptional(value['at'])) return false;
  if (!('role' in value)) return isText(value['compaction']);
  return (
    value['sessionId'] === session &&
    ['user', 'assistant', 'tool'].includes(String(value['role'])) &&
    isText(value['text']) &&
    [value['thinking'], value['answers'], value['speaker'], value['agentId']].every(isOptional) &&
    (value['failed'] === undefined || typeof value['failed'] === 'boolean') &&
    (value['toolCalls'] === undefined || (Array.isArray(value['toolCalls']) && value['toolCalls'].every(isCall)))
  );
};

/** The sender already removed excluded text. */
const NOTHING = new Exclusion([]);

/** Reads a conversation from a bundle: checks every line and redacts it as if captured here. */
export function readConversation(name: string, text: string): Result<Episode> {
  const bad = (at: number): Result<never> => refuse('INPUT_ERROR', `Line ${at} of ${name} is not part of a conversation.`, { hint: 'nothing was imported' });
  let facts: SessionFacts | undefined;
  const entries: EpisodeEntry[] = [];
  for (const [at, row] of text.split('\n').entries()) {
    if (row === '') continue;
    const line = archivedLine(row);
    if (line === undefined) return bad(at + 1);
    if ('session' in line) {
      if (facts !== undefined || !isObject(line.session) || !isFacts(line.session)) return bad(at + 1);
      facts = cleanFacts(line.session);
    } else if (facts === undefined || !isEntry(line.entry as unknown as Json, facts.sessionId)) return bad(at + 1);
    else entries.push(cleanEntry(line.entry, NOTHING));
  }
  return facts === undefined ? bad(1) : ok({ facts, entries: inOrder(entries), whole: true });
}
