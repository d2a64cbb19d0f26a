import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placesIn } from '../../../src/adapters/files/home-layout.ts';
import { openProject } from '../../open.ts';
import { called, answered, claude, fixture, read, replied, said, text } from '../../capture/transcripts/reading.ts';
import { importHome, keysOf } from './importing.ts';

const SESSION = [
  said('Use the blue button', { uuid: 'u1', sessionId: 's1' }),
  replied('m1', [text('I will.'), called('c1', 'Bash', { command: 'npm test' })], { uuid: 'a1', sessionId: 's1' }),
  answered('c1', 'all passed', {}),
  said('Thanks', { uuid: 'u2', sessionId: 's1' }),
];

describe('an import', () => {
  it('keeps every message of a transcript', async () => {
    const home = importHome();
    home.write('s1.jsonl', SESSION);
    const report = await home.run();
    expect(report).toMatchObject({ files: 1, imported: 1, sessions: 1, messages: 4, repeated: 0 });
    expect((await home.read('s1')).map(({ role, text: words }) => [role, words])).toEqual([
      ['user', 'Use the blue button'],
      ['assistant', 'I will.'],
      ['tool', 'all passed'],
      ['user', 'Thanks'],
    ]);
  });

  it('does nothing the second time: not a file is opened', async () => {
    const home = importHome();
    home.write('s1.jsonl', SESSION);
    home.write('notes/readme.json', '{"a": 1}');
    await home.run();
    const before = home.everything();
    const second = await home.run();
    expect(second).toMatchObject({ files: 2, imported: 0, unchanged: 2, bytes: 0, messages: 0, repeated: 0, skippedFiles: [] });
    expect(second.work).toEqual({ opened: 0, lines: 0 });
    expect(home.everything()).toBe(before);
  });

  it('reads only what was appended', async () => {
    const home = importHome();
    const many = Array.from({ length: 200 }, (_, n) => said(`prompt ${n}`, { uuid: `p${n}`, sessionId: 's1' }));
    const file = home.write('s1.jsonl', many);
    await home.run();
    fs.appendFileSync(file, `${said('one more', { uuid: 'late', sessionId: 's1' })}\n`);
    const report = await home.run();
    expect(report).toMatchObject({ imported: 1, messages: 1, repeated: 0 });
    expect(report.work.lines).toBe(1);
    expect(await home.read('s1')).toHaveLength(201);
  });

  it('takes a line that was cut when it is whole', async () => {
    const home = importHome();
    const line = said('a longer prompt than the first half of it', { uuid: 'u9', sessionId: 's1' });
    const file = home.write('s1.jsonl', `${SESSION.join('\n')}\n${line.slice(0, 60)}`);
    expect(await home.run()).toMatchObject({ messages: 4, skippedLines: [{ reason: 'cut-short', count: 1, line: 5 }] });
    fs.appendFileSync(file, `${line.slice(60)}\n`);
    expect(await home.run()).toMatchObject({ messages: 1, skippedLines: [] });
    expect(await home.read('s1')).toHaveLength(5);
  });

  it('takes the fuller version of a message that was still being written', async () => {
    const home = importHome();
    const part = replied('m7', [text('First I look.')], { uuid: 'a7', sessionId: 's1' });
    const file = home.write('s1.jsonl', [said('Go', { uuid: 'u7', sessionId: 's1' }), part]);
    await home.run();
    fs.appendFileSync(
      file,
      `${replied('m7', [text('Then I change it.')], { uuid: 'a8', sessionId: 's1' })}\n${said('Good', { uuid: 'u8', sessionId: 's1' })}\n`,
    );
    expect(await home.run()).toMatchObject({ messages: 1, grown: 1 });
    const messages = await home.read('s1');
    expect(messages.map(({ text: words }) => words)).toEqual(['Go', 'First I look.\n\nThen I change it.', 'Good']);
  });

  it('reads a file that was replaced or cut from its start, and doubles nothing', async () => {
    const home = importHome();
    const file = home.write('s1.jsonl', SESSION);
    await home.run();
    fs.writeFileSync(file, `${SESSION.slice(0, 2).join('\n')}\n`);
    expect(await home.run()).toMatchObject({ imported: 1, messages: 0, repeated: 2 });
    fs.writeFileSync(
      file,
      `${[...SESSION.slice(2), said('New words', { uuid: 'n1', sessionId: 's1' }), said('x'.repeat(3_000), { uuid: 'n2', sessionId: 's1' })].join('\n')}\n`,
    );
    expect(await home.run()).toMatchObject({ imported: 1, messages: 2 });
    expect(await home.read('s1')).toHaveLength(6);
  });

  it('counts a message once that several transcripts hold', async () => {
    const home = importHome();
    home.write('a.jsonl', SESSION);
    home.write('b.jsonl', [...SESSION, said('Only here', { uuid: 'u3', sessionId: 's1' })]);
    expect(await home.run()).toMatchObject({ imported: 2, messages: 5, repeated: 4, sessions: 1 });
    expect(await home.read('s1')).toHaveLength(5);
  });

  it('acknowledges nothing from a failure on, and the next one takes it all in', async () => {
    const home = importHome();
    const lines = (session: string, count: number): readonly string[] =>
      Array.from({ length: count }, (_, n) => said(`Prompt ${n} of session ${session}`, { uuid: `${session}-${n}`, sessionId: session }));
    for (const session of ['s1', 's2', 's3']) home.write(`${session}.jsonl`, lines(session, 20));
    const blocked = path.join(placesIn(home.home).state('kiosk'), 'episodes', 's2.episode.gz');
    fs.mkdirSync(blocked, { recursive: true });
    await expect(home.run({ sizes: { batch: 500, settled: 2_000 } })).rejects.toThrow('s2.episode.gz');
    fs.rmdirSync(blocked);
    const report = await home.run({ sizes: { batch: 500, settled: 2_000 } });
    expect(report.skippedFiles).toEqual([]);
    for (const session of ['s1', 's2', 's3']) expect((await home.read(session)).length, session).toBe(20);
  });

  it('says what it left out and why', async () => {
    const home = importHome();
    home.write('s1.jsonl', [...SESSION.slice(0, 1), '{"type":"user", broken', '[1]', ...SESSION.slice(1)]);
    home.write('empty.jsonl', '');
    home.write('other.json', '{"hello": "world"}');
    const report = await home.run();
    expect(report).toMatchObject({ messages: 4 });
    expect(report.skippedFiles.map(({ file, reason }) => [path.basename(file), reason])).toEqual(
      expect.arrayContaining([
        ['empty.jsonl', 'empty'],
        ['other.json', 'no transcript of a known client'],
      ]),
    );
    expect(report.skippedLines.map(({ reason, count, line }) => [reason, count, line])).toEqual([
      ['cut-short', 1, 2],
      ['not-an-object', 1, 3],
    ]);
  });
});

