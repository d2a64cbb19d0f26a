import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../../../scripts/bundle.js';
import { program } from '../../program.ts';

const ARCHIVE = path.join(root, '..', 'shared', 'bench', 'coding-sessions-dev', 'transcripts.tar.xz');
const there = fs.existsSync(ARCHIVE);
if (!there) console.log('skipped: the transcripts of real sessions are not on this machine');

describe.runIf(there)('ten real sessions', () => {
  it('become summaries, records and a master that names where the work stands, what was decided and what changed', () => {
    const cli = program();
    const folder = path.join(cli.folder, 'transcripts');
    fs.mkdirSync(folder);
    expect(spawnSync('tar', ['xJf', ARCHIVE, '-C', folder]).status).toBe(0);
    const sessions = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => path.join(folder, name))
      .toSorted((a, b) => fs.statSync(b).size - fs.statSync(a).size)
      .filter((_, index) => index % 4 === 0)
      .slice(0, 10);
    expect(sessions).toHaveLength(10);
    for (const file of sessions) {
      cli.ask('summarize', '--transcript', file);
      cli.ask('drafts', '--transcript', file, '--save');
    }
    const made = cli.ask('synthesize') as { conversations: number; text: string };
    expect(made.conversations).toBe(10);
    const bullets = (heading: string): number =>
      (
        made.text
          .split(`\n## ${heading}\n`)[1]
          ?.split('\n## ')[0]
          ?.match(/^- .+ \*\(.+\)\*$/gm) ?? []
      ).length;
    expect(bullets('Current Status')).toBeGreaterThanOrEqual(3);
    // What the user chose or stated, as its records have it; not what an agent said on the way.
    expect(bullets('Key Decisions')).toBeGreaterThanOrEqual(2);
    expect(made.text).toMatch(/No batching at all .*\(as offered: Send all issues to one plan prompt/);
    expect(made.text).toContain('the possibility to choose the running cli agent');
    expect(made.text).not.toMatch(/\bI (?:should|will|can)\b|Since `AppHeader`|Not seen done/);
    expect(bullets('Evolution & Changes')).toBeGreaterThanOrEqual(2);
    expect(cli.ask('recall')).toMatchObject({ master: { new_summaries: 0 } });
  }, 120_000);
});
