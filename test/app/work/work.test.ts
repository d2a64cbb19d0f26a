import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { undo } from '../../../src/app/history/undo.ts';
import { startWork } from '../../../src/app/work/begin.ts';
import { addBlocker, addSteps, endStep, endTask, readWork, resolveBlocker, setTask } from '../../../src/app/work/work.ts';
import { must, openMemory } from '../memory.ts';

const by = { actor: 'test' } as const;

function open() {
  const opened = openMemory();
  return { ...opened, read: (file: string) => fs.readFileSync(path.join(opened.root, file), 'utf8') };
}

describe('where the work stands', () => {
  test('task, progress and blocker show in the head of the index', async () => {
    const { memory, read } = open();
    must(await startWork(memory, by));
    must(await setTask(memory, 'Mend the checkout', by));
    must(await addSteps(memory, ['Find it', 'Write a test', 'Make it pass'], by));
    must(await endStep(memory, '1', 'done', by));
    must(await addBlocker(memory, 'No key for the sandbox', by));
    expect(read('_index.md')).toContain(
      '- **Task**: Mend the checkout\n- **Progress**: 1/3\n- **Active Blocker**: No key for the sandbox (since 2026-03-01T12:00:00Z)',
    );
    expect(read('context/current-task.md')).toContain('# Current Task\n\nMend the checkout\n\n**Started**: 2026-03-01T12:00:00Z');
    expect(read('progress/active.md')).toContain('- [x] Find it\n- [ ] Write a test\n- [ ] Make it pass\n');
    expect(read('progress/completed.md')).toContain('- 2026-03-01T12:00:00Z Find it');
    expect(read('progress/active.md')).not.toContain('Nothing yet');
  });

  test('what ends moves to what was completed, and the rest stays', async () => {
    const { memory, read, at } = open();
    must(await setTask(memory, 'Mend the checkout', by));
    must(await addSteps(memory, ['Find it', 'Tell the others'], by));
    must(await addBlocker(memory, 'No key', by));
    must(await endStep(memory, 'find', 'done', by));
    at('2026-03-01T13:00:00Z');
    must(await resolveBlocker(memory, 'key', by));
    const ended = must(await endTask(memory, 'done', by));
    expect(ended).toMatchObject({ steps: [{ text: 'Tell the others' }], blockers: [] });
    expect(ended.task).toBeUndefined();
    expect(ended.completed.map(({ text }) => text)).toEqual([
      '2026-03-01T13:00:00Z Mend the checkout',
      '2026-03-01T13:00:00Z Resolved: No key (since 2026-03-01T12:00:00Z)',
      '2026-03-01T12:00:00Z Find it',
    ]);
    expect(read('_index.md')).toContain('- **Task**: None\n- **Progress**: 0/1\n- **Active Blocker**: None');
    must(await undo(memory, by));
    expect(await readWork(memory)).toMatchObject({ task: 'Mend the checkout', steps: [{ ticked: true }, { ticked: false }] });
  });

  test('what people wrote by hand is read, and their notes stay', async () => {
    const { memory, root, read } = open();
    for (const folder of ['context', 'progress']) fs.mkdirSync(path.join(root, folder), { recursive: true });
    fs.writeFileSync(path.join(root, 'context', 'current-task.md'), 'Port the parser\nto the new grammar\n\n## Notes\nkeep me\n');
    fs.writeFileSync(path.join(root, 'progress', 'active.md'), '# Work\r\n\r\n* [X] one\r\n* two\r\n\r\n```\r\n- [ ] not an item\r\n```\r\n');
    expect(await readWork(memory)).toMatchObject({ task: 'Port the parser\nto the new grammar', steps: [{ text: 'one', ticked: true }, { text: 'two' }] });
    must(await setTask(memory, 'Port the printer', by));
    expect(read('context/current-task.md')).toMatch(/^# Current Task\n\nPort the printer\n[\s\S]*## Notes\nkeep me\n$/);
    must(await endStep(memory, 'two', 'done', by));
    must(await addSteps(memory, ['three'], by));
    expect(read('progress/active.md')).toBe('# Work\r\n\r\n* [X] one\r\n* [x] two\r\n- [ ] three\r\n\r\n```\r\n- [ ] not an item\r\n```\r\n');
  });

  test('an entry is found by number or words, and never guessed', async () => {
    const { memory } = open();
    must(await addSteps(memory, ['Write tests', 'Write docs'], by));
    expect(await endStep(memory, 'write', 'done', by)).toMatchObject({ ok: false, error: { code: 'AMBIGUOUS_ID' } });
    expect(await endStep(memory, '9', 'done', by)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect(await resolveBlocker(memory, 'x', by)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect(await endTask(memory, 'done', by)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect(await setTask(memory, ' \n ', by)).toMatchObject({ ok: false, error: { code: 'USAGE_ERROR' } });
    expect(must(await endStep(memory, 'docs', 'dropped', by)).steps.map(({ text }) => text)).toEqual(['Write tests']);
    expect(must(await endStep(memory, '1', 'dropped', by)).steps).toEqual([]);
  });

  test('a percentage written by hand is progress too', async () => {
    const { memory, root, read } = open();
    fs.mkdirSync(path.join(root, 'progress'), { recursive: true });
    fs.writeFileSync(path.join(root, 'progress', 'active.md'), '# Work\n\nAbout 40% of the pages\n');
    must(await startWork(memory, by));
    expect(read('_index.md')).toContain('- **Progress**: 40%');
  });
});
