import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatBytes } from '../../../../../src/edges/cli/present/format.ts';
import { program, type Program } from '../../program.ts';

interface Examined {
  readonly findings: readonly { readonly level: string; readonly what: string }[];
  readonly weighed: {
    readonly bytes: Readonly<Record<'records' | 'history' | 'index' | 'conversations', number>>;
    readonly claudeCode: readonly string[];
    readonly memory: { readonly on: boolean; readonly because: string };
  };
}

const examined = (cli: Program): Examined => JSON.parse(cli.run('doctor', '--json').out) as Examined;
const found = (cli: Program): string =>
  examined(cli)
    .findings.map(({ level, what }) => `${level} ${what}`)
    .join('\n');

describe('doctor', () => {
  it('weighs records, history, index and conversations', () => {
    const cli = program();
    cli.ask('save', 'decision', 'Use SQLite because it needs no server');
    const before = examined(cli).weighed.bytes;
    expect(before).toMatchObject({ conversations: 0 });
    for (const part of ['records', 'history', 'index'] as const) expect(before[part]).toBeGreaterThan(0);
    const chat = Array.from({ length: 40 }, (_, at) => ({
      project: 'webshop',
      session_id: 's',
      message_id: `m${at}`,
      role: 'user',
      text: `Message ${at} of many words`,
    }));
    const file = path.join(cli.folder, 'chat.jsonl');
    fs.writeFileSync(file, chat.map((row) => `${JSON.stringify(row)}\n`).join(''));
    cli.ask('import', file, '--format', 'chat');
    const after = examined(cli).weighed.bytes;
    expect(after.conversations).toBeGreaterThan(100);
    expect(cli.run('doctor').out).toMatch(/^sizes {3}records [\d.]+ \wB?, history [\d.]+ \wB?, index [\d.]+ \wB, conversations [\d.]+ \wB? of 1\.0 GB$/m);
    cli.ask('config', 'set', 'archive.maxBytes', String(after.conversations));
    expect(found(cli)).toContain('the oldest will be dropped');
  });

  it('says whether memory is on, and by which way the client knows of it', () => {
    const cli = program();
    expect(cli.run('doctor').out).toMatch(/^client {2}claude-code: not set up\nmemory {2}Memory is off in this project\. Turn it on with `holdfast start`\.$/m);
    expect(cli.run('status').out).toMatch(/^ {2}hooks off: Memory is off in this project\./m);
    cli.ask('config', 'set', 'on', 'true');
    expect(found(cli)).toContain('note Memory is on in this project, but no client is set up');
    cli.ask('init', '--yes');
    expect(examined(cli).weighed).toMatchObject({ claudeCode: ['hooks'], memory: { on: true, because: 'mode auto' } });
    expect(found(cli)).toBe('');
    expect(cli.ask('status')).toMatchObject({ on: true });
    const settings = path.join(cli.home, 'settings.json');
    fs.writeFileSync(settings, JSON.stringify({ enabledPlugins: { 'memory@holdfast': true } }));
    expect(found(cli)).toContain('problem Claude Code has both the plugin and the hooks of holdfast init');
    expect(cli.run('doctor')).toMatchObject({ code: 1 });
  });

  it.each([
    [0, '0 B'],
    [1, '1 B'],
    [1023, '1023 B'],
    [1024, '1.0 KB'],
    [20_480, '20 KB'],
    [1_073_741_824, '1.0 GB'],
  ])('says %d bytes as %s', (bytes, said) => expect(formatBytes(bytes)).toBe(said));
});
