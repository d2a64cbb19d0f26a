import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { removeExcluded } from '../../../src/app/episodes/excluded.ts';
import { openStore } from '../../../src/bin/wiring/episodes.ts';
import { Exclusion } from '../../../src/capture/cleaning/exclude.ts';
import { answered, called, replied, said, text } from '../../capture/transcripts/reading.ts';
import { program, type Program } from '../../edges/cli/program.ts';
import { filesUnder } from '../../scratch.ts';

const SECRET = 'Zanzibarite';
const GLOB = '["payroll/**"]';

/** A session whose agent printed a file, in a project that has nothing to hide yet. */
function lay(cli: Program, sessionId: string, file: string, shown: string): string {
  const here = (minute: number) => ({ sessionId, cwd: cli.project, timestamp: `2026-01-02T10:0${minute}:00.000Z` });
  const answer = (call: string, output: string, uuid: string, minute: number): string =>
    JSON.stringify({ ...(JSON.parse(answered(call, output)) as object), uuid, ...here(minute) });
  const lines = [
    said(`Please look at ${file} and tell me about the harbour.`, { uuid: 'u1', ...here(0) }),
    replied('m1', [text('Looking.'), called('c1', 'Bash', { command: `cat ${file} # ${shown}` })], { uuid: 'a1', ...here(1) }),
    answer('c1', `name: ${shown}`, 't1', 2),
    replied('m2', [text('The harbour is deep enough for barges.')], { uuid: 'a2', ...here(3) }),
  ];
  const folder = path.join(cli.home, 'projects', cli.project.replace(/[^A-Za-z0-9]/g, '-'));
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, `${sessionId}.jsonl`), `${lines.join('\n')}\n`);
  return path.join(folder, `${sessionId}.jsonl`);
}

const stateOf = (cli: Program): string => path.join(cli.home, 'holdfast', 'projects', 'webshop');

/** Holdfast's files that hold the word in any letter case, archives unpacked. */
const holding = (cli: Program): readonly string[] =>
  Object.keys(filesUnder(stateOf(cli))).filter((name) => {
    const bytes = fs.readFileSync(path.join(stateOf(cli), name));
    const plain = name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
    return plain.toString('latin1').toLowerCase().includes(SECRET.toLowerCase());
  });

const found = (cli: Program, query: string): readonly unknown[] =>
  [...new Set((cli.ask('search', query, '--kind', 'message')['hits'] as { session_id: string }[]).map((hit) => hit.session_id))].toSorted();

function opened(): { readonly cli: Program; readonly transcript: string } {
  const cli = program();
  const transcript = lay(cli, 'session-1', 'payroll/plan.md', SECRET);
  lay(cli, 'session-2', 'docs/harbour.md', 'Granite');
  cli.ask('import');
  expect(found(cli, SECRET)).toEqual(['session-1']);
  cli.ask('config', 'set', 'capture.exclude', GLOB);
  return { cli, transcript };
}

describe('what capture.exclude leaves out only now', () => {
  it('is named by doctor and gc, and taken out of archive and index by gc', () => {
    const { cli, transcript } = opened();
    const before = fs.readFileSync(transcript, 'utf8');
    const doctor = cli.run('doctor');
    expect(doctor.out).toContain('Archived conversations contain what capture.exclude excludes: session-1 (2 messages)');
    expect(doctor.code).toBe(1);
    expect(cli.ask('gc', '--dry-run')).toMatchObject({ excluded: [{ session_id: 'session-1', messages: 2 }] });
    expect(holding(cli).length).toBeGreaterThan(0);

    expect(cli.run('gc').out).toContain('removed from conversations by capture.exclude: session-1 (2 messages)');
    expect(holding(cli)).toEqual([]);
    expect(found(cli, SECRET)).toEqual([]);
    expect(found(cli, 'Granite')).toEqual(['session-2']);
    expect(found(cli, 'harbour barges')).toEqual(['session-1', 'session-2']);
    expect(cli.run('messages', '--session', 'session-1').out).toContain('[left out by capture.exclude]');
    expect(cli.run('doctor').out).not.toContain('capture.exclude');
    expect(cli.ask('gc')).toMatchObject({ excluded: [] });

    fs.appendFileSync(
      transcript,
      `${said('And the tide?', { uuid: 'u9', sessionId: 'session-1', cwd: cli.project, timestamp: '2026-01-02T11:00:00.000Z' })}\n`,
    );
    expect(cli.ask('import')).toMatchObject({ messages: 1 });
    expect(holding(cli)).toEqual([]);
    expect(fs.readFileSync(transcript, 'utf8').startsWith(before)).toBe(true);
  });

  it('brings back from its transcript what the archive had given up', () => {
    const { cli } = opened();
    cli.ask('config', 'set', 'archive.maxBytes', '1');
    lay(cli, 'session-3', 'docs/pier.md', 'Basalt');
    cli.ask('import');
    expect(found(cli, 'Granite')).toEqual(['session-2']);
    cli.ask('config', 'unset', 'archive.maxBytes');
    lay(cli, 'session-4', 'docs/quay.md', 'Slate');
    cli.ask('config', 'set', 'capture.exclude', '[]');
    cli.ask('import');
    cli.ask('config', 'set', 'capture.exclude', '["docs/quay.md"]');
    expect(cli.ask('gc')).toMatchObject({ excluded: [{ session_id: 'session-4' }] });
    cli.ask('import');
    expect(found(cli, 'Granite')).toEqual(['session-2']);
    expect(found(cli, 'Slate')).toEqual([]);
  });

  it('is out of the index too where taking it out was cut short after the archive', async () => {
    const { cli } = opened();
    const { store, close } = openStore(cli.home, 'webshop');
    const killed = (): never => {
      throw new Error('killed');
    };
    Object.assign(store.archive, { names: killed });
    await expect(removeExcluded(store, () => new Exclusion(['payroll/**'], cli.project))).rejects.toThrow('killed');
    close();
    expect(cli.ask('gc')).toMatchObject({ excluded: [] });
    expect(found(cli, SECRET)).toEqual([]);
    expect(found(cli, 'Granite')).toEqual(['session-2']);
  });
});
