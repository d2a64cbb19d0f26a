import { describe, expect, it } from 'vitest';
import { type Action, candidateAnswer, type CandidateEntry, resolveCud, type Structural } from '../../../src/core/lifecycle/candidate.ts';
import { mayReplace } from '../../../src/core/lifecycle/create.ts';
import { gcVerdict, isExpired, planWindow, type SummaryFile } from '../../../src/core/lifecycle/window.ts';
import { archive, restore, retire, unarchive } from '../../../src/core/lifecycle/status.ts';
import type { Category } from '../../../src/core/record/category.ts';
import type { RecordOf } from '../../../src/core/record/schema.ts';
import { sameMatter } from '../../../src/recall/match/same-matter.ts';
import { sample } from '../sample.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const ago = (hours: number): string => new Date(NOW - hours * 3_600_000).toISOString();
const active = sample('decision');
const retired = sample('decision', { record_status: 'retired', retired_at: ago(2), retired_reason: 'old' });
const archived = sample('decision', { record_status: 'archived', archived_at: ago(2), archived_reason: 'old' });

describe('status', () => {
  it.each([
    [
      'retire',
      retire(active, 'gone', NOW),
      { status: 'retired', record: { record_status: 'retired', retired_reason: 'gone', retired_at: '2026-03-01T12:00:00Z' } },
    ],
    ['retire without a reason', retire(active, undefined, NOW), { status: 'retired', reason: 'No reason provided' }],
    ['retire twice', retire(retired, 'x', NOW), { status: 'already_retired' }],
    ['restore', restore(retired, NOW), { status: 'restored', record: { record_status: 'active' } }],
    ['restore what is active', restore(active, NOW), { status: 'already_active' }],
    ['archive', archive(active, 'history', NOW), { status: 'archived', record: { record_status: 'archived', archived_reason: 'history' } }],
    ['archive twice', archive(archived, 'x', NOW), { status: 'already_archived' }],
    ['unarchive', unarchive(archived, NOW), { status: 'unarchived', record: { record_status: 'active' } }],
  ])('%s', (_what, outcome, wanted) => {
    expect(outcome).toMatchObject({ ok: true, value: wanted });
  });

  it.each([
    ['retire what is archived', retire(archived, 'x', NOW), 'DELETE_ERROR'],
    ['restore what is archived', restore(archived, NOW), 'RESTORE_ERROR'],
    ['archive what is retired', archive(retired, 'x', NOW), 'ARCHIVE_ERROR'],
    ['unarchive what is active', unarchive(active, NOW), 'UNARCHIVE_ERROR'],
    ['unarchive what is retired', unarchive(retired, NOW), 'UNARCHIVE_ERROR'],
  ])('refuses to %s', (_what, outcome, code) => {
    expect(outcome).toMatchObject({ ok: false, error: { code } });
  });

  it('leaves no mark of the status it came from', () => {
    const back = restore(retired, NOW);
    expect(back.ok && back.value.record && Object.keys(back.value.record)).not.toContain('retired_at');
    expect(back.ok && back.value.record?.changes?.at(-1)).toMatchObject({ field: 'record_status', old_value: 'retired', new_value: 'active' });
  });

  it('fits a long reason into its change entry', () => {
    const long = retire(active, 'x'.repeat(1_000), NOW);
    expect(long.ok && long.value.record?.changes?.at(-1)?.summary).toHaveLength(300);
  });
});

describe('mayReplace', () => {
  it.each([
    ['an active record', active, 'CREATE_OVERWRITE_ERROR'],
    ['an archived record', archived, 'CREATE_OVERWRITE_ERROR'],
    ['a record retired 23 hours ago', sample('decision', { record_status: 'retired', retired_at: ago(23) }), 'ANTI_RESURRECTION_ERROR'],
    ['a record retired in the future', sample('decision', { record_status: 'retired', retired_at: ago(-5) }), 'ANTI_RESURRECTION_ERROR'],
  ])('refuses to take the place of %s', (_what, record, code) => {
    expect(mayReplace(record, NOW)).toMatchObject({ ok: false, error: { code } });
  });

  it.each([
    ['25 hours ago', { record_status: 'retired', retired_at: ago(25) }],
    ['at an unknown time', { record_status: 'retired' }],
  ])('takes the place of a record retired %s', (_when, change) => {
    expect(mayReplace(sample('decision', change), NOW)).toEqual({ ok: true, value: true });
  });
});

describe('resolveCud', () => {
  const table: readonly [Structural, Action, Action][] = [
    ['CREATE', 'CREATE', 'CREATE'],
    ['CREATE', 'UPDATE', 'CREATE'],
    ['CREATE', 'DELETE', 'NOOP'],
    ['UPDATE_OR_DELETE', 'UPDATE', 'UPDATE'],
    ['UPDATE_OR_DELETE', 'DELETE', 'DELETE'],
    ['UPDATE_OR_DELETE', 'CREATE', 'CREATE'],
    ['UPDATE', 'UPDATE', 'UPDATE'],
    ['UPDATE', 'DELETE', 'UPDATE'],
    ['UPDATE', 'CREATE', 'CREATE'],
    ['NOOP', 'CREATE', 'NOOP'],
    ['VETO', 'UPDATE', 'NOOP'],
  ];

  it.each(table)('%s and %s give %s', (structural, wish, action) => {
    expect(resolveCud({ structural, requested: wish })).toBe(action);
  });

  it('obeys a veto and a NOOP decided before', () => {
    expect(resolveCud({ structural: 'UPDATE', requested: 'UPDATE', vetoes: ['no'] })).toBe('NOOP');
    expect(resolveCud({ structural: 'CREATE', requested: 'CREATE', preAction: 'NOOP' })).toBe('NOOP');
  });
});

