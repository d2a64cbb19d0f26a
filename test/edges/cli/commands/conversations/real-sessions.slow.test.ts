import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../../../scripts/bundle.js';
import { program } from '../../program.ts';

const ARCHIVE = path.join(root, '..', 'shared', 'bench', 'coding-sessions-dev', 'transcripts.tar.xz');
const there = fs.existsSync(ARCHIVE);
if (!there) console.log('skipped: the transcripts of real sessions are not on this machine');

describe.runIf(there)('five real sessions', () => {
  it('become summaries and a master that names decisions, findings, changes and what is open', () => {
    const cli = program();
    const folder = path.join(cli.folder, 'transcripts');
    fs.mkdirSync(folder);
    expect(spawnSync('tar', ['xJf', ARCHIVE, '-C', folder]).status).toBe(0);
    const sessions = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => path.join(folder, name))
      .toSorted((a, b) => fs.statSync(b).size - fs.statSync(a).size)
      .filter((_, index) => index % 8 === 7)
      .slice(0, 5);
    expect(sessions).toHaveLength(5);
    for (const file of sessions) cli.ask('summarize', '--transcript', file);
    const made = cli.ask('synthesize') as { conversations: number; text: string };
    expect(made.conversations).toBe(5);
    const bullets = (heading: string): number =>
      (
        made.text
          .split(`\n## ${heading}\n`)[1]
          ?.split('\n## ')[0]
          ?.match(/^- .+ \*\(.+\)\*$/gm) ?? []
      ).length;
    expect(bullets('Current Status')).toBeGreaterThanOrEqual(3);
    expect(bullets('Key Decisions')).toBeGreaterThanOrEqual(3);
    expect(bullets('Learnings & Discoveries')).toBeGreaterThanOrEqual(3);
    expect(bullets('Evolution & Changes')).toBeGreaterThanOrEqual(4);
    expect(bullets('Active Questions')).toBeGreaterThanOrEqual(1);
    expect(cli.ask('recall')).toMatchObject({ master: { new_summaries: 0 } });
  }, 120_000);
});