const FIXTURES = {
  'claude-code-2.1.jsonl': 'claude-code',
  'claude-code-1.0.jsonl': 'claude-code',
  'rollout-2025-07-01T10-00-00-019b64e5-0000-7000-8000-000000000004.jsonl': 'codex',
  'session-2025-07-01T10-00-7d0c1f00.jsonl': 'gemini',
  'session-2025-07-01T10-00-7d0c1f00.json': 'gemini',
  'opencode-export.json': 'opencode',
  'chat.jsonl': 'chat',
} as const;

describe('a transcript that grows', () => {
  it.each(Object.entries(FIXTURES))('%s cut anywhere and imported in two steps is the same as in one', async (name, client) => {
    const whole = fixture(name);
    const bytes = Buffer.from(whole);
    const expected = keysOf(read(client, whole, { path: name }).messages).toSorted();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: bytes.length - 1 }), async (cut) => {
        const home = importHome();
        const file = path.join(home.inbox, name);
        fs.writeFileSync(file, bytes.subarray(0, cut));
        await home.run({ format: client });
        fs.appendFileSync(file, bytes.subarray(cut));
        await home.run({ format: client });
        const sessions = [...new Set(expected.map((key) => key.split(' ')[0] as string))];
        const kept = (await Promise.all(sessions.map((session) => home.read(session)))).flat();
        expect(keysOf(kept).toSorted()).toEqual(expected);
      }),
      { numRuns: 12 },
    );
  });
});

describe('the project of a session', () => {
  const sessionIn = (cwd: string, id: string): string => said('hello there', { sessionId: id, uuid: `u-${id}`, cwd });

  it('is that of its folder, by the repository that holds it', async () => {
    const home = importHome();
    const repository = path.join(home.folder, 'Web Shop');
    fs.mkdirSync(path.join(repository, '.git', 'objects'), { recursive: true });
    fs.mkdirSync(path.join(repository, 'src'), { recursive: true });
    fs.writeFileSync(path.join(repository, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    home.write('s1.jsonl', [sessionIn(path.join(repository, 'src'), 's1')]);
    home.write('s2.jsonl', [sessionIn(repository, 's2')]);
    expect((await home.run()).projects).toEqual([{ key: 'web-shop', sessions: 2, messages: 2 }]);
    const opened = openProject({ home: home.home, cwd: path.join(repository, 'src'), now: Date.now });
    expect(opened.ok && opened.value.project.key).toBe('web-shop');
  });

  it('is known by the name of a folder that is gone, and found by it', async () => {
    const home = importHome();
    home.write('s1.jsonl', [sessionIn('/nowhere/My_App', 's1')]);
    home.write('s2.jsonl', [sessionIn(String.raw`E:\work\Other`, 's2')]);
    expect((await home.run()).projects.map(({ key }) => key).toSorted()).toEqual(['my-app', 'other']);
    for (const key of ['my-app', 'other']) {
      const opened = openProject({ home: home.home, cwd: home.folder, word: key, now: Date.now });
      expect(opened.ok && opened.value.project.key).toBe(key);
    }
  });

  it('is the one that a chat names, new or known', async () => {
    const home = importHome();
    const row = (project: string, id: string): string =>
      JSON.stringify({ project, session_id: `${project}-s`, message_id: id, role: 'user', text: 'Good morning to you' });
    home.write('chat.jsonl', [row('conv-26', '1'), row('Conv 7', '2'), row('all', '3'), row('conv-26', '4')]);
    expect((await home.run()).projects.map(({ key, messages }) => [key, messages]).toSorted(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
      ['all-project', 1],
      ['conv-26', 2],
      ['conv-7', 1],
    ]);
    const opened = openProject({ home: home.home, cwd: home.folder, word: 'conv-26', now: Date.now });
    expect(opened.ok && opened.value.project).toMatchObject({ key: 'conv-26', path: 'conv-26' });
  });

  it('stays the same when the session goes on elsewhere', async () => {
    const home = importHome();
    home.write('s1.jsonl', [sessionIn('/nowhere/first', 's1')]);
    await home.run();
    home.write('s1-later.jsonl', [claude({ type: 'user', message: { role: 'user', content: 'moved' }, sessionId: 's1', uuid: 'u-2', cwd: '/nowhere/second' })]);
    expect((await home.run()).projects).toEqual([{ key: 'first', sessions: 1, messages: 1 }]);
    expect(await home.read('s1')).toHaveLength(2);
  });
});