describe('the candidate', () => {
  const findCandidate = (category: Category, info: string, known: readonly CandidateEntry[], event?: string) =>
    candidateAnswer(category, sameMatter(info, known), event);
  const entries = [
    { path: 'runbooks/b.md', title: 'Renew ssl certificate', tags: ['tls'] },
    { path: 'runbooks/a.md', title: 'Fix docker build memory crash', tags: ['docker', 'oom'] },
  ];

  it.each([
    [
      'the best match',
      'docker memory crash certificate',
      undefined,
      { candidate: { path: 'runbooks/a.md' }, structural_cud: 'UPDATE_OR_DELETE', pre_action: null },
    ],
    ['nothing similar', 'kubernetes ingress', undefined, { candidate: null, structural_cud: 'CREATE', pre_action: 'CREATE' }],
    ['an event without a record', 'kubernetes ingress', 'resolved', { candidate: null, structural_cud: 'NOOP', pre_action: 'NOOP' }],
    ['one shared word, which is too little', 'memory', undefined, { candidate: null }],
  ])('finds %s', (_what, info, event, wanted) => {
    expect(findCandidate('runbook', info, entries, event)).toMatchObject({ ok: true, value: wanted });
  });

  it('never offers to delete a decision', () => {
    expect(findCandidate('decision', 'docker build memory', entries)).toMatchObject({ ok: true, value: { delete_allowed: false, structural_cud: 'UPDATE' } });
  });

  it('refuses an unknown event', () => {
    expect(findCandidate('runbook', 'x', entries, 'exploded')).toMatchObject({ ok: false, error: { code: 'USAGE_ERROR' } });
  });
});

describe('planWindow', () => {
  const session = (n: number, more: object = {}, content: object = {}): SummaryFile => ({
    path: `sessions/s${n}.md`,
    record: sample('session_summary', {
      id: `s${n}`,
      created_at: `2026-02-0${n}T10:00:00Z`,
      content: { ...sample('session_summary').content, ...content },
      ...more,
    }) as RecordOf<'session_summary'>,
  });
  const six = [1, 2, 3, 4, 5, 6].map((n) => session(n));

  it('retires the oldest beyond the limit', () => {
    expect(planWindow(six, 5, []).retire.map(({ record }) => record.id)).toEqual(['s1']);
    expect(planWindow(six.slice(1), 5, []).retire).toEqual([]);
  });

  it('counts active sessions only', () => {
    expect(planWindow([...six.slice(1), session(9, { record_status: 'retired' })], 5, []).retire).toEqual([]);
    const bare = six.map(({ path, record: { record_status: _status, ...rest } }) => ({ path, record: rest as RecordOf<'session_summary'> }));
    expect(planWindow(bare, 5, []).retire.map(({ record }) => record.id)).toEqual(['s1']);
  });

  it('stops at its safety valve', () => {
    expect(planWindow(six, 1, [], 2)).toMatchObject({ activeAfter: 4 });
  });

  it('warns of content that nothing else holds', () => {
    const blocked = session(1, {}, { completed: [], blockers: ['The vendor is silent'], next_actions: ['Call the bank'] });
    expect(planWindow([blocked, ...six.slice(1)], 5, []).warnings).toEqual([expect.stringContaining('elsewhere: The vendor is silent; Call the bank.')]);
    const unique = session(1, {}, { completed: ['Decided to drop Internet Explorer'], next_actions: [] });
    expect(planWindow([unique, ...six.slice(1)], 5, []).warnings).toEqual([
      'WARNING: Session s1 contains unique content not captured elsewhere: Decided to drop Internet Explorer. Consider saving these before retirement.',
    ]);
    expect(planWindow([unique, ...six.slice(1)], 5, ['Drop Internet Explorer support, decided']).warnings).toEqual([]);
  });
});

describe('gc', () => {
  const rules = { graceDays: 30, archives: 'summaries' } as const;
  it.each([
    ['an active record', active, 'keep'],
    ['an archived record', archived, 'keep'],
    ['a record within its grace period', retired, 'keep'],
    ['a record past it', sample('decision', { record_status: 'retired', retired_at: ago(24 * 30) }), 'purge'],
    ['a session past it', sample('session_summary', { record_status: 'retired', retired_at: ago(24 * 31) }), 'archive'],
    ['a retired record without a date', sample('decision', { record_status: 'retired' }), 'undated'],
  ])('%s', (_what, record, verdict) => {
    expect(gcVerdict(record, rules, NOW)).toBe(verdict);
  });

  it.each(['decision', 'session_summary', 'subagent_report'] as const)(
    'archives every category where its user says so, and none where they say no: %s',
    (category) => {
      const old = sample(category, { record_status: 'retired', retired_at: ago(24 * 31) });
      expect([gcVerdict(old, { graceDays: 30, archives: 'all' }, NOW), gcVerdict(old, { graceDays: 30, archives: 'none' }, NOW)]).toEqual(['archive', 'purge']);
    },
  );

  it('expires what outlived its category', () => {
    expect(isExpired(active, 30, NOW)).toBe(true);
    expect(isExpired(active, 0, NOW)).toBe(false);
    expect(isExpired(active, 90, NOW)).toBe(false);
  });
});
