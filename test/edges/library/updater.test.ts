import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemoryLoader, MemoryUpdater, type UpdaterOptions } from '../../../src/bin/library.ts';
import { filesUnder, scratch } from '../../scratch.ts';

interface Desk {
  readonly home: string;
  readonly file: string;
  readonly folder: string;
  readonly said: string[];
  updater(options?: UpdaterOptions): MemoryUpdater;
}

function context(settings?: object, memory?: string): Desk {
  const home = scratch();
  const folder = path.join(home, 'projects', 'abc123def456', 'memory');
  const file = path.join(folder, 'MEMORY.md');
  if (settings) fs.writeFileSync(path.join(home, 'settings.json'), JSON.stringify({ memory: settings }));
  if (memory !== undefined) {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(file, memory);
  }
  const said: string[] = [];
  const now = (): number => new Date(2026, 1, 3, 10, 30).getTime();
  return { home, file, folder, said, updater: (options = {}) => new MemoryUpdater(file, { now, onMessage: (message) => said.push(message), ...options }) };
}

const text = (file: string): string => fs.readFileSync(file, 'utf8');

describe('MemoryUpdater', () => {
  it('updates from the threshold on, or for a significant change', () => {
    const { updater } = context();
    expect([2, 3, 4].map((tasks) => updater().shouldUpdate(tasks, false))).toEqual([false, true, true]);
    expect(updater().shouldUpdate(0, true)).toBe(true);
    expect(context({ updateThreshold: 5 }).updater().shouldUpdate(4)).toBe(false);
    expect(context({ updateThreshold: 5 }).updater().shouldUpdate(5)).toBe(true);
  });

  it('takes the summary in parts or by position', () => {
    const { updater } = context();
    const parts = { taskSummaries: ['T'], filesModified: ['f'], decisions: ['d'], patterns: ['p'], issues: ['i'] };
    expect(updater().generateSessionSummary(['T'], ['f'], ['d'], ['p'], ['i'])).toBe(updater().generateSessionSummary(parts));
  });

  it('compresses a text by itself: logs and histories go, the rest stays', () => {
    expect(context().updater().compressMemory('# A\nkept\n## Build Log\nnoise\n### Login\nalso\n## Login\nkept too')).toBe('# A\nkept\n## Login\nkept too');
  });

  it('makes missing folders, puts the newest on top, and keeps the task summaries in the session log', async () => {
    const { updater, file, folder } = context();
    const first = updater({ sessionId: 's-1' });
    expect(await first.updateMemory(first.generateSessionSummary({ taskSummaries: ['T1: Auth'], decisions: ['One'] }))).toBe(true);
    expect(fs.existsSync(`${file}.bak`)).toBe(false);
    const second = updater({ sessionId: 's-2' });
    expect(await second.updateMemory(second.generateSessionSummary({ decisions: ['Two é😀'] }))).toBe(true);
    const block = (decision: string): string => `## Session Summary - 2026-02-03 10:30\n\n### Key Decisions\n- ${decision}\n`;
    expect(text(file)).toBe(`${block('Two é😀')}\n\n${block('One')}\n\n`);
    expect(text(`${file}.bak`)).toBe(`${block('One')}\n\n`);
    expect(text(path.join(folder, 'session-s-1.md'))).toBe('# Session s-1\n\n## Tasks\n\n- T1: Auth\n');
    expect(fs.readdirSync(folder).toSorted()).toEqual(['MEMORY.md', 'MEMORY.md.bak', 'context.json', 'session-s-1.md']);
    expect(JSON.parse(text(path.join(folder, 'context.json')))).toMatchObject({
      sessionId: 's-2',
      lastUpdated: expect.stringMatching(/Z$/),
      sizes: { project_memory: text(file).length - 1 },
    });
  });

  it('backs up bytes and times over the one backup, and says when there is nothing to back up', async () => {
    expect(await context().updater().createBackup()).toBe(false);
    const { updater, file, folder } = context(undefined, 'as it was');
    const then = new Date('2026-01-02T03:04:05Z');
    fs.utimesSync(file, then, then);
    expect(await updater().createBackup()).toBe(true);
    expect(text(`${file}.bak`)).toBe('as it was');
    expect(fs.statSync(`${file}.bak`).mtimeMs).toBe(then.getTime());
    fs.writeFileSync(file, 'later');
    expect(await updater().createBackup()).toBe(true);
    expect(text(`${file}.bak`)).toBe('later');
    expect(fs.readdirSync(folder).filter((name) => name.includes('.bak'))).toEqual(['MEMORY.md.bak']);
  });

  it('keeps no backup where backupEnabled is false', async () => {
    const { updater, file } = context({ backupEnabled: false }, 'old');
    expect(await updater().updateMemory('## Session Summary - x\n')).toBe(true);
    expect(fs.existsSync(`${file}.bak`)).toBe(false);
  });

  it('rolls back to the backup, and forward again', async () => {
    const { updater, file } = context(undefined, 'old');
    expect(await updater().rollback()).toBe(false);
    await updater().updateMemory('## Session Summary - x\n');
    const after = text(file);
    expect(await updater().rollback()).toBe(true);
    expect(text(file)).toBe('old');
    expect(await updater().rollback()).toBe(true);
    expect(text(file)).toBe(after);
  });

  it('compresses above compressionThreshold, moves the oldest summaries to logs above maxMemorySize, and says what it did', async () => {
    const old = (day: string): string => `## Session Summary - 2026-01-${day} 09:00\n\n### Key Decisions\n- ${day} ${'x'.repeat(800)}\n`;
    const existing = `${old('03')}\n\n${old('02')}\n\n${old('01')}\n\n## Build log\nnoise\n\n## Login\nkept\n`;
    const { updater, file, folder, said } = context({ compressionThreshold: 1_000, maxMemorySize: 2_000 }, existing);
    expect(await updater({ sessionId: 'now' }).updateMemory('## Session Summary - 2026-02-03 10:30\n\n### Key Decisions\n- new\n')).toBe(true);
    expect(text(file).length).toBeLessThanOrEqual(2_000);
    expect(text(file)).toMatch(/^## Session Summary - 2026-02-03 10:30[\s\S]*- 03 x[\s\S]*- 02 x[\s\S]*## Login\nkept/);
    expect(text(file)).not.toMatch(/- 01 x|noise/);
    expect(text(path.join(folder, 'session-2026-01-01-09-00.md'))).toBe(`# Session 2026-01-01 09:00\n\n${old('01')}`);
    expect(text(path.join(folder, 'session-now.md'))).toContain('## Taken out of MEMORY.md: Build log\n\n## Build log\nnoise');
    expect(said).toEqual(['took out, kept in the session log: Build log', 'moved to the session logs: Session Summary - 2026-01-01 09:00']);
    expect(text(`${file}.bak`)).toBe(existing);
    const { notices } = JSON.parse(text(path.join(folder, 'context.json'))) as { notices: string[] };
    expect(notices).toEqual(said);
  });

  it('says why it failed, answers false, and leaves the file as it was', async () => {
    const { updater, file, folder, said } = context(undefined, 'as it was');
    fs.mkdirSync(`${file}.bak`);
    expect(await updater().updateMemory('## Session Summary - x\n')).toBe(false);
    expect(said).toEqual([expect.stringMatching(/^Memory update failed: .*MEMORY\.md\.bak/)]);
    expect(text(file)).toBe('as it was');
    fs.rmdirSync(`${file}.bak`);
    fs.renameSync(file, path.join(folder, 'elsewhere.md'));
    fs.symlinkSync(path.join(folder, 'elsewhere.md'), file);
    expect(await updater().updateMemory('## Session Summary - x\n')).toBe(false);
    expect(text(path.join(folder, 'elsewhere.md'))).toBe('as it was');
  });

  it('keeps secrets from the disk', async () => {
    const { updater, home } = context();
    const key = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const one = updater({ sessionId: 's' });
    expect(await one.updateMemory(one.generateSessionSummary({ taskSummaries: [`used ${key}`], decisions: [`token ${key}`] }))).toBe(true);
    expect(Object.values(filesUnder(home)).join('')).not.toContain(key);
  });

  it('writes any file by its path, with its journal beside it', async () => {
    const folder = scratch();
    const updater = new MemoryUpdater(path.join(folder, 'NOTES.md'));
    expect(await updater.updateMemory('## Session Summary - x\n')).toBe(true);
    expect(fs.readdirSync(folder).toSorted()).toEqual(['.holdfast', 'NOTES.md', 'context.json']);
  });

  it('is read by the next session of the project', async () => {
    const { updater, home, file } = context();
    fs.mkdirSync(path.dirname(file), { recursive: true });
    await updater().updateMemory('## Session Summary - x\n\n### Key Decisions\n- Kept for B\n');
    fs.renameSync(path.join(home, 'projects', 'abc123def456'), path.join(home, 'projects', 'f6534e494108'));
    fs.rmSync(path.join(home, 'projects', 'f6534e494108', 'memory', 'context.json'));
    const loader = new MemoryLoader(home, 'E:/Dropbox/1_Forex/Programmazione/NexusArb');
    expect(await loader.getContextForInjection()).toContain('- Kept for B');
  });
});
