import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { transcriptFinder, transcriptsOf } from '../../../src/adapters/episodes/client-transcripts.ts';
import { transcriptFiles } from '../../../src/adapters/episodes/lines.ts';
import { openDatabase } from '../../../src/adapters/sqlite/binding.ts';
import { sessionDatabases } from '../../../src/adapters/sqlite/episodes/session-databases.ts';
import { detectFormat } from '../../../src/capture/transcripts/detect.ts';
import { read } from '../../capture/transcripts/reading.ts';
import { scratch } from '../../scratch.ts';

/** The tables as opencode 1.18.33 and Kilo 7.7.9 make them, as far as they are read. */
function layDatabase(file: string, directory: string, sessions: readonly string[]): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const database = openDatabase(file);
  database.exec(`PRAGMA journal_mode = wal;
    CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text, title text, version text, time_created integer, time_updated integer);
    CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
    CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text);`);
  const add = (table: string, ...values: readonly unknown[]): void =>
    void database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(...values);
  for (const [nth, id] of sessions.entries()) {
    const at = 1_751_364_000_000 + nth;
    const message = (name: string, data: object, ...parts: readonly object[]): void => {
      add('message', `${id}-${name}`, id, at, at, JSON.stringify(data));
      for (const [place, part] of parts.entries()) add('part', `${id}-${name}-${place}`, `${id}-${name}`, id, at, at, JSON.stringify(part));
    };
    add('session', id, nth === 0 ? null : sessions[0], directory, 'Hours', '1.18.33', at, at);
    message('1', { role: 'user', time: { created: at } }, { type: 'text', text: '"Show the hours"' }, { type: 'text', text: 'told', synthetic: true });
    const state = { status: 'completed', input: { command: 'npm test' }, output: 'ok' };
    message(
      '2',
      { role: 'assistant', path: { cwd: directory } },
      { type: 'text', text: 'In the footer.' },
      { type: 'tool', tool: 'bash', callID: 'c1', state },
    );
  }
  database.close();
}

const linesOf = (file: string): string => {
  const lines = transcriptsOf(transcriptFiles, sessionDatabases).open(file, 0);
  const found: string[] = [];
  for (let line = lines.next(); line !== undefined; line = lines.next()) found.push(String(line));
  lines.close();
  return found.join('\n');
};

test('sessions in the databases of opencode and Kilo are found and read as their export would be', () => {
  const user = scratch();
  const share = path.join(user, '.local/share');
  layDatabase(path.join(share, 'opencode/opencode.db'), '/w/kiosk', ['ses_a', 'ses_b']);
  layDatabase(path.join(share, 'kilo/kilo.db'), '/w/other', ['ses_k']);
  const finder = transcriptFinder(() => ({ home: path.join(user, '.claude'), userHome: user, env: {}, named: false }), sessionDatabases);
  expect(finder.ofClients().map(({ path: file }) => file.slice(file.lastIndexOf('/') + 1))).toEqual([
    'kilo.db#ses_k',
    'opencode.db#ses_a',
    'opencode.db#ses_b',
  ]);
  const [own, child] = finder.ofClients('/w/kiosk').map(({ path: file }) => file);
  expect(finder.at([path.join(share, 'opencode/opencode.db')]).files.map(({ path: file }) => file)).toEqual([own, child]);
  const text = linesOf(own ?? '');
  expect(detectFormat(text.split('\n'), own)).toBe('opencode');
  expect(detectFormat(linesOf(path.join(share, 'kilo/kilo.db#ses_k')).split('\n'), 'kilo.db#ses_k')).toBe('kilo');
  const { messages, facts, skipped } = read('opencode', text);
  expect(messages).toMatchObject([
    { role: 'user', text: 'Show the hours' },
    { role: 'assistant', text: 'In the footer.', toolCalls: [{ name: 'bash', command: 'npm test' }] },
    { role: 'tool', text: 'ok' },
  ]);
  expect(facts['ses_a']).toMatchObject({ project: '/w/kiosk', title: 'Hours', clientVersion: '1.18.33' });
  expect(skipped).toEqual([]);
  expect(read('opencode', linesOf(child ?? '')).prompts).toEqual([]);
});

test('a project’s transcripts are found by the folder that each client notes', () => {
  const user = scratch();
  const project = path.join(user, 'kiosk');
  const write = (name: string, text: string): string => {
    const file = path.join(user, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return file;
  };
  const meta = (cwd: string): string => `${JSON.stringify({ type: 'session_meta', payload: { id: 'x', cwd } })}\n`;
  const start = (cwd: string): string => `${JSON.stringify({ type: 'session.start', data: { sessionId: 'x', context: { cwd } } })}\n`;
  const name = project.replaceAll(/[^A-Za-z0-9]/g, '-');
  const own = [
    write(`.claude/projects/${name}/a.jsonl`, '{}'),
    write(`.qwen/projects/${name}/chats/b.jsonl`, '{}'),
    write('.codex/sessions/2026/01/02/rollout-1.jsonl', meta(path.join(project, 'web'))),
    write('.copilot/session-state/x/events.jsonl', start(project)),
    write('.gemini/tmp/kiosk/chats/session-1.jsonl', '{}'),
  ];
  write('.gemini/tmp/kiosk/.project_root', project);
  write('.gemini/tmp/other/chats/session-2.jsonl', '{}');
  write('.codex/sessions/2026/01/02/rollout-2.jsonl', meta(`${project}-other`));
  write('.codex/sessions/2026/01/02/rollout-3.jsonl', 'no JSON');
  write('.copilot/session-state/y/events.jsonl', start('/elsewhere'));
  write('.copilot/session-state/x/rewind-file-snapshots/tracking.json', '{}');
  const finder = transcriptFinder(() => ({ home: path.join(user, '.claude'), userHome: user, env: {}, named: false }), sessionDatabases);
  expect(
    finder
      .ofClients(project)
      .map(({ path: file }) => file)
      .toSorted(),
  ).toEqual(own.toSorted());
  expect(finder.ofClients()).toHaveLength(own.length + 4);
});

test('JSON in a folder of Holdfast’s own is no transcript, and none is named as skipped', () => {
  const user = scratch();
  const put = (file: string): void => {
    fs.mkdirSync(path.dirname(path.join(user, file)), { recursive: true });
    fs.writeFileSync(path.join(user, file), '{}\n');
  };
  for (const file of ['_session.json', 'memory-config.json', 'decisions/use-sqlite.json']) put(`.claude/projects/kiosk/${file}`);
  for (const file of ['a.jsonl', 'b.json']) put(`.claude/projects/-w-kiosk/${file}`);
  const finder = transcriptFinder(() => ({ home: path.join(user, '.claude'), userHome: user, env: {}, named: false }), sessionDatabases);
  expect(finder.ofClients().map(({ path: file }) => path.basename(file))).toEqual(['a.jsonl', 'b.json']);
});
