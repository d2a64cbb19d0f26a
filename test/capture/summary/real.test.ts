import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conversationWords, verifyByRules } from '../../../src/app/drafting/answer.ts';
import { readerFor } from '../../../src/capture/transcripts/detect.ts';
import { draftsOf } from '../../../src/capture/drafts/drafts.ts';
import { SessionSummary } from '../../../src/capture/summary/summary.ts';
import { triageSettings } from '../../../src/capture/triage/settings.ts';
import { effectiveConfig } from '../../../src/core/config/effective.ts';
import type { Message, SessionFacts } from '../../../src/core/episode/episode.ts';
import { newRecord } from '../../../src/core/lifecycle/create.ts';
import type { Category } from '../../../src/core/record/category.ts';
import type { Draft } from '../../../src/core/record/draft.ts';

const ARCHIVE = fileURLToPath(new URL('../../../../shared/bench/coding-sessions-dev/transcripts.tar.xz', import.meta.url));
const isThere = fs.existsSync(ARCHIVE);
if (!isThere) console.warn('summaries of real sessions skipped: no benchmark data beside the repository');

const PAGE = 12_000;
const NOW = Date.UTC(2026, 0, 5);

interface Summed {
  readonly content: ReturnType<SessionSummary['content']>;
  readonly drafts: readonly Draft[];
  /** The objections of the verifier that goes by rules. */
  readonly blocked: readonly string[];
}

function summedUp(file: string): Summed[] {
  const reader = readerFor('claude-code', { path: file });
  const summary = new SessionSummary(triageSettings(effectiveConfig({})));
  let facts: SessionFacts | undefined;
  const messages: Message[] = [];
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  for (const event of [...lines.flatMap((line) => reader.push(line)), ...reader.end()]) {
    if (event.kind === 'message') {
      summary.add(event.message);
      messages.push(event.message);
    }
    if (event.kind === 'facts') facts = event.facts;
  }
  if (facts === undefined) return [];
  const drafts = [summary.draft(facts), ...draftsOf(summary, facts)];
  const said = conversationWords(messages, facts);
  const verdicts = drafts.map((draft) => verifyByRules(draft, said));
  return [{ content: summary.content(facts), drafts, blocked: verdicts.flatMap(({ passed, issues }) => (passed ? [] : issues)) }];
}

describe.skipIf(!isThere)('real sessions', () => {
  const folder = isThere ? fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-summaries-')) : '';
  let sessions: readonly Summed[] = [];

  beforeAll(() => {
    execFileSync('tar', ['xJf', ARCHIVE, '-C', folder]);
    const transcripts = path.join(folder, 'transcripts');
    sessions = fs.readdirSync(transcripts).flatMap((name) => summedUp(path.join(transcripts, name)));
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('pass the verifier that goes by rules: what is drafted was said', () => {
    expect(sessions.length).toBeGreaterThan(90);
    expect(sessions.flatMap(({ blocked }) => blocked)).toEqual([]);
  });

  it('each name their goal, in a page', () => {
    expect(sessions.length).toBeGreaterThan(90);
    for (const { content } of sessions) {
      expect(content.goal).toMatch(/\p{L}{3}/u);
      expect(JSON.stringify(content).length).toBeLessThan(PAGE);
    }
  });

  it('say what was done where files were changed', () => {
    const changed = sessions.filter(({ content }) => (content.key_changes ?? []).length > 0);
    const told = changed.filter(({ content }) => (content.completed ?? []).length > 0);
    expect(told.length / changed.length).toBeGreaterThan(0.9);
  });

  it('hold no words of the client or of injected memory', () => {
    for (const { content, drafts } of sessions) {
      expect(JSON.stringify([content, drafts])).not.toMatch(/<(?:system-reminder|command-name|local-command|holdfast-memory|task-notification)/);
    }
  });

  it('make only valid drafts, a handful a session', () => {
    for (const { drafts } of sessions) {
      expect(drafts.length).toBeLessThanOrEqual(14);
      for (const draft of drafts) expect(newRecord(draft, draft['category'] as Category, 'some-id', NOW)).toMatchObject({ ok: true });
    }
  });
});
