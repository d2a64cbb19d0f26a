import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { importHome, type ImportHome, readSessions } from './importing.ts';

const BENCH = fileURLToPath(new URL('../../../../shared/bench/', import.meta.url));
const LAYOUTS = path.join(BENCH, 'transcript-layouts.tar.xz');
const SESSIONS = path.join(BENCH, 'coding-sessions-dev', 'transcripts.tar.xz');
const CHATS = path.join(BENCH, 'locomo-dev', 'messages.jsonl');
const isThere = [LAYOUTS, SESSIONS, CHATS].every((file) => fs.existsSync(file));
if (!isThere) console.warn('import of real transcripts skipped: no benchmark data beside the repository');

const MARKERS =
  /<(?:command-|local-command-|bash-|task-notification|system-reminder|ide_|teammate-message|holdfast-memory)|\[Request interrupted|^Caveat: The messages below|^This session is being continued/;

/** Every session in the archive. */
function sessionsIn(home: ImportHome): readonly string[] {
  const names = fs.readdirSync(home.home, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.episode.gz'));
  return names.map((name) => {
    const first =
      gunzipSync(fs.readFileSync(path.join(home.home, name)))
        .toString('utf8')
        .split('\n', 1)[0] ?? '{}';
    return (JSON.parse(first) as { session: { sessionId: string } }).session.sessionId;
  });
}

describe.skipIf(!isThere)('real transcripts', () => {
  it.each([
    ['the coding sessions', SESSIONS, { imported: 98, sessions: 98, skipped: 0 }],
    ['every layout', LAYOUTS, { imported: 145, sessions: 93, skipped: 20 }],
  ] as const)('%s are imported whole, once', async (_, archive, least) => {
    const home = importHome();
    execFileSync('tar', ['xJf', archive, '-C', home.inbox]);
    const report = await home.run();
    expect(report.imported).toBeGreaterThanOrEqual(least.imported);
    expect(report.sessions).toBeGreaterThanOrEqual(least.sessions);
    expect(report.skippedLines.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(least.skipped);
    const sessions = await readSessions(home.home, sessionsIn(home));
    const messages = [...sessions.values()].flat();
    expect(messages).toHaveLength(report.messages);
    for (const [session, said] of sessions) expect(new Set(said.map(({ id }) => id)).size, session).toBe(said.length);
    expect(messages.filter(({ role, text }) => role === 'user' && MARKERS.test(text))).toEqual([]);
    expect(await home.run()).toMatchObject({ imported: 0, bytes: 0, messages: 0, work: { opened: 0, lines: 0 } });
  });

  it('chats are imported into the projects they name', async () => {
    const home = importHome();
    const rows = fs
      .readFileSync(CHATS, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { project: string; session_id: string; message_id: string });
    const report = await home.run({ format: 'chat', paths: [CHATS] });
    expect(report).toMatchObject({ messages: rows.length, repeated: 0, skippedLines: [] });
    expect(report.projects.map(({ key }) => key).toSorted()).toEqual([...new Set(rows.map(({ project }) => project))].toSorted());
    const [first] = rows;
    expect((await home.read(first?.session_id ?? '')).map(({ id }) => id)).toEqual(
      rows.filter((row) => row.session_id === first?.session_id).map((row) => row.message_id),
    );
  });
});
