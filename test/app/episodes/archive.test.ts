import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../src/bin/wiring/episodes.ts';
import { answered, called, replied, said, text } from '../../capture/transcripts/reading.ts';
import { type ImportHome, importHome } from './importing.ts';

const folderOf = (home: ImportHome, key = 'kiosk'): string => path.join(home.home, 'holdfast', 'projects', key);

const session = (id: string, day: number, length = 10): readonly string[] => {
  const at = (minute: number): string => `2026-01-${String(day).padStart(2, '0')}T10:${String(minute).padStart(2, '0')}:00.000Z`;
  return Array.from({ length }, (_, n) => said(`${id} asks ${n} ${Math.sin(day * 100 + n)}`, { uuid: `${id}-${n}`, sessionId: id, timestamp: at(n) }));
};

function settings(home: ImportHome, values: object): void {
  const file = path.join(home.home, 'projects', 'kiosk', 'memory-config.json');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(values));
}

describe('the archive', () => {
  it('is compressed, outside projects/, no .jsonl, and read by any tool', async () => {
    const home = importHome();
    const file = home.write('s1.jsonl', session('s1', 1));
    await home.run();
    fs.appendFileSync(file, `${said('one more', { uuid: 'late', sessionId: 's1' })}\n`);
    await home.run();
    const archived = path.join(folderOf(home), 'episodes', 's1.episode.gz');
    const lines = execFileSync('gzip', ['-dc', archived], { encoding: 'utf8' }).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => 'role' in line)).toHaveLength(11);
    expect(fs.statSync(archived).mode & 0o077).toBe(0);
    const names = fs.readdirSync(home.home, { recursive: true, encoding: 'utf8' });
    expect(names.filter((name) => name.endsWith('.jsonl'))).toEqual([]);
    expect(names.filter((name) => name.startsWith('projects/'))).toEqual([]);
  });

  it('answers for a session whose transcript is gone', async () => {
    const home = importHome();
    const file = home.write('s1.jsonl', session('s1', 1));
    await home.run();
    fs.rmSync(file);
    expect((await home.read('s1')).map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, n) => `s1-${n}`));
  });

  it('gives up the oldest sessions when it is full, and says so', async () => {
    const home = importHome();
    settings(home, { archive: { maxBytes: 2_000 } });
    for (const day of [3, 1, 2, 4]) home.write(`s${day}.jsonl`, session(`s${day}`, day, 20));
    const report = await home.run();
    expect(report.dropped.length).toBeGreaterThan(0);
    expect(report.dropped.toSorted()).toEqual(['s1', 's2', 's3', 's4'].slice(0, report.dropped.length));
    const left = fs.readdirSync(path.join(folderOf(home), 'episodes'));
    expect(left.length).toBe(4 - report.dropped.length);
    expect(left).toContain('s4.episode.gz');
    const bytes = left.reduce((sum, name) => sum + fs.statSync(path.join(folderOf(home), 'episodes', name)).size, 0);
    expect(bytes).toBeLessThanOrEqual(2_000);
  });

  it('reads a session that was given up from its transcript while that is there', async () => {
    const home = importHome();
    settings(home, { archive: { maxBytes: 0 } });
    const file = home.write('s1.jsonl', session('s1', 1));
    await home.run();
    expect(fs.existsSync(path.join(folderOf(home), 'episodes'))).toBe(false);
    expect(await home.read('s1')).toHaveLength(10);
    fs.rmSync(file);
    expect(await home.read('s1')).toHaveLength(0);
  });

  it('overwrites what a crash left behind the part that counts', async () => {
    const home = importHome();
    const file = home.write('s1.jsonl', session('s1', 1));
    await home.run();
    const archived = path.join(folderOf(home), 'episodes', 's1.episode.gz');
    fs.appendFileSync(archived, fs.readFileSync(archived).subarray(0, 50));
    fs.appendFileSync(file, `${said('after the crash', { uuid: 'late', sessionId: 's1' })}\n`);
    await home.run();
    expect((await home.read('s1')).map(({ id }) => id)).toEqual([...Array.from({ length: 10 }, (_, n) => `s1-${n}`), 'late']);
    execFileSync('gzip', ['-t', archived]);
  });
});

