import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { lay, MEMORY_FOLDER } from './foreign.ts';
import { draftFile, program, type Program } from './program.ts';

const KNOWN = '7d1c0a52-6f1e-4d0e-9b1a-1f6f3d1c2a10';

function withFolder(files: Readonly<Record<string, string>>): Program & { readonly folder_: string } {
  const cli = program();
  const folder_ = path.join(cli.project, '_memory');
  fs.mkdirSync(folder_);
  lay(folder_, files);
  return { ...cli, folder_ };
}

const chat = (cli: Program, id: string, ...said: string[]): string =>
  draftFile(
    cli,
    `${id}.jsonl`,
    said
      .map((text, index) =>
        JSON.stringify({ project: 'webshop', session_id: id, message_id: `m${index}`, role: 'user', timestamp: `2026-01-05T10:0${index}:00Z`, text }),
      )
      .join('\n'),
  );

const found = (cli: Program, query: string): readonly string[] => (cli.ask('search', query)['hits'] as { id: string }[]).map(({ id }) => id);

describe('a _memory/ in the project', () => {
  it('is read where it stands, and an unread one leaves no trace in the home', () => {
    const cli = withFolder(MEMORY_FOLDER);
    expect(found(cli, 'times are kept in UTC')).toContain(`session_summary/${KNOWN}`);
    expect(cli.run('recall').out).toContain('Warnings go out at dawn');
    expect(fs.existsSync(cli.home)).toBe(false);
  });

  it('gets summaries under their session ids, one file each, however often, and says what it is', () => {
    const cli = withFolder({});
    expect(cli.ask('summarize', '--transcript', chat(cli, 'client-7', 'Send the warnings by radio'))).toMatchObject({ status: 'created' });
    const file = path.join(cli.folder_, 'conversations', 'client-7.md');
    expect(fs.readFileSync(file, 'utf8')).toContain('Send the warnings by radio');
    const again = cli.ask('summarize', '--transcript', chat(cli, 'client-7', 'Send the warnings by radio', 'And at dawn, because captains sail at dawn'));
    expect(again).toMatchObject({ status: 'updated', file });
    expect(fs.readdirSync(path.join(cli.folder_, 'conversations'))).toEqual(['client-7.md']);
    expect(fs.readFileSync(path.join(cli.folder_, 'ARCHITECTURE.md'), 'utf8')).toContain('conversations/{session-id}.md');
    expect(fs.existsSync(path.join(cli.records, 'sessions'))).toBe(false);
  });

  it('keeps the words of its own about itself', () => {
    const cli = withFolder({ 'ARCHITECTURE.md': '# Ours\n' });
    cli.ask('summarize', '--transcript', chat(cli, 'client-8', 'Send the warnings by radio'));
    expect(fs.readFileSync(path.join(cli.folder_, 'ARCHITECTURE.md'), 'utf8')).toBe('# Ours\n');
  });

  it('gets the master too, and its summaries are never retired by the window', () => {
    const cli = withFolder(MEMORY_FOLDER);
    for (let number = 1; number <= 7; number += 1) cli.ask('summarize', '--transcript', chat(cli, `client-${number}`, `Warn of tide ${number}`));
    expect(cli.ask('synthesize', '--full')).toMatchObject({ file: path.join(cli.folder_, 'master.md'), conversations: 8 });
    expect(fs.readdirSync(path.join(cli.folder_, 'conversations'))).toHaveLength(8);
    expect(JSON.stringify(cli.ask('status'))).toContain('"category":"session_summary","active":8');
  });

  it('is folded into the memory by migrate and not read twice from then on', () => {
    const cli = withFolder(MEMORY_FOLDER);
    expect(cli.run('migrate').out).toContain('_memory/ is no longer read in place');
    expect(found(cli, 'times are kept in UTC').filter((id) => id === `session_summary/${KNOWN}`)).toHaveLength(1);
    cli.ask('summarize', '--transcript', chat(cli, 'client-9', 'Send the warnings by radio'));
    expect(fs.existsSync(path.join(cli.records, 'sessions', 'client-9.md'))).toBe(true);
    expect(fs.readdirSync(path.join(cli.folder_, 'conversations'))).toEqual([`${KNOWN}.md`]);
    cli.ask('config', 'unset', 'storage.memoryFolder');
    cli.ask('undo', '2');
    expect(found(cli, 'times are kept in UTC')).toContain(`session_summary/${KNOWN}`);
  });
});
