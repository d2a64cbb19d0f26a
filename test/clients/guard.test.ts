import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { clients } from './sandbox/clients.ts';
import { filesIn, holdfast, memoryOf, prompt, SAVE } from './sandbox/plugin.ts';
import { sandbox } from './sandbox/sandbox.ts';

describe.each(clients)('Claude Code $version', (client) => {
  test('a direct write into the memory is denied with the right hint, and memory_save works without a prompt', async () => {
    const box = await sandbox(client);
    holdfast(box, 'config', 'set', 'on', 'true');
    const file = path.join(memoryOf(box), 'decisions', 'by-hand.md');
    const write = { tool: 'Write', input: { file_path: file, content: '# by hand' } };
    const save = { tool: SAVE, input: { category: 'decision', text: 'Use SQLite for the queue because it needs no server', asked: 'Write it down' } };
    box.model.play([{ when: 'Write it down', steps: [{ calls: [write] }, { calls: [save] }, { text: 'kept' }] }]);
    const { stdout } = await prompt(box, 'Write it down', '--allowedTools', 'Write');
    expect(stdout).toBe('kept\n');
    const [, denied, saved] = box.model.asked;
    expect(denied?.text).toContain('Save with the memory_save tool');
    expect(existsSync(file)).toBe(false);
    expect(saved?.text).toContain('created decision/use-sqlite-for-the-queue');
    expect(filesIn(box, 'decisions')).toHaveLength(1);
    expect(saved?.text).not.toMatch(/hook success|hook completed/i);
    expect(await box.left()).toEqual([]);
  });
});
