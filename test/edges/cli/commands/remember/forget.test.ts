import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { VECTORS_FILE } from '../../../../../src/adapters/files/home-layout.ts';
import { openDatabase } from '../../../../../src/adapters/sqlite/binding.ts';
import { SqliteVectors } from '../../../../../src/adapters/sqlite/vectors/vectors.ts';
import { itemKey } from '../../../../../src/app/embedding/embed.ts';
import { PATIENCE } from '../../../../patience.ts';
import { draftFile, program, PROGRAM, type Program } from '../../program.ts';

const SECRET = 'The merger with Bluefin Robotics closes on the ninth of May';
const OTHER = 'We keep invoices for eleven years because the auditor asks for them';
/** Words that stand in no other text of the tests. */
const WORD = 'bluefin';

const draft = (title: string, decision: string, why = 'the board said so in writing'): unknown => ({
  title,
  tags: ['finance'],
  content: { status: 'accepted', context: 'Talks', decision, rationale: [why] },
});

const chat = (session: string, texts: readonly string[]): string =>
  texts
    .map((text, nth) =>
      JSON.stringify({
        project: 'webshop',
        session_id: session,
        message_id: `${session}-${nth}`,
        role: nth % 2 === 0 ? 'user' : 'assistant',
        timestamp: `2026-03-0${nth + 1}T10:00:00Z`,
        text,
      }),
    )
    .join('\n');

/** A memory in which the sentence stands wherever Holdfast keeps text: record, two versions, journal, index, archive, views, injection log, staging, notes. */
function filled(settings?: object): Program {
  const cli = program();
  if (settings) {
    fs.mkdirSync(cli.records, { recursive: true });
    fs.writeFileSync(path.join(cli.records, 'memory-config.json'), JSON.stringify(settings));
  }
  const save = (name: string, value: unknown): void => {
    cli.ask('write', '--action', 'create', '--category', 'decision', '--target', `decisions/${name}.md`, '--input', draftFile(cli, `${name}.json`, value));
  };
  save('merger-with-bluefin-robotics', draft('Merger with Bluefin Robotics in spring', `${SECRET}.`));
  save('keep-invoices', draft('Keep invoices for eleven years', `${OTHER}.`, 'the law asks for ten'));
  const target = 'decisions/merger-with-bluefin-robotics.md';
  const first = path.join(cli.records, target);
  // Edited by hand: the first version is kept with the next write.
  fs.writeFileSync(first, fs.readFileSync(first, 'utf8').replace(`${SECRET}.`, `${SECRET}. Only the board knows of it so far.`));
  cli.ask('confirm', 'merger-with-bluefin-robotics');
  const transcript = path.join(cli.folder, 'talk.jsonl');
  fs.writeFileSync(transcript, `${chat('talk-1', [`Remember this: ${SECRET}.`, `Noted. ${SECRET.toUpperCase()}!`, 'And what about invoices?', OTHER])}\n`);
  cli.run('--project', cli.project, 'import', transcript);
  cli.run('start');
  cli.runIn(
    {
      input: JSON.stringify({
        session_id: 's1',
        cwd: cli.project,
        hook_event_name: 'UserPromptSubmit',
        prompt: 'when does the merger with Bluefin Robotics close?',
      }),
    },
    'hook',
    'UserPromptSubmit',
  );
  const staging = path.join(cli.home, 'holdfast', 'staging', 's1');
  fs.mkdirSync(staging, { recursive: true });
  fs.writeFileSync(path.join(staging, 'draft.json'), JSON.stringify(draft('x', `${SECRET}.`)));
  return cli;
}

function* filesUnder(folder: string): Generator<string> {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* filesUnder(file);
    else yield file;
  }
}

/** Looks on its own, without the program: raw bytes, unpacked archives, and the rows and full-text terms of databases. */
function holding(home: string, word: string): string[] {
  return [...filesUnder(home)].filter((file) => {
    const bytes = fs.readFileSync(file);
    const texts = [bytes.toString('latin1')];
    if (file.endsWith('.gz')) texts.push(gunzipSync(bytes).toString('utf8'));
    if (path.basename(file) === 'index.db') {
      const database = openDatabase(file);
      texts.push(
        ...database
          .prepare('SELECT term FROM item_vocabulary')
          .all()
          .map(({ term }) => String(term)),
      );
      database.close();
    }
    return texts.some((text) => text.toLowerCase().includes(word));
  });
}

