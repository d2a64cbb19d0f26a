import { describe, expect, test } from 'vitest';
import { ask, library, named } from './library.ts';

/** Enough other text that rare words are rare. */
function withNoise(): ReturnType<typeof library> {
  const shelf = library();
  const topics = [
    'the build is slow on the old machine',
    'tests pass and lint is clean',
    'we moved the changelog to a folder',
    'the viewer shows a table of sizes',
    'a hook prints one line',
  ];
  topics.forEach((text, nth) => shelf.session(`noise-${nth}`, [{ text: `${text}.` }, { role: 'user', text: `Please look at it again, number ${nth}.` }]));
  return shelf;
}

describe('identifiers, paths and error codes', () => {
  const shelf = withNoise()
    .record({ id: 'auth', title: 'AuthService owns the session', body: 'Defined in src/auth/service.ts.', files: ['src/auth/service.ts'] })
    .record({ id: 'code', title: 'ERR_AUTH_42 means a stale token' })
    .record({ id: 'pay', title: 'PaymentGateway retries three times' });

  test.each([
    ['AuthService', 'auth'],
    ['auth_service', 'auth'],
    ['src/auth/service.ts', 'auth'],
    ['service.ts', 'auth'],
    ['ERR_AUTH_42', 'code'],
    ['err auth 42', 'code'],
    ['payment gateway', 'pay'],
    ['paymentgateway', 'pay'],
    ['retry of payments', 'pay'],
  ])('%s → %s', async (question, id) => {
    expect(named(await ask(shelf, question))[0]).toBe(id);
  });
});

describe('a word misspelt by one letter is found when the exact word finds nothing', () => {
  const shelf = withNoise()
    .record({ id: 'edu', title: 'Education budget' })
    .record({ id: 'tour', title: 'Tournament rules' })
    .record({ id: 'educator', title: 'Cats' });

  test.each([
    ['educaton budget', 'edu'],
    ['torunament', 'tour'],
    ['tournamant rules', 'tour'],
    ['tourn*', 'tour'],
    ['tournam', 'tour'],
  ])('%s → %s', async (question, id) => {
    expect(named(await ask(shelf, question))[0]).toBe(id);
  });

  test('an exact word is not widened', async () => {
    expect(named(await ask(shelf, 'cats'))).toEqual(['educator']);
  });
});

describe('scripts without spaces', () => {
  const shelf = withNoise()
    .record({ id: 'zh', title: '数据库连接超时的处理', body: '连接池的大小改为二十。' })
    .record({ id: 'ja', title: 'ログイン画面のエラー処理' })
    .record({ id: 'ko', title: '검색 엔진 성능 개선' })
    .record({ id: 'th', title: 'การตั้งค่าเซิร์ฟเวอร์' });

  test.each([
    ['连接超时', 'zh'],
    ['数据库', 'zh'],
    ['エラー処理', 'ja'],
    ['画面', 'ja'],
    ['검색', 'ko'],
    ['เซิร์ฟเวอร์', 'th'],
  ])('%s → %s', async (question, id) => {
    expect(named(await ask(shelf, question))[0]).toBe(id);
  });
});

describe('a time in the question', () => {
  const said = (at: string): { readonly role: 'user'; readonly speaker: string; readonly at: string; readonly text: string } => ({
    role: 'user',
    speaker: 'Ann',
    at,
    text: 'I went to a concert with my sister.',
  });
  const shelf = withNoise()
    .session('march', [said('2026-03-10T10:00:00Z')])
    .session('may', [said('2026-05-07T10:00:00Z')])
    .session('lastweek', [said('2026-06-10T10:00:00Z')]);

  test.each([
    ['Which concert did Ann go to in March?', 'march'],
    ['the concert on 7 May 2026', 'may'],
    ['concert last week', 'lastweek'],
    ['concert before April 2026', 'march'],
    ['concert a week ago', 'lastweek'],
  ])('%s → %s', async (question, session) => {
    expect((await ask(shelf, question))[0]?.candidate.row.id).toBe(session);
  });

  test('a filter leaves out what lies outside it', async () => {
    const hits = await ask(shelf, 'concert', { filter: { since: Date.UTC(2026, 4, 1), until: Date.UTC(2026, 5, 1) } });
    expect(hits.map(({ candidate }) => candidate.row.id)).toEqual(['may']);
  });
});

