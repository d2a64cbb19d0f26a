import type { Finding } from '../../../app/read/doctor.ts';
import { START_MISSED } from '../../../app/runtime/deferred-start.ts';
import type { HookLog } from '../../../core/ports/hook-log.ts';
import { countEmbedded, type EmbeddedCount } from '../../../app/embedding/place.ts';
import type { Memory } from '../../../app/memory/memory.ts';
import type { Cli } from '../command.ts';

const RECENT_MS = 24 * 60 * 60 * 1000;
const SHOWN = 3;

const ago = (ms: number): string =>
  ms < 3_600_000 ? `${Math.max(0, Math.round(ms / 60_000))} min` : ms < 172_800_000 ? `${Math.round(ms / 3_600_000)} h` : `${Math.round(ms / 86_400_000)} days`;

/** What the log notes beside the events of clients. */
const OWN_EVENTS: Readonly<Record<string, string>> = {
  [START_MISSED]: 'a session without a brief, because it ended before its first prompt was answered,',
  finish: 'the work after a session',
};
const eventName = (event: string): string => OWN_EVENTS[event] ?? event;

/** When each hook last ran, one line for each client. */
export function hookRunLines(log: HookLog, now: number): readonly string[] {
  const byClient = new Map<string, string[]>();
  for (const { client, event, at } of log.lastRuns()) byClient.set(client, [...(byClient.get(client) ?? []), `${eventName(event)} ${ago(now - at)} ago`]);
  return byClient.size === 0 ? ['hooks   none has run yet'] : [...byClient].map(([client, seen]) => `hooks   ${client}: ${seen.join(', ')}`);
}

/** Hooks that failed in the last 24 hours, which clients do not show. */
export function hookFindings(log: HookLog, now: number): readonly Finding[] {
  const recent = log.failures().filter(({ at }) => now - Date.parse(at) < RECENT_MS);
  const shown = recent.slice(-SHOWN).map(({ at, client, event, message }): Finding => ({
    level: 'problem',
    what:
      OWN_EVENTS[event] === undefined
        ? `The ${event} hook of ${client} failed at ${at}: ${message}`
        : `${client}: ${eventName(event)} failed at ${at}: ${message}`,
    mend: 'the session continued without memory; fix the cause named above',
  }));
  const more = recent.length - shown.length;
  return more > 0
    ? [...shown, { level: 'note', what: `${more} more hooks failed in the last 24 hours`, mend: 'see holdfast/hooks/failures.log in the home' }]
    : shown;
}

/** How many texts are embedded; undefined if no embedder is configured. */
export async function embeddedIn(cli: Cli, memory: Memory): Promise<EmbeddedCount | undefined> {
  if (memory.config.get('embed.provider') === 'none') return undefined;
  const place = (await cli.embedding()).of(memory);
  return place.ok && place.value ? countEmbedded(memory, place.value) : undefined;
}

/** Findings of doctor about the embedder: whether it works, and how many texts are not embedded yet. */
export async function embeddingFindings(cli: Cli, memory: Memory): Promise<readonly Finding[]> {
  const provider = memory.config.get('embed.provider');
  const problem = provider === 'none' || provider === 'minilm' ? (await cli.embedder()).problem() : undefined;
  if (problem !== undefined)
    return [{ level: 'problem', what: `${problem} Search and recall work by words only.`, mend: 'holdfast embed setup, or holdfast embed remove' }];
  if (provider === 'none') return [];
  const place = (await cli.embedding()).of(memory);
  if (!place.ok) return [{ level: 'problem', what: `The embedder cannot be used: ${place.error.message}`, mend: place.error.hint ?? 'holdfast config list' }];
  if (!place.value) return [];
  const { model, embedded, texts, complete } = await countEmbedded(memory, place.value);
  if (embedded >= texts && complete) return [];
  const effect = complete ? 'search finds these by words only' : 'search works by words until all are embedded';
  return [
    {
      level: 'note',
      what: `${texts === 0 ? 'Conversations' : `${texts - embedded} of ${texts} texts`} are not embedded with ${model} yet; ${effect}.`,
      mend: 'holdfast embed',
    },
  ];
}
