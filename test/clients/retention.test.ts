import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesUnder } from '../scratch.ts';
import { clients } from './sandbox/clients.ts';
import { holdfast, memoryOf } from './sandbox/plugin.ts';
import { sandbox } from './sandbox/sandbox.ts';

const YEAR_AGO = new Date(Date.now() - 365 * 24 * 3600 * 1000);

const age = (folder: string): void => {
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) utimesSync(path.join(folder, entry), YEAR_AGO, YEAR_AGO);
};

const CATEGORIES = ['session_summary', 'decision', 'runbook', 'constraint', 'tech_debt', 'preference', 'analysis', 'subagent_report'];

describe.each(clients)('Claude Code $version', (client) => {
  test('sweeps its own old transcripts away and nothing of a memory that is a year old', async () => {
    const box = await sandbox(client);
    for (const category of CATEGORIES) holdfast(box, 'save', category, `Kept as ${category} because it still holds`);
    holdfast(box, 'save', 'preference', 'Tests live beside the code', '--user');
    const [session, subfolder] = [
      path.join(box.config, 'projects/-tmp-old'),
      path.join(box.config, 'projects/-tmp-old/0b0b0b0b-0000-4000-8000-000000000000/subagents'),
    ];
    mkdirSync(subfolder, { recursive: true });
    const transcript = path.join(session, '0b0b0b0b-0000-4000-8000-000000000000.jsonl');
    writeFileSync(transcript, '{"type":"user","message":{"role":"user","content":"hello"}}\n');
    const before = filesUnder(box.config);
    const ours = Object.keys(before).filter((file) => !file.startsWith('projects/-tmp-old') && file !== '.claude.json');
    age(box.config);
    // The sweep begins five seconds after the client, so that the answer has to take longer.
    box.model.play([{ when: 'Good morning', steps: [{ text: 'good morning', delayMs: 9000 }] }]);
    await box.run('-p', 'Good morning');
    expect(existsSync(transcript), 'the sweep has run').toBe(false);
    const after = filesUnder(box.config);
    expect(ours.filter((file) => after[file] !== before[file])).toEqual([]);
    for (const category of CATEGORIES) expect(holdfast(box, 'search', `kept as ${category}`, '--category', category)).toContain(category);
    expect(Object.keys(filesUnder(memoryOf(box))).length).toBeGreaterThan(CATEGORIES.length);
  });
});
