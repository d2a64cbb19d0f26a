import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SqliteInjectionLog } from '../../../src/adapters/sqlite/injections.ts';
import { logOf } from '../../../src/app/history/log.ts';
import { show } from '../../../src/app/read/show.ts';
import { moveRecord } from '../../../src/app/write/status.ts';
import { filesUnder } from '../../scratch.ts';
import { must, openMemory, save } from '../memory.ts';

describe('createRecord', () => {
  it('names each category as the documents do', async () => {
    const { memory } = openMemory();
    const named = async (...args: Parameters<typeof save> extends [unknown, ...infer Rest] ? Rest : never) => must(await save(memory, ...args)).place.path;
    expect(await named('decision', { title: 'Use SQLite' })).toBe('decisions/2026-03-01_001_use-sqlite.md');
    expect(await named('decision', { title: 'Use WAL' })).toBe('decisions/2026-03-01_002_use-wal.md');
    expect(await named('analysis', { title: 'Analysis: AuthService', content: { path: 'src/services/AuthService.ts', type: 'file', summary: 's' } })).toBe(
      'analysis/src_services_AuthService.md',
    );
    expect(await named('subagent_report', { title: 'Find callers' })).toBe('subagent/2026-03-01_120000_find-callers.md');
    expect(await named('subagent_report', { title: 'Find callers', tags: ['again'] })).toBe('subagent/2026-03-01_120000_find-callers-2.md');
    expect(await named('session_summary', { title: 'Day one' }, { sessionId: '0b5c9f3e-1d2a-4c4b-9f61-2f0a6e2d9c11' })).toBe(
      'sessions/0b5c9f3e-1d2a-4c4b-9f61-2f0a6e2d9c11.md',
    );
    expect(await named('session_summary', { title: 'Day two' }, { sessionId: 'Run.7_A' })).toBe('sessions/Run.7_A.md');
    expect(await named('runbook', { title: 'Ünïcödé Tïtle' })).toBe('runbooks/unicode-title.md');
    expect(await named('preference', { title: '日本語の設定' })).toMatch(/^preferences\/x-[0-9a-f]{10}\.md$/);
  });

  it('refuses a session id that is no file name', async () => {
    const { memory, home } = openMemory();
    expect(await save(memory, 'session_summary', {}, { sessionId: '../../etc/passwd' })).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
    expect(Object.keys(filesUnder(path.join(home, 'projects')))).toEqual([]);
  });

  it('gives a second record of the same title an id of its own, and takes the same words twice for one record', async () => {
    const { memory, root } = openMemory();
    const first = must(await save(memory, 'runbook', { title: 'Restart it' }));
    const again = must(await save(memory, 'runbook', { title: 'Restart it' }));
    const other = must(await save(memory, 'runbook', { title: 'Restart it', tags: ['other'] }));
    expect([first.status, again.status, other.status]).toEqual(['created', 'unchanged', 'created']);
    expect([again.record.id, other.record.id]).toEqual(['restart-it', 'restart-it-2']);
    expect(fs.readdirSync(path.join(root, 'runbooks'))).toEqual(['restart-it-2.md', 'restart-it.md']);
  });

  it('does not bring back what was retired today', async () => {
    const { memory, at } = openMemory();
    const { place } = must(await save(memory, 'runbook', { title: 'Restart it' }));
    must(await moveRecord(memory, 'retire', place, { actor: 'test' }));
    expect(await save(memory, 'runbook', { title: 'Restart it' })).toMatchObject({
      ok: false,
      error: { code: 'ANTI_RESURRECTION_ERROR', hint: expect.stringMatching(/another title.*wait.*restore and update/) },
    });
    at('2026-03-02T12:00:01Z');
    expect(await save(memory, 'runbook', { title: 'Restart it' })).toMatchObject({ ok: true });
  });

  it('writes JSON where the settings ask for it', async () => {
    const { memory, root } = openMemory({ storage: { format: 'json' } });
    const { place } = must(await save(memory, 'constraint', { title: 'A limit' }));
    expect(place.path).toBe('constraints/a-limit.json');
    expect(JSON.parse(fs.readFileSync(path.join(root, place.path), 'utf8'))).toMatchObject({ category: 'constraint', id: 'a-limit' });
  });

  it('stops at max_memories_per_category, counting active records only', async () => {
    const { memory } = openMemory({ max_memories_per_category: 2 });
    const first = must(await save(memory, 'runbook', { title: 'One' }));
    must(await save(memory, 'runbook', { title: 'Two' }));
    expect(await save(memory, 'runbook', { title: 'Three' })).toMatchObject({ ok: false, error: { code: 'CATEGORY_FULL' } });
    must(await moveRecord(memory, 'retire', first.place, { actor: 'test' }));
    expect(await save(memory, 'runbook', { title: 'Three' })).toMatchObject({ ok: true });
  });

  describe('a full category', () => {
    const full = async (actor: string): Promise<ReturnType<typeof openMemory>> => {
      const opened = openMemory({ max_memories_per_category: 2 });
      for (const [at, title] of ['One', 'Two'].entries()) {
        opened.at(`2026-03-01T12:0${at}:00Z`);
        must(await save(opened.memory, 'runbook', { title, trust: 'observed' }, { actor }));
      }
      return opened;
    };
    const states = ({ memory }: ReturnType<typeof openMemory>): object =>
      Object.fromEntries(memory.index.items({ category: 'runbook' }).map(({ id, status }) => [id, status]));

    it.each(['command', 'agent', 'capture'])('gives %s the room of the oldest that was kept automatically, and says so', async (actor) => {
      const opened = await full('capture');
      const written = must(await save(opened.memory, 'runbook', { title: 'Three' }, { actor }));
      expect(written.warnings).toEqual(['runbook/one was archived to make room: it was saved automatically and not confirmed']);
      expect(states(opened)).toEqual({ one: 'archived', two: 'active', three: 'active' });
      const log = must(await logOf(opened.memory, 'runbook/one', 1));
      expect(log[0]).toMatchObject({ op: 'archive', reason: 'the category was full (max_memories_per_category is 2)' });
    });

    it('keeps what a person confirmed, wrote or edited, and what a prompt has used longer than what none has', async () => {
      const opened = await full('capture');
      const { memory, home } = opened;
      must(await moveRecord(memory, 'confirm', { root: 'private', path: 'runbooks/one.md' }, { actor: 'command' }));
      must(await save(memory, 'runbook', { title: 'Three' }, { actor: 'capture' }));
      expect(states(opened)).toEqual({ one: 'active', two: 'archived', three: 'active' });
      const log = new SqliteInjectionLog(path.join(home, 'holdfast', 'projects', 'project', 'injections.db'));
      const item = { id: 'runbook/three', title: 'Three', updatedAt: '', score: 1, reasons: [] };
      log.note({ at: '2026-03-01T13:00:00Z', session: 's', event: 'prompt', tokens: 1, items: [item] });
      log.close();
      expect(await save(memory, 'runbook', { title: 'Four' }, { actor: 'capture' })).toMatchObject({ ok: false, error: { code: 'CATEGORY_FULL' } });
      must(await save(memory, 'runbook', { title: 'Five' }));
      expect(states(opened)).toMatchObject({ one: 'active', three: 'archived', five: 'active' });
      expect(await save(memory, 'runbook', { title: 'Six' })).toMatchObject({ ok: false, error: { code: 'CATEGORY_FULL' } });
    });

    it('gives nothing of the user’s, and nothing observed for what is quarantined', async () => {
      const users = await full('command');
      expect(await save(users.memory, 'runbook', { title: 'Three' }, { actor: 'capture' })).toMatchObject({ ok: false, error: { code: 'CATEGORY_FULL' } });
      const observed = await full('capture');
      const foreign = save(observed.memory, 'runbook', { title: 'Three', trust: 'quarantined' }, { actor: 'capture' });
      expect(await foreign).toMatchObject({ ok: false, error: { code: 'CATEGORY_FULL' } });
    });
  });

  it('refuses a category that is switched off', async () => {
    const { memory } = openMemory({ categories: { runbook: { enabled: false } } });
    expect(await save(memory, 'runbook')).toMatchObject({ ok: false, error: { code: 'CATEGORY_DISABLED' } });
    expect(await save(memory, 'decision')).toMatchObject({ ok: true });
  });

  it('keeps secrets from the disk and says what it kept, not the value', async () => {
    const { memory, home } = openMemory();
    const secret = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
    const written = must(
      await save(memory, 'runbook', {
        title: 'Log in',
        content: { trigger: 't', steps: [`export GITHUB_TOKEN=${secret}`], verification: 'ok <private>my own words</private>' },
      }),
    );
    expect(written.redactions.map(({ field }) => field)).toEqual(expect.arrayContaining(['content.steps.0', 'content.verification']));
    const everything = JSON.stringify([filesUnder(home), written]);
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain('my own words');
  });

  it('retires the oldest session beyond the window and says what would leave view', async () => {
    const { memory, at } = openMemory({ categories: { session_summary: { max_retained: 2 } } });
    for (const n of [1, 2]) {
      at(`2026-03-0${n}T12:00:00Z`);
      must(
        await save(
          memory,
          'session_summary',
          { title: `Day ${n}`, content: { goal: 'g', outcome: 'success', completed: [`unique thing number ${n}`], next_actions: [] } },
          { sessionId: `s${n}` },
        ),
      );
    }
    at('2026-03-03T12:00:00Z');
    const third = must(await save(memory, 'session_summary', { title: 'Day 3' }, { sessionId: 's3' }));
    expect(third.retired).toEqual(['s1']);
    expect(third.warnings).toEqual([expect.stringContaining('Session s1 contains unique content not captured elsewhere: unique thing number 1')]);
    expect(must(await show(memory, 's1')).record).toMatchObject({
      record_status: 'retired',
      retired_reason: 'Session rolling window: exceeded max_retained limit',
    });
  });

  it('notes what the related files were, and tells when they have changed', async () => {
    const { memory, project } = openMemory();
    fs.writeFileSync(path.join(project, 'a.ts'), 'one');
    execFileSync('git', ['init', '-q', project]);
    const { record } = must(await save(memory, 'decision', { title: 'About a', related_files: ['a.ts', 'missing.ts'] }));
    expect(record.evidence).toEqual([{ path: 'a.ts', blob: '43dd47ea691c90a5fa7827892c70241913351963' }]);
    expect(must(await show(memory, 'about-a')).stale).toEqual([]);
    fs.writeFileSync(path.join(project, 'a.ts'), 'two');
    expect(must(await show(memory, 'about-a')).stale).toEqual(['a.ts']);
  });

  it('leaves no trace of a project that is only looked at', async () => {
    const { memory, home } = openMemory();
    expect(await show(memory, 'nothing')).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect(fs.existsSync(home)).toBe(false);
  });
});