describe('a lost index', () => {
  it('is made again from the archive, messages and all', async () => {
    const home = importHome();
    const file = home.write('s1.jsonl', session('s1', 1));
    await home.run();
    fs.rmSync(file);
    for (const name of fs.readdirSync(folderOf(home)).filter((one) => one.startsWith('episodes.db'))) fs.rmSync(path.join(folderOf(home), name));
    expect(await home.read('s1')).toHaveLength(10);
    const { store, close } = openStore(home.home, 'kiosk');
    expect(store.index.session('s1')).toMatchObject({ messages: 10, prompts: 10, facts: { sessionId: 's1', client: 'claude-code' } });
    close();
  });

  it('of damaged bytes is made again too, and the next import doubles nothing', async () => {
    const home = importHome();
    const file = home.write('s1.jsonl', session('s1', 1));
    await home.run();
    for (const name of fs.readdirSync(folderOf(home)).filter((one) => one.startsWith('episodes.db')))
      fs.writeFileSync(path.join(folderOf(home), name), 'x'.repeat(5_000));
    fs.appendFileSync(file, `${said('one more', { uuid: 'late', sessionId: 's1' })}\n`);
    await home.run();
    expect(await home.read('s1')).toHaveLength(11);
    expect(await home.run()).toMatchObject({ unchanged: 1, messages: 0 });
  });

  it('of what was read is no harm: everything is read again and nothing doubled', async () => {
    const home = importHome();
    home.write('s1.jsonl', session('s1', 1));
    await home.run();
    for (const name of fs.readdirSync(path.join(home.home, 'holdfast')).filter((one) => one.startsWith('sources.db')))
      fs.rmSync(path.join(home.home, 'holdfast', name));
    expect(await home.read('s1')).toHaveLength(10);
    expect(await home.run()).toMatchObject({ imported: 1, messages: 0, repeated: 10 });
  });

  it('keeps what is whole of an archive that is damaged in its middle', async () => {
    const home = importHome();
    const file = home.write('s1.jsonl', session('s1', 1));
    for (const word of ['second', 'third']) {
      await home.run();
      fs.appendFileSync(file, `${said(word, { uuid: word, sessionId: 's1' })}\n`);
    }
    await home.run();
    const archived = path.join(folderOf(home), 'episodes', 's1.episode.gz');
    const bytes = fs.readFileSync(archived);
    bytes.fill(0x55, 60, 90);
    fs.writeFileSync(archived, bytes);
    expect((await home.read('s1')).map(({ id }) => id)).toEqual(['second', 'third']);
  });
});

describe('what an episode knows of its session', () => {
  it('branch, times, title, files and commands', async () => {
    const home = importHome();
    home.write('s1.jsonl', [
      said('Fix the login page\nIt is broken', { uuid: 'u1', sessionId: 's1', gitBranch: 'fix/login', timestamp: '2026-01-02T10:00:00.000Z' }),
      replied(
        'm1',
        [text('On it.'), called('c1', 'Edit', { file_path: '/home/dev/kiosk/login.ts', new_string: 'x' }), called('c2', 'Bash', { command: 'npm test' })],
        {
          uuid: 'a1',
          sessionId: 's1',
          timestamp: '2026-01-02T10:01:00.000Z',
        },
      ),
      answered('c2', 'ok'),
    ]);
    await home.run();
    const { store, close } = openStore(home.home, 'kiosk');
    expect(store.index.session('s1')).toMatchObject({
      messages: 3,
      prompts: 1,
      facts: {
        branch: 'fix/login',
        title: 'Fix the login page',
        startedAt: '2026-01-02T03:04:05.000Z',
        endedAt: '2026-01-02T10:01:00.000Z',
        project: '/home/dev/kiosk',
      },
    });
    close();
  });
});
