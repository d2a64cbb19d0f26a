import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { clients } from './sandbox/clients.ts';
import { filesIn, holdfast, memoryOf, prompt } from './sandbox/plugin.ts';
import { sandbox } from './sandbox/sandbox.ts';

const TASK = 'Look at how the order queue stores its rows in SQLite.';
const REPORT =
  'The order queue keeps its rows in orders.db: one table, in WAL mode, one row an order. Nothing else writes there, and rows are deleted after the till has confirmed them.';
const AGENT = { tool: 'Agent', input: { subagent_type: 'general-purpose', description: 'look at the queue', run_in_background: false, prompt: TASK } };

describe.each(clients)('Claude Code $version', (client) => {
  test("a subagent's own first request holds its brief, and its report is a file afterwards", async () => {
    const box = await sandbox(client);
    holdfast(box, 'config', 'set', 'on', 'true');
    holdfast(
      box,
      'save',
      'decision',
      '--title',
      'SQLite for the order queue',
      'Use SQLite for the order queue because Redis would need a server on every till',
    );
    box.model.play([
      { when: TASK, steps: [{ calls: [{ tool: 'Read', input: { file_path: path.join(memoryOf(box), '_index.md') } }] }, { text: REPORT }] },
      { when: 'Have somebody look', steps: [{ calls: [AGENT] }, { text: 'looked' }] },
    ]);
    const { stdout } = await prompt(box, 'Have somebody look at it.');
    expect(stdout).toBe('looked\n');
    const [own, read] = box.model.talk().filter(({ text }) => text.includes(TASK) && !text.includes('Have somebody look'));
    expect(read?.text).toContain('## Recent Files');
    expect(own?.text).toContain('Redis would need a server on every till');
    expect(own?.text).toContain('End with a report, which is kept for you');
    const [file = '', ...more] = filesIn(box, 'subagent');
    expect(more).toEqual([]);
    const report = readFileSync(path.join(memoryOf(box), 'subagent', file), 'utf8');
    expect(report).toContain(REPORT);
    expect(report).toContain('general-purpose');
    expect(box.living().filter(({ command }) => command.includes('mcp.js'))).toEqual([]);
  });
});
