import fs from 'node:fs';
import type { TriageCategory } from '../../src/capture/triage/settings.ts';
import { messagesIn, triaged } from './judge.ts';
import type { Message } from '../../src/core/episode/episode.ts';

interface Phrase {
  readonly part: 'tune' | 'check';
  readonly who: 'user' | 'agent';
  readonly holds: TriageCategory | null;
  readonly text: string;
}

const STRETCH = 8;
/** Something was done before, so that the sentence stands in a session at work. */
const BEFORE: Message = { id: 'm0', sessionId: 's', role: 'assistant', text: 'Looking.', toolCalls: [{ id: 'c', name: 'Read', input: '', files: [] }] };

const firedIn = ({ who, text }: Phrase): readonly string[] =>
  triaged([BEFORE, { id: 'm1', sessionId: 's', role: who === 'user' ? 'user' : 'assistant', text }])
    .categories.filter(({ fired }) => fired)
    .map(({ category }) => category);

function phrasesIn(file: string): Phrase[] {
  const rows = fs
    .readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Partial<Phrase>);
  return rows.filter((row): row is Phrase => row.text !== undefined);
}

function counted(title: string, phrases: readonly Phrase[]): void {
  const kinds = [...new Set(phrases.map(({ holds }) => holds))].filter((holds) => holds !== null);
  const nothing = phrases.filter(({ holds }) => holds === null);
  const silent = nothing.filter((phrase) => firedIn(phrase).length === 0);
  console.log(`\n${title}`);
  for (const kind of kinds) {
    const held = phrases.filter(({ holds }) => holds === kind);
    const met = held.filter((phrase) => firedIn(phrase).includes(kind));
    const others = phrases.filter((phrase) => phrase.holds !== kind && firedIn(phrase).includes(kind));
    console.log(`  ${kind.padEnd(12)} ${met.length} of ${held.length} fire; it also fires on ${others.length} of the ${phrases.length - held.length} others`);
  }
  console.log(`  ${'nothing'.padEnd(12)} ${silent.length} of ${nothing.length} stay silent`);
}

/** Made-up sentences, one by one: a stretch of a session has several chances to fire, a sentence has one. */
export function sentences(): void {
  const written = phrasesIn('bench/triage-sentences.jsonl');
  counted(
    'Sentences alone, read while the rules were made (all of triage-phrases.jsonl, part tune of triage-sentences.jsonl)',
    phrasesIn('bench/triage-phrases.jsonl').concat(written.filter(({ part }) => part === 'tune')),
  );
  counted(
    'Sentences alone, run for their totals only (part check of triage-sentences.jsonl)',
    written.filter(({ part }) => part === 'check'),
  );
}

export function smallTalk(file: string): void {
  const lines = fs.readFileSync(file, 'utf8').trim().split('\n');
  const bySession = new Map<string, Message[]>();
  for (const message of messagesIn(lines, 'chat')) bySession.set(message.sessionId, [...(bySession.get(message.sessionId) ?? []), message]);
  const stretches = [...bySession.values()].flatMap((messages) =>
    Array.from({ length: Math.ceil(messages.length / STRETCH) }, (_, n) => messages.slice(n * STRETCH, (n + 1) * STRETCH)),
  );
  const fires = (messages: readonly Message[]): boolean => triaged(messages).categories.some((category) => category.fired);
  const short = stretches.filter(fires).length;
  const long = [...bySession.values()].filter(fires).length;
  console.log(`\nSmall talk between friends: something fired in ${short} of ${stretches.length} stretches of ${STRETCH} messages`);
  console.log(`and in ${long} of the ${bySession.size} conversations as a whole`);
}
