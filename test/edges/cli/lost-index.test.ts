import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sqlite/binding.ts';
import { type Program, program } from './program.ts';

/** A project with a record and a conversation, and where the index of its messages lies. */
function furnished(): { readonly one: Program; readonly file: string } {
  const one = program();
  one.ask('save', 'decision', 'The cellar door stays locked', '--title', 'Cellar door');
  const chat = path.join(one.folder, 'chat.jsonl');
  const line = {
    project: 'webshop',
    session_id: 's1',
    message_id: 'm1',
    role: 'user',
    timestamp: '2026-01-01T10:00:00Z',
    text: 'The lighthouse keeper lost the cellar key',
  };
  fs.writeFileSync(chat, `${JSON.stringify(line)}\n`);
  one.ask('import', chat, '--format', 'chat');
  return { one, file: path.join(one.home, 'holdfast', 'projects', 'webshop', 'episodes.db') };
}

const kinds = (one: Program): unknown[] => (one.ask('search', 'cellar')['hits'] as { kind: string }[]).map(({ kind }) => kind).toSorted();

/** Spoils the heads of pages, which are numbered from 1. */
function breakPages(file: string, which: (number: number) => boolean): void {
  const bytes = fs.readFileSync(file);
  for (let at = 4_096; at < bytes.length; at++) if (at % 4_096 < 16 && which(Math.floor(at / 4_096) + 1)) bytes[at] = 255;
  fs.writeFileSync(file, bytes);
}

const DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  'is missing': (file) => fs.rmSync(file),
  'is empty': (file) => fs.writeFileSync(file, ''),
  'is something else': (file) => fs.writeFileSync(file, 'no database '.repeat(1_000)),
  'is cut short': (file) => fs.truncateSync(file, 5_000),
  'is damaged all over': (file) => breakPages(file, () => true),
  'is of another version': (file) => {
    const database = openDatabase(file);
    database.exec('PRAGMA user_version = 1');
    database.close();
  },
};

describe('an index of messages that', () => {
  it.each(Object.entries(DAMAGES))('%s is made again by the next search', (_what, damage) => {
    const { one, file } = furnished();
    expect(kinds(one)).toEqual(['message', 'record']);
    damage(file);
    expect(kinds(one)).toEqual(['message', 'record']);
    expect(one.run('messages', '--session', 's1').out).toContain('lighthouse keeper');
  });

  it('is damaged where only a closer look finds it costs one search its messages, and says so', () => {
    const { one, file } = furnished();
    const database = openDatabase(file);
    const page = Number(database.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'postings'").get()?.['rootpage']);
    database.close();
    breakPages(file, (number) => number === page);
    const { code, out, err } = one.run('search', 'cellar');
    expect([code, out, err]).toEqual([
      0,
      expect.stringContaining('Cellar door'),
      expect.stringMatching(/messages were left out: .* was damaged; the next search rebuilds it/),
    ]);
    expect(out).not.toContain('lighthouse keeper');
    expect(kinds(one)).toEqual(['message', 'record']);
    expect(one.run('search', 'cellar').err).toBe('');
  });

  it('is locked by another process for long is left out with a word', () => {
    const { one, file } = furnished();
    const database = openDatabase(file);
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE meta SET value = value;');
    const { code, out, err } = one.run('search', 'cellar');
    database.close();
    expect([code, out, err]).toEqual([0, expect.stringContaining('Cellar door'), expect.stringContaining('messages were left out')]);
    expect(kinds(one)).toEqual(['message', 'record']);
  });
});
