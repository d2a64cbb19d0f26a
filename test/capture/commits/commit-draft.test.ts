import { describe, expect, it } from 'vitest';
import { commitDraft, commitDrafts } from '../../../src/capture/commits/commit-draft.ts';
import { surveyOf } from '../../../src/capture/commits/survey.ts';
import type { CommitFacts } from '../../../src/core/episode/episode.ts';
import { newRecord } from '../../../src/core/lifecycle/create.ts';

let count = 0;
const commit = (subject: string, body = '', more: Partial<CommitFacts> = {}): CommitFacts => ({
  id: String(++count).padStart(40, 'a'),
  at: `2026-01-${String((count % 28) + 1).padStart(2, '0')}T10:00:00Z`,
  subject,
  body,
  merge: false,
  files: ['src/store.ts'],
  ...more,
});

describe('a commit that says why', () => {
  it('may state in its subject what holds in general; the statement is kept whole', () => {
    const body = 'Local times broke the nightly report twice a year. Columns ending in _at are UTC; the web page converts.';
    expect(commitDraft(commit('Store timestamps in UTC everywhere', body))?.draft['content']).toMatchObject({
      decision: 'Store timestamps in UTC everywhere',
      context: 'Columns ending in _at are UTC; the web page converts.',
      rationale: ['Local times broke the nightly report twice a year'],
    });
    expect(commitDraft(commit('Store timestamps in UTC', body))).toBeUndefined();
    expect(commitDraft(commit('Reformat all files', 'No change in behaviour.'))).toBeUndefined();
  });

  it('is a decision with its reason, what was turned down, its files and its id', () => {
    const one = commit(
      'feat(store): Use SQLite instead of PostgreSQL (#12)',
      'A server is one more thing to run.\nWe keep one file a project because a backup is then a copy.\n\nSigned-off-by: A B <a@example.org>',
    );
    const made = commitDraft(one);
    expect(made?.draft).toMatchObject({
      category: 'decision',
      title: 'Use SQLite instead of PostgreSQL',
      created_at: one.at,
      trust: 'observed',
      origin: { channel: 'git', message_ids: [one.id] },
      related_files: ['src/store.ts'],
      content: {
        status: 'accepted',
        decision: 'Use SQLite instead of PostgreSQL',
        alternatives: [{ option: 'PostgreSQL' }],
        rationale: ['We keep one file a project because a backup is then a copy'],
      },
    });
    expect(JSON.stringify(made?.draft)).not.toContain('Signed-off-by');
    expect(newRecord(made?.draft ?? {}, 'decision', 'x', 0)).toMatchObject({ ok: true });
  });

  it('states a rule without a because: the record has the statement whole', () => {
    const body =
      'BATCH_SIZE is 40, measured on the slowest printer. A larger batch overruns its buffer and prints blank labels. Keep it at 40; it must never be rounded up.';
    const { content } = (commitDraft(commit('fix: size label batches by the printer', body))?.draft ?? {}) as { content: Record<string, unknown> };
    for (const part of ['BATCH_SIZE is 40', 'overruns its buffer', 'must never be rounded up']) expect(JSON.stringify(content)).toContain(part);
  });

  it.each([
    ['Retry the upload because the gateway drops idle connections', ''],
    [
      'Cap the cache at 100 entries',
      'Without a cap the process grew until it was killed, which would break the nightly run.\nIt is cleared on start to avoid stale entries.',
    ],
    ['fix: compare tokens in constant time', 'A plain comparison leaks timing, so that an attacker can guess a token byte by byte.'],
  ])('%s', (subject, body) => {
    expect(commitDraft(commit(subject, body))).toBeDefined();
  });

  it.each([
    ['Add a button', ''],
    ['Fix typo in README', ''],
    ['chore(deps): bump zod from 4.1 to 4.2', 'Because a new version is out, instead of the old one.'],
    ['Merge branch main into feature', 'because'],
    ['Update dependencies', 'They were old.'],
    ['wip because I must leave', ''],
    ['Bump version to 2.0.1', 'The version must always match the tag that the release is made from.'],
    ['v2.0.1', 'Released because it is time'],
    ['Rename a variable', '    because this is code\n> because this is quoted'],
  ])('is not one that only says what: %s', (subject, body) => {
    expect(commitDraft(commit(subject, body))).toBeUndefined();
  });

  it('nor a merge', () => expect(commitDraft(commit('Use SQLite because it is small', '', { merge: true }))).toBeUndefined());

  it('that was taken back later is a dead end, not a fact', () => {
    const first = commit('Use a worker thread because parsing blocks the prompt');
    const drafts = commitDrafts([commit('Revert "Use a worker thread"', `This reverts commit ${first.id.slice(0, 12)}, because it was slower.`), first], 10);
    expect(drafts).toHaveLength(1);
    expect(drafts[0]?.draft).toMatchObject({ title: expect.stringMatching(/^Dead end: Use a worker thread/), content: { status: 'deprecated' } });
    expect(drafts[0]?.draft['tags']).toContain('dead-end');
  });

  it('keeps the plainest reasons where there are too many', () => {
    const plain = commit('Use tabs because the linter wants them', 'They take less room, so that diffs stay small.');
    const many = Array.from({ length: 20 }, (_, at) => commit(`Change part ${at} to avoid a crash`, 'It would fail.'));
    expect(commitDrafts([...many, plain], 3).map(({ commit: { id } }) => id)).toContain(plain.id);
    expect(commitDrafts([...many, plain], 3)).toHaveLength(3);
  });
});

it('a survey tells the age of a history, where work goes on and what was done last', () => {
  const old = commit('Begin', '', { at: '2024-01-01T00:00:00Z', files: ['old/a.ts'] });
  const draft = surveyOf([commit('Second', '', { at: '2026-02-02T00:00:00Z' }), commit('First', '', { at: '2026-02-01T00:00:00Z' }), old], 'shop');
  expect(draft).toMatchObject({
    title: 'What the history of shop tells',
    content: {
      summary: '3 commits from 2024-01-01 to 2026-02-02, 2 commits in the last 90 days. Work goes on in src (2).',
      key_findings: ['Changed most of late: src/store.ts (2)', '2026-02-02: Second', '2026-02-01: First', '2024-01-01: Begin'],
    },
  });
  expect(newRecord(draft ?? {}, 'analysis', 'x', 0)).toMatchObject({ ok: true });
  expect(surveyOf([], 'shop')).toBeUndefined();
});
