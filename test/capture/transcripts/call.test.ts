import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeCall } from '../../../src/capture/transcripts/call.ts';
import { cutMiddle } from '../../../src/capture/transcripts/value.ts';

describe('describeCall', () => {
  it.each<[string, unknown, { input?: string; files?: string[]; command?: string | undefined }]>([
    ['Bash', { command: 'npm test', description: 'Run tests', timeout: 1000 }, { input: 'npm test\nRun tests', files: [], command: 'npm test' }],
    ['shell', { command: ['bash', '-lc', 'rg x | head'], workdir: '/p' }, { input: 'rg x | head\nworkdir: /p', command: 'rg x | head' }],
    ['exec_command', { cmd: 'ls' }, { input: 'ls', command: 'ls' }],
    ['Edit', { file_path: '/a.ts', old_string: 'old', new_string: 'new' }, { input: '/a.ts\nnew', files: ['/a.ts'] }],
    [
      'MultiEdit',
      { file_path: '/a.ts', edits: [{ old_string: 'o', new_string: 'n1' }, { new_string: 'n2' }] },
      { input: '/a.ts\nedits: n1, n2', files: ['/a.ts'] },
    ],
    ['Write', { file_path: '/a.ts', content: 'x = 1' }, { input: '/a.ts\nx = 1', files: ['/a.ts'] }],
    ['NotebookEdit', { notebook_path: '/n.ipynb', new_source: 'x' }, { files: ['/n.ipynb'] }],
    ['Grep', { pattern: 'foo', path: '/src', output_mode: 'content' }, { input: '/src\nfoo\noutput_mode: content', files: [] }],
    ['Task', { description: 'Find', prompt: 'Find it.', subagent_type: 'Explore' }, { input: 'Find\nFind it.\nsubagent_type: Explore', files: [] }],
    ['AskUserQuestion', { questions: [{ question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }] }, { input: 'questions: Which?\noptions: A, B' }],
    ['apply_patch', '*** Begin Patch\n*** Add File: a.py\n+x\n*** Update File: b.py\n*** Move to: c.py\n*** End Patch', { files: ['a.py', 'b.py', 'c.py'] }],
    ['replace', { file_path: 'x', new_string: 'n' }, { files: ['x'] }],
    ['read', { filePath: '/x' }, { files: ['/x'] }],
    ['mcp__holdfast__save', { title: 'A decision' }, { input: '', files: [] }],
    ['Odd', null, { input: '', files: [] }],
    ['Odd', 7, { input: '7', files: [] }],
  ])('%s %j', (name, input, expected) => expect(describeCall('id', name, input, 4_000)).toMatchObject({ id: 'id', name, ...expected }));

  it('takes any input', () => {
    fc.assert(fc.property(fc.string(), fc.jsonValue(), (name, input) => describeCall('i', name, input, 50).input.length < 100));
  });
});

describe('cutMiddle', () => {
  it('never gives much more than the limit, keeps both ends and no half of a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.integer({ min: 20, max: 200 }), (text, limit) => {
        const cut = cutMiddle(text, limit);
        if (text.length <= limit) {
          expect(cut).toBe(text);
          return;
        }
        expect(cut.length).toBeLessThanOrEqual(limit + 40);
        expect(text.startsWith(cut.split('\n[… ')[0] ?? '')).toBe(true);
        expect(cut.isWellFormed()).toBe(text.isWellFormed());
      }),
    );
  });
});
