import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileStaging } from '../../../src/adapters/files/staging.ts';
import { saveDrafts, stageContexts, type SaveDraftsRequest } from '../../../src/app/drafting/host.ts';
import { currentRecord } from '../../../src/app/write/current.ts';
import { parseTriageBlock } from '../../../src/capture/triage/triage-block.ts';
import { user, watch } from '../../capture/triage/talk.ts';
import { must, openMemory, save, type Opened } from '../memory.ts';
import { DECISION, PREFERENCE } from './scripted.ts';

const PASSED = { result: 'PASS', issues: [] };

/** A memory with a private staging folder beside it, and what agents would leave there. */
function staged(opened: Opened = openMemory(), isPrivate = true) {
  const folder = path.join(opened.home, 'holdfast', 'staging', 'session-1');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const staging = new FileStaging(folder, isPrivate);
  const leave = (name: string, value: unknown): string => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
    return file;
  };
  return {
    opened,
    folder,
    staging,
    draft: (category: string, value: unknown, verdict?: unknown): string => {
      leave(`.memory-triage-context-${category}.txt`, 'what was said');
      if (verdict !== undefined) leave(`.memory-verdict-${category}-77.json`, verdict);
      return leave(`.memory-draft-${category}-77.json`, value);
    },
    save: (more: Partial<SaveDraftsRequest> = {}) => saveDrafts({ memory: opened.memory, staging, session: { sessionId: 'session-1' }, ...more }),
    records: () => opened.memory.index.items({ kind: 'record' }),
  };
}

describe('context files', () => {
  const triage = () =>
    watch([user('We chose SQLite because it needs no server.\npassword = "correct-horse-9-battery"'), user('Always use single quotes in TypeScript files.')]);

  it('are written for what fired, under their names, private and without secrets, and the block names them', async () => {
    const { staging, folder } = staged();
    const { block, files, warnings } = await stageContexts(staging, triage());
    expect(files).toEqual({
      decision: path.join(folder, '.memory-triage-context-decision.txt'),
      preference: path.join(folder, '.memory-triage-context-preference.txt'),
    });
    expect(warnings).toEqual([]);
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
    expect(parseTriageBlock(block)).toMatchObject([
      { category: 'decision', context_file: files.decision },
      { category: 'preference', context_file: files.preference },
    ]);
    const text = fs.readFileSync(files.decision ?? '', 'utf8');
    expect(text).toMatch(/^Category: decision\nScore: 0\.\d+\nDescription: .+\n\n<transcript_data>\n/);
    expect(text).toContain('We chose SQLite');
    expect(text).not.toContain('correct-horse-9-battery');
  });

  it('that cannot be written are left out of the block with a warning', async () => {
    const { staging, folder } = staged();
    fs.mkdirSync(path.join(folder, '.memory-triage-context-decision.txt'));
    const { block, files, warnings } = await stageContexts(staging, triage());
    expect(Object.keys(files)).toEqual(['preference']);
    expect(warnings).toEqual([expect.stringContaining('decision is skipped')]);
    expect(parseTriageBlock(block).find(({ category }) => category === 'decision')).not.toHaveProperty('context_file');
  });

  it('are none when nothing fired', async () => {
    const { staging } = staged();
    expect(await stageContexts(staging, watch([user('Thanks!')]))).toEqual({ block: '', files: {}, warnings: [] });
  });
});