describe('forget --now', () => {
  test('leaves nothing of a record under the home, archives included, and says how many files it looked through', () => {
    const cli = filled();
    const before = holding(cli.home, WORD).map((file) => path.basename(file));
    for (const name of ['merger-with-bluefin-robotics.md', 'journal', 'index.db', 'injections.db', 'talk-1.episode.gz', 'episodes.db', 'draft.json'])
      expect(before).toContain(name);
    const said = cli.ask('forget', 'merger-with-bluefin-robotics', '--now', '--yes');
    expect(said).toMatchObject({ ok: true, forgotten: ['decision/merger-with-bluefin-robotics'], found: 0, left: [] });
    expect(said['files_checked']).toBeGreaterThan(5);
    expect(holding(cli.home, WORD)).toEqual([]);
    expect(cli.refused('show', 'merger-with-bluefin-robotics').exit).toBe(4);
    expect(JSON.stringify(cli.ask('search', 'Bluefin merger'))).not.toContain('closes on the ninth');
  });

  test('leaves other records, other messages and their history as they were', () => {
    const cli = filled();
    cli.ask('forget', 'merger-with-bluefin-robotics', '--now', '--yes');
    expect(cli.ask('show', 'keep-invoices')).toMatchObject({ title: 'Keep invoices for eleven years' });
    expect(cli.run('log').out).toContain('Keep invoices for eleven years');
    const { messages } = cli.ask('messages', '--session', 'talk-1') as { messages: { text: string }[] };
    expect(messages).toHaveLength(4);
    expect(messages[0]?.text).toBe('Remember this: [forgotten].');
    expect(messages[3]?.text).toBe(OTHER);
    expect(cli.ask('doctor', '--quiet')['ok']).not.toBe(false);
  });

  test('importing the transcript again does not bring the text back', () => {
    const cli = filled();
    cli.ask('forget', 'merger-with-bluefin-robotics', '--now', '--yes');
    fs.appendFileSync(
      path.join(cli.folder, 'talk.jsonl'),
      `${JSON.stringify({ project: 'webshop', session_id: 'talk-1', message_id: 'talk-1-9', role: 'user', timestamp: '2026-03-09T10:00:00Z', text: 'go on' })}\n`,
    );
    cli.run('--project', cli.project, 'import', path.join(cli.folder, 'talk.jsonl'));
    expect(holding(cli.home, 'ninth of may')).toEqual([]);
    cli.run('rebuild');
    cli.run('--project', cli.project, 'import', path.join(cli.folder, 'talk.jsonl'));
    expect(holding(cli.home, 'ninth of may')).toEqual([]);
  });

  test('conversations that are not archived are forgotten too: their text lies only in the index of messages', () => {
    const cli = filled({ archive: { maxBytes: 0 } });
    expect(holding(cli.home, WORD).map((file) => path.basename(file))).toContain('episodes.db');
    expect(cli.ask('forget', 'merger-with-bluefin-robotics', '--now', '--yes')).toMatchObject({ ok: true, found: 0 });
    expect(holding(cli.home, WORD)).toEqual([]);
    expect(cli.ask('show', 'keep-invoices')).toMatchObject({ title: 'Keep invoices for eleven years' });
  });

  test('the vector of a record goes with it, those of others stay', () => {
    const cli = filled();
    const file = path.join(cli.home, 'holdfast', 'projects', 'webshop', VECTORS_FILE);
    const [gone, stays] = ['merger-with-bluefin-robotics', 'keep-invoices'].map((name) => itemKey({ root: 'private', path: `decisions/${name}.md` })) as [
      number,
      number,
    ];
    const vectors = new SqliteVectors(file);
    vectors.put(
      'test',
      [gone, stays].map((key) => ({ key, digest: String(key), vector: Float32Array.from([1, 0, 0, 0]) })),
    );
    vectors.close();
    cli.ask('forget', 'merger-with-bluefin-robotics', '--now', '--yes');
    const database = openDatabase(file);
    expect(
      database
        .prepare('SELECT key FROM vectors')
        .all()
        .map(({ key }) => Number(key)),
    ).toEqual([stays]);
    database.close();
  });

  test('killed in the middle, the next write finishes it', async () => {
    const cli = filled();
    const pending = path.join(cli.home, 'holdfast', 'projects', 'webshop', 'forgetting.json');
    // A database that is looked through and locked: the process waits in the middle of its work until it is killed.
    const locked = path.join(cli.home, 'holdfast', 'locked.db');
    const database = openDatabase(locked);
    database.exec('CREATE TABLE texts (text TEXT); BEGIN EXCLUSIVE');
    const child = spawn(process.execPath, [PROGRAM, '--home', cli.home, 'forget', 'merger-with-bluefin-robotics', '--now', '--yes'], {
      cwd: cli.project,
      stdio: 'ignore',
    });
    const ended = new Promise<string | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
    await vi.waitUntil(() => fs.existsSync(pending) || child.exitCode !== null, PATIENCE);
    child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');
    database.close();
    fs.rmSync(locked);
    expect(fs.existsSync(pending)).toBe(true);
    cli.ask('retire', 'keep-invoices', '--reason', 'test');
    expect(holding(cli.home, WORD)).toEqual([]);
    expect(fs.existsSync(pending)).toBe(false);
    expect(cli.ask('show', 'keep-invoices')).toMatchObject({ title: 'Keep invoices for eleven years' });
  });

  test('undo cannot bring it back and says so', () => {
    const cli = filled();
    const log = cli
      .run('log', 'merger-with-bluefin-robotics', '--json')
      .out.trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { group: string });
    cli.ask('forget', 'merger-with-bluefin-robotics', '--now', '--yes');
    const refused = cli.refused('undo', '--action', log.at(-1)?.group ?? '');
    expect(refused).toMatchObject({ error: 'UNDO_CONFLICT', message: expect.stringContaining('forgotten for good') });
    expect(cli.ask('undo')).toMatchObject({ ok: true });
    expect(holding(cli.home, WORD)).toEqual([]);
  });

  test('names the record that says the same and the transcript of the client, with exit code 1; --transcripts cleans the latter', () => {
    const cli = filled();
    cli.ask(
      'write',
      '--action',
      'create',
      '--category',
      'decision',
      '--target',
      'decisions/twin.md',
      '--input',
      draftFile(cli, 'twin.json', draft('A twin of another record', `${SECRET}.`)),
    );
    const client = path.join(cli.home, 'projects', '-work-webshop', 'abc.jsonl');
    fs.mkdirSync(path.dirname(client), { recursive: true });
    fs.writeFileSync(client, `${JSON.stringify({ type: 'user', message: { content: 'Only the board knows of it so far, says "Ann"' } })}\n`);
    const answer = cli.run('forget', 'merger-with-bluefin-robotics', '--now', '--json');
    expect(answer.code).toBe(1);
    const { left } = JSON.parse(answer.out) as { left: { file: string; owner: string }[] };
    expect(left.map(({ file, owner }) => [path.basename(file), owner])).toEqual([
      ['twin.md', 'memory'],
      ['abc.jsonl', 'client'],
    ]);
    expect(cli.run('forget', 'twin', '--now', '--json', '--transcripts').code).toBe(0);
    expect(holding(cli.home, 'ninth of may')).toEqual([]);
  });

  test('asks a person: without a terminal or --yes nothing goes, and an agent is refused', () => {
    const cli = filled();
    expect(cli.run('forget', 'merger-with-bluefin-robotics', '--now').code).toBe(2);
    const agent = cli.runIn({ env: { CLAUDECODE: '1' } }, 'forget', 'merger-with-bluefin-robotics', '--now', '--yes', '--json');
    expect(JSON.parse(agent.out)).toMatchObject({ ok: false, error: 'SECURITY_ERROR' });
    expect(cli.ask('show', 'merger-with-bluefin-robotics')).toMatchObject({ title: 'Merger with Bluefin Robotics in spring' });
  });

  test('what a crash cut short is finished by the next write', () => {
    const cli = filled();
    const state = path.join(cli.home, 'holdfast', 'projects', 'webshop');
    fs.writeFileSync(path.join(state, 'forgetting.json'), JSON.stringify([{ root: 'private', path: 'decisions/merger-with-bluefin-robotics.md' }]));
    cli.ask('retire', 'keep-invoices', '--reason', 'test');
    expect(holding(cli.home, WORD)).toEqual([]);
    expect(fs.existsSync(path.join(state, 'forgetting.json'))).toBe(false);
  });
});