describe('supersession', () => {
  const old = {
    id: 'use-mysql',
    title: 'Use MySQL for the job queue',
    body: 'MySQL job queue, because the team knows MySQL.',
    row: { supersededBy: 'use-postgres' },
  };

  test('the current decision outranks the one it replaced, and both say so', async () => {
    const shelf = withNoise().record(old).record({ id: 'use-postgres', title: 'Use PostgreSQL for the queue' });
    const hits = await ask(shelf, 'MySQL job queue');
    expect(named(hits).slice(0, 2)).toEqual(['use-postgres', 'use-mysql']);
    expect(hits[0]?.replaces).toBe('use-mysql');
    expect(hits[1]?.replacedBy).toBe('use-postgres');
    expect(hits[0]?.parts.some(({ signal }) => signal === 'replaces')).toBe(true);
  });

  test('it is brought in when it shares no word with the question', async () => {
    const shelf = withNoise().record(old).record({ id: 'use-postgres', title: 'One PostgreSQL instead' });
    expect(named(await ask(shelf, 'MySQL job')).slice(0, 2)).toEqual(['use-postgres', 'use-mysql']);
  });

  test('the last of a chain stands first', async () => {
    const shelf = withNoise()
      .record({ ...old, row: { supersededBy: 'second' } })
      .record({ id: 'second', title: 'Queue on Redis', row: { supersededBy: 'third' } })
      .record({ id: 'third', title: 'Queue in files' });
    expect(named(await ask(shelf, 'MySQL job queue'))[0]).toBe('third');
  });

  test('a ring is no succession', async () => {
    const shelf = withNoise()
      .record({ ...old, row: { supersededBy: 'second' } })
      .record({ id: 'second', title: 'Queue on Redis', row: { supersededBy: 'use-mysql' } });
    expect(named(await ask(shelf, 'MySQL job queue'))[0]).toBe('use-mysql');
  });

  test('what replaced it but is gone changes nothing', async () => {
    expect(named(await ask(withNoise().record(old), 'MySQL job queue'))[0]).toBe('use-mysql');
  });
});

describe('nothing is found', () => {
  test.each(['zebra crossing', '', '   ', 'the and of', '🎉', '***', '"'])('for %j', async (question) => {
    expect(await ask(withNoise(), question)).toEqual([]);
  });

  test('in an empty index', async () => {
    expect(await ask(library(), 'anything')).toEqual([]);
  });
});

describe('signals', () => {
  const same = { title: 'Retry the upload', body: 'Uploads are retried.' };

  test.each([
    ['confirmed before observed', { trust: 'confirmed' }, {}],
    ['observed before quarantined', {}, { trust: 'quarantined' }],
    ['active before retired', {}, { status: 'retired' }],
    ['useful before wrong', { feedback: 1 }, { feedback: -1 }],
    ['a decision before a report', { category: 'decision' }, { category: 'subagent_report' }],
  ] as const)('%s', async (_, better, worse) => {
    const shelf = withNoise()
      .record({ id: 'worse', ...same, row: worse })
      .record({ id: 'better', ...same, row: better });
    expect(named(await ask(shelf, 'retry upload', { filter: { includeRetired: true } })).slice(0, 2)).toEqual(['better', 'worse']);
  });

  test('newer before older', async () => {
    const shelf = withNoise()
      .record({ id: 'older', ...same, at: '2024-01-01' })
      .record({ id: 'newer', ...same, at: '2026-06-01' });
    expect(named(await ask(shelf, 'retry upload')).slice(0, 2)).toEqual(['newer', 'older']);
  });

  test('files at hand, also when only the name is given', async () => {
    const shelf = withNoise()
      .record({ id: 'other', ...same, files: ['src/io/download.ts'] })
      .record({ id: 'this', ...same, files: ['src/io/upload.ts'] });
    expect(named(await ask(shelf, 'retry', { files: ['upload.ts'] }))[0]).toBe('this');
  });

  test('this project before another', async () => {
    const near = withNoise().record({ id: 'near', ...same });
    const far = withNoise().record({ id: 'far', ...same });
    expect(named(await ask([near, far], 'retry upload')).slice(0, 2)).toEqual(['near', 'far']);
  });

  test('a quoted phrase before its words', async () => {
    const shelf = withNoise().record({ id: 'words', title: 'Upload, then retry. Retry upload twice.' }).record({ id: 'phrase', title: 'We retry the upload' });
    expect(named(await ask(shelf, '"retry the upload"'))[0]).toBe('phrase');
  });
});

describe('filters', () => {
  const shelf = withNoise()
    .record({ id: 'decision', title: 'Cache for a day', row: { category: 'decision' } })
    .record({ id: 'runbook', title: 'Cache reset', row: { category: 'runbook' } })
    .record({ id: 'retired', title: 'Cache for an hour', row: { status: 'retired' } })
    .session('talk', [{ text: 'The cache is warm now.' }]);

  test.each([
    ['all that is active', {}, ['decision', 'runbook', 'talk:1']],
    ['records', { type: 'record' }, ['decision', 'runbook']],
    ['messages', { type: 'session' }, ['talk:1']],
    ['a category', { category: 'runbook' }, ['runbook']],
    ['with what was retired', { type: 'record', includeRetired: true }, ['decision', 'retired', 'runbook']],
  ] as const)('%s', async (_, filter, ids) => {
    expect([...named(await ask(shelf, 'cache', { filter }))].toSorted()).toEqual(ids);
  });
});
