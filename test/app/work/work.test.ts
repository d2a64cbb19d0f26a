import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { undo } from '../../../src/app/history/undo.ts';
import { startWork } from '../../../src/app/work/begin.ts';
import { changeWork, readWork } from '../../../src/app/work/work.ts';
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
    must(await changeWork(memory, { task: 'Mend the checkout' }, by));
    must(await changeWork(memory, { steps: ['Find it', 'Write a test', 'Make it pass'] }, by));
    must(await changeWork(memory, { finished: ['1'] }, by));
    must(await changeWork(memory, { blocker: 'No key for the sandbox' }, by));
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
    must(await changeWork(memory, { task: 'Mend the checkout' }, by));
    must(await changeWork(memory, { steps: ['Find it', 'Tell the others'] }, by));
    must(await changeWork(memory, { steps: ['Tell the others'] }, by));
    must(await changeWork(memory, { blocker: 'No key' }, by));
    must(await changeWork(memory, { blocker: ' No  key' }, by));
    expect((await readWork(memory)).blockers, 'noted once').toHaveLength(1);
    must(await changeWork(memory, { finished: ['find'] }, by));
    at('2026-03-01T13:00:00Z');
    must(await changeWork(memory, { resolved: 'key' }, by));
    const ended = must(await changeWork(memory, { ended: 'done' }, by));
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
    must(await changeWork(memory, { task: 'Port the printer' }, by));
    expect(read('context/current-task.md')).toMatch(/^# Current Task\n\nPort the printer\n[\s\S]*## Notes\nkeep me\n$/);
    must(await changeWork(memory, { finished: ['two'] }, by));
    must(await changeWork(memory, { steps: ['three'] }, by));
    expect(read('progress/active.md')).toBe('# Work\r\n\r\n* [X] one\r\n* [x] two\r\n- [ ] three\r\n\r\n```\r\n- [ ] not an item\r\n```\r\n');
  });

  test('an entry is found by number or words, and never guessed', async () => {
    const { memory } = open();
    must(await changeWork(memory, { steps: ['Write tests', 'Write docs'] }, by));
    expect(await changeWork(memory, { finished: ['write'] }, by)).toMatchObject({ ok: false, error: { code: 'AMBIGUOUS_ID' } });
    expect(await changeWork(memory, { finished: ['9'] }, by)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect(await changeWork(memory, { resolved: 'x' }, by)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect(await changeWork(memory, { ended: 'done' }, by)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect(await changeWork(memory, { task: ' \n ' }, by)).toMatchObject({ ok: false, error: { code: 'USAGE_ERROR' } });
    expect(must(await changeWork(memory, { dropped: ['docs'] }, by)).steps.map(({ text }) => text)).toEqual(['Write tests']);
    expect(must(await changeWork(memory, { dropped: ['1'] }, by)).steps).toEqual([]);
  });

  test('a percentage written by hand is progress too', async () => {
    const { memory, root, read } = open();
    fs.mkdirSync(path.join(root, 'progress'), { recursive: true });
    fs.writeFileSync(path.join(root, 'progress', 'active.md'), '# Work\n\nAbout 40% of the pages\n');
    must(await startWork(memory, by));
    expect(read('_index.md')).toContain('- **Progress**: 40%');
  });

  test('several changes are one action: one undo takes them back, and what cannot be done changes nothing', async () => {
    const { memory, read } = open();
    must(await startWork(memory, by));
    must(await changeWork(memory, { task: 'Port the printer', next: ['Read the manual', 'Write the driver'], blocker: 'No paper', note: 'Prints labels' }, by));
    const before = read('progress/active.md');
    expect(await changeWork(memory, { task: 'Another', finished: ['7'] }, by)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect(await changeWork(memory, { finished: ['Read the manual'], resolved: 'no such' }, by)).toMatchObject({ ok: false });
    expect([must(await changeWork(memory, {}, by)).task, read('progress/active.md')]).toEqual(['Port the printer', before]);
    expect(read('project.md')).toContain('## Notes\n- Prints labels');
    must(await undo(memory, { actor: 'test', count: 1 }));
    expect(await readWork(memory)).toMatchObject({ steps: [], blockers: [] });
  });

  test('the next step comes before those that are open, and a finished one that was not listed is added where asked', async () => {
    const { memory } = open();
    must(await changeWork(memory, { steps: ['one', 'two', 'three'], finished: [] }, by));
    must(await changeWork(memory, { finished: ['one'] }, by));
    const texts = must(await changeWork(memory, { next: ['urgent', 'three'] }, by)).steps.map(({ text, ticked }) => `${ticked ? 'x' : ' '} ${text}`);
    expect(texts).toEqual(['x one', '  urgent', '  three', '  two']);
    expect(await changeWork(memory, { finished: ['not listed'] }, by)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    const done = must(await changeWork(memory, { finished: ['not listed', 'URGENT'], addsFinished: true }, by));
    expect(done.steps.filter(({ ticked }) => ticked).map(({ text }) => text)).toEqual(['one', 'not listed', 'urgent']);
    expect(done.completed.map(({ text }) => text.replace(/^\S+ /, ''))).toEqual(['urgent', 'not listed', 'one']);
  });
});
