import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { vi } from 'vitest';
import { LedgerFile } from '../../../src/adapters/files/token-ledger.ts';
import { AnthropicModel } from '../../../src/adapters/model/chat/anthropic.ts';
import { openDatabase } from '../../../src/adapters/sqlite/binding.ts';
import { contextsOf } from '../../../src/app/drafting/contexts.ts';
import { draftRecords, type DraftingRequest } from '../../../src/app/drafting/drafting.ts';
import { metered } from '../../../src/app/drafting/service.ts';
import type { DraftOutcome } from '../../../src/app/drafting/outcome.ts';
import { currentRecord } from '../../../src/app/write/current.ts';
import type { Message } from '../../../src/core/episode/episode.ts';
import type { ItemFacts } from '../../../src/core/ports/index.ts';
import type { MemoryRecord } from '../../../src/core/record/schema.ts';
import { KEY, loopback, retryPolicy, type Loopback, type Reply } from '../../adapters/model/loopback.ts';
import { PROTOCOLS } from '../../adapters/model/protocols.ts';
import { user, watch } from '../../capture/triage/talk.ts';
import { PATIENCE } from '../../patience.ts';
import { must, type Opened } from '../memory.ts';

/** The subject of one request: a draft or a verdict, of which category, of which model. */
export interface Asked {
  readonly step: 'draft' | 'verify';
  readonly category: string;
  readonly model: string;
  readonly prompt: string;
}

/** An answer: words, an object that is sent as JSON, or a whole reply of the server. */
export type Said = string | { readonly say: object } | { readonly reply: Reply };

export interface Scripted {
  readonly asked: Asked[];
  readonly server: Loopback;
  readonly budget: LedgerFile;
  /** The most requests that were under way at once. */
  atOnce(): number;
  run(messages: readonly Message[], more?: Partial<DraftingRequest>): Promise<readonly DraftOutcome[]>;
}

const MODELS = ['claude-haiku-x', 'claude-sonnet-x'].map((id) => ({ id, created_at: '2026-01-01T00:00:00Z' }));
const says = PROTOCOLS[0]?.says as (text: string, input: number, output: number) => object;

function askedIn(body: Readonly<Record<string, unknown>>): Asked {
  const prompt = (body['messages'] as [{ content: string }])[0].content;
  const [, draft, verdict] = /^(?:Draft an? (\w+) record|A draft of an? (\w+))/.exec(prompt) ?? [];
  return { step: draft === undefined ? 'verify' : 'draft', category: draft ?? verdict ?? '', model: String(body['model']), prompt };
}

/** A model that follows a script, behind a real server, with a real budget, over a real memory. It answers none before `together` requests are there. */
export async function scripted(opened: Opened, script: (asked: Asked) => Said, together = 1): Promise<Scripted> {
  const asked: Asked[] = [];
  let [now, most] = [0, 0];
  const server = await loopback(async ({ path: at, body }) => {
    if (at.startsWith('/v1/models')) return { json: { data: MODELS } };
    const one = askedIn(body);
    asked.push(one);
    most = Math.max(most, ++now);
    if (together > 1) await vi.waitUntil(() => most >= together, PATIENCE);
    else await new Promise((resolve) => setTimeout(resolve, 30));
    now--;
    const said = script(one);
    if (typeof said === 'object' && 'reply' in said) return said.reply;
    return { json: says(typeof said === 'string' ? said : JSON.stringify(said.say), 1000, 200) };
  });
  const { memory, home } = opened;
  const budget = new LedgerFile({ file: path.join(home, 'holdfast', 'tokens'), openDatabase, now: memory.now, newId: randomUUID });
  const model = metered(new AnthropicModel({ endpoint: server.url, key: KEY, retryPolicy }), budget, memory.config.get('model.dailyTokens'));
  return {
    asked,
    server,
    budget,
    atOnce: () => most,
    run: (messages, more = {}) =>
      draftRecords({ memory, model, contexts: contextsOf(watch(messages)), session: { sessionId: 'session-1', client: 'claude-code' }, ...more }),
  };
}

export const PASS = { say: { result: 'PASS', issues: [] } };

export const DECISION = {
  action: 'create',
  justification: 'a storage engine was chosen',
  record: {
    title: 'Use SQLite for storage',
    tags: ['storage', 'SQLite'],
    related_files: ['src/store.ts'],
    confidence: 0.95,
    content: { status: 'accepted', context: 'A store is needed', decision: 'Use SQLite', rationale: ['it needs no server'], consequences: 'one file' },
  },
};

export const PREFERENCE = {
  action: 'create',
  justification: 'a style was asked for',
  record: { title: 'Single quotes', tags: ['style'], confidence: 0.8, content: { topic: 'quotes', value: 'single', reason: 'asked for', strength: 'strong' } },
};

export const CHOICE = user('We chose SQLite because it needs no server.');
export const STYLE = user('Always use single quotes in TypeScript files.');

export const records = ({ memory }: Opened): readonly ItemFacts[] => memory.index.items({ kind: 'record' });

/** The record of a memory that has one. */
export async function only(opened: Opened): Promise<MemoryRecord> {
  return must(await currentRecord(opened.memory, records(opened)[0] as ItemFacts)).record;
}