test('the log says that an agent ran forget in its shell', () => {
  const cli = filled();
  cli.runIn({ env: { CLAUDECODE: '1' } }, 'forget', 'merger-with-bluefin-robotics');
  expect(cli.run('log').out).toMatch(/retire .*Merger with Bluefin.* by shell/);
});

test('forget without --now retires the record and says when it goes', () => {
  const cli = filled();
  const { out } = cli.run('forget', 'merger-with-bluefin-robotics');
  expect(out).toContain('holdfast gc removes it for good after 30 days');
  expect(cli.ask('show', 'merger-with-bluefin-robotics')).toMatchObject({ record: { record_status: 'retired' } });
});

test('gc with a grace period of 0 leaves nothing of a retired record', () => {
  const cli = filled();
  cli.ask('config', 'set', 'delete.grace_period_days', '0');
  cli.ask('retire', 'merger-with-bluefin-robotics', '--reason', 'secret');
  expect(cli.ask('gc')).toMatchObject({ deleted: ['merger-with-bluefin-robotics.md'], left: [] });
  expect(holding(cli.home, WORD)).toEqual([]);
});

test('gc that leaves some of the text behind ends with exit code 1, as forget does', () => {
  const cli = filled({ delete: { grace_period_days: 0 } });
  const client = path.join(cli.home, 'projects', '-work-webshop', 'abc.jsonl');
  fs.mkdirSync(path.dirname(client), { recursive: true });
  fs.writeFileSync(client, `${JSON.stringify({ type: 'user', message: { content: `${SECRET}.` } })}\n`);
  cli.ask('retire', 'merger-with-bluefin-robotics', '--reason', 'test');
  const { code, out } = cli.run('gc', '--json');
  expect(JSON.parse(out)).toMatchObject({ ok: false, left: [{ file: client, owner: 'client' }] });
  expect(code).toBe(1);
  fs.rmSync(client);
  expect(cli.run('gc').code).toBe(0);
});