describe('one command saves the staged drafts', () => {
  it('that passed, and says what it did with each; what is done is cleared away', async () => {
    const { draft, save: run, records, folder } = staged();
    const first = draft('decision', DECISION, PASSED);
    draft('preference', PREFERENCE, { result: 'PASS', issues: [{ severity: 'ADVISORY', text: 'short' }] });
    const said: string[] = [];
    expect(must(await run({ say: (line) => void said.push(line) }))).toMatchObject([
      { category: 'decision', status: 'saved', action: 'CREATE', draft: first, justification: 'a storage engine was chosen', id: 'use-sqlite-for-storage' },
      { category: 'preference', status: 'saved', action: 'CREATE', issues: ['short'] },
    ]);
    expect(said).toEqual(['CREATE decision: a storage engine was chosen', 'CREATE preference: a style was asked for']);
    expect(records().map(({ trust }) => trust)).toEqual(['observed', 'observed']);
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('but not what triage has not asked for', async () => {
    const { draft, folder, save: run, records } = staged();
    const file = draft('decision', { action: 'create', justification: 'a page said so', record: DECISION.record }, PASSED);
    fs.rmSync(path.join(folder, '.memory-triage-context-decision.txt'));
    expect(must(await run())).toMatchObject([{ status: 'skipped', justification: 'not requested' }]);
    expect(records()).toEqual([]);
    expect(fs.existsSync(file)).toBe(true);
  });

  it('but not those that were blocked, nor those that nobody verified', async () => {
    const { draft, save: run, records } = staged();
    const blocked = draft('decision', DECISION, { result: 'FAIL', issues: [{ severity: 'BLOCK', text: 'invented' }] });
    const unverified = draft('preference', PREFERENCE);
    expect(must(await run())).toMatchObject([
      { category: 'decision', status: 'blocked', issues: ['invented'] },
      { category: 'preference', status: 'skipped', warnings: [expect.stringContaining('no verdict')] },
    ]);
    expect(records()).toEqual([]);
    expect([fs.existsSync(blocked), fs.existsSync(unverified)]).toEqual([false, true]);
  });

  it('that the agent names as passed, unless a verdict says otherwise', async () => {
    const { draft, save: run } = staged();
    const drafts = [draft('decision', DECISION), draft('preference', PREFERENCE, { result: 'BLOCK', issues: ['no'] })];
    expect(must(await run({ drafts }))).toMatchObject([{ status: 'saved' }, { status: 'blocked' }]);
  });

  it('and keeps the one that failed, to be mended, without losing the others', async () => {
    const { draft, save: run, records } = staged();
    const broken = draft('decision', { title: 'x', content: { decision: 'y' } }, PASSED);
    draft('preference', PREFERENCE, PASSED);
    draft('runbook', '{"half": ', PASSED);
    expect(must(await run())).toMatchObject([
      { category: 'decision', status: 'failed', error: { code: 'VALIDATION_ERROR', fields: expect.arrayContaining(['content.rationale']) as string[] } },
      { category: 'preference', status: 'saved' },
      { category: 'runbook', status: 'failed', error: { code: 'INPUT_ERROR' } },
    ]);
    expect(records()).toHaveLength(1);
    expect(fs.existsSync(broken)).toBe(true);
  });

  it('and updates the record that a draft names', async () => {
    const { opened, draft, save: run } = staged();
    const { place } = must(
      await save(
        opened.memory,
        'decision',
        { title: 'Use SQLite', content: { status: 'proposed', context: 'x', decision: 'y', rationale: ['a'] } },
        { actor: 'capture' },
      ),
    );
    draft(
      'decision',
      { action: 'update', target: place.path, justification: 'accepted', record: { content: { status: 'accepted', rationale: ['b'] } } },
      PASSED,
    );
    expect(must(await run())).toMatchObject([{ status: 'saved', action: 'UPDATE' }]);
    expect(must(await currentRecord(opened.memory, place)).record).toMatchObject({ content: { status: 'accepted', rationale: ['a', 'b'] } });
  });

  it('and retires by a deletion that names target and reason', async () => {
    const { opened, draft, save: run, records } = staged();
    const { place } = must(await save(opened.memory, 'constraint', { title: 'Rate limit' }, { actor: 'capture' }));
    draft('constraint', { action: 'delete', target: place.path, reason: 'the limit was lifted' }, PASSED);
    expect(must(await run())).toMatchObject([{ status: 'saved', action: 'DELETE', justification: 'the limit was lifted' }]);
    expect(records()).toMatchObject([{ status: 'retired' }]);
  });

  it('and refuses a target of another category, or one that is gone', async () => {
    const { opened, draft, save: run } = staged();
    const { place } = must(await save(opened.memory, 'runbook', { title: 'A fix' }));
    draft('decision', { action: 'update', target: place.path, record: DECISION.record }, PASSED);
    draft('constraint', { action: 'delete', target: 'constraints/nothing.md', reason: 'x' }, PASSED);
    expect(must(await run())).toMatchObject([
      { category: 'constraint', status: 'failed', error: { code: 'NOT_FOUND' } },
      { category: 'decision', status: 'failed', error: { code: 'VALIDATION_ERROR' } },
    ]);
  });

  it('and never makes a second record of one that says the same', async () => {
    const { draft, save: run, records } = staged();
    draft('decision', DECISION, PASSED);
    must(await run());
    draft('decision', DECISION, PASSED);
    expect(must(await run())).toMatchObject([{ status: 'nothing' }]);
    expect(records()).toHaveLength(1);
  });

  it.each([
    ['/etc/.memory-draft-decision-1.json', 'SECURITY_ERROR'],
    ['/tmp/../etc/.memory-draft-decision-1.json', 'SECURITY_ERROR'],
    ['/tmp/other.json', 'SECURITY_ERROR'],
  ])('but refuses all when one comes from %s', async (place, code) => {
    const { draft, save: run, records } = staged();
    expect(await run({ drafts: [draft('decision', DECISION, PASSED), place] })).toMatchObject({ ok: false, error: { code } });
    expect(records()).toEqual([]);
  });

  it('but refuses a link', async () => {
    const { opened, folder, save: run } = staged();
    const outside = path.join(opened.home, 'outside.json');
    fs.writeFileSync(outside, JSON.stringify(DECISION));
    const link = path.join(folder, '.memory-draft-decision-1.json');
    fs.symlinkSync(outside, link);
    expect(must(await run({ drafts: [link] }))).toMatchObject([{ status: 'failed', error: { code: 'SECURITY_ERROR' } }]);
    fs.rmSync(link);
    fs.linkSync(outside, link);
    expect(must(await run({ drafts: [link] }))).toMatchObject([{ status: 'failed', error: { code: 'SECURITY_ERROR' } }]);
  });

  it('but takes only named drafts from a folder that others use', async () => {
    const { draft, save: run } = staged(openMemory(), false);
    const file = draft('decision', DECISION, PASSED);
    expect(await run()).toMatchObject({ ok: false, error: { code: 'USAGE_ERROR' } });
    expect(must(await run({ drafts: [file] }))).toMatchObject([{ status: 'saved' }]);
  });

  it('also from /tmp, under the names that the skill gives them', async () => {
    const { save: run } = staged();
    const file = `/tmp/.memory-draft-decision-${process.pid}.json`;
    fs.writeFileSync(file, JSON.stringify(DECISION), { mode: 0o600 });
    try {
      expect(must(await run({ drafts: [file] }))).toMatchObject([{ status: 'saved' }]);
      expect(fs.existsSync(file)).toBe(false);
    } finally {
      fs.rmSync(file, { force: true });
    }
  });
});
