import { expect, test } from 'vitest';
import { filesWritten, denialOfWriteElsewhere } from '../../../src/app/guard/shell-elsewhere.ts';

const folders = { roots: ['/home/me/.claude/projects/shop'], projects: '/home/me/.claude/projects', state: '/home/me/.claude/holdfast' };
const OTHER = '/home/me/.claude/projects/other';

test.each([
  `echo x > ${OTHER}/decisions/x.md`,
  `cd /tmp && printf x >>"$HOME/.claude/projects/other/decisions/x.md"`,
  `cat a.md | tee ~/.claude/projects/other/constraints/x.md`,
  `sed -i s/SQLite/Redis/ ~/.claude/projects/other/decisions/x.md`,
  `cp x.md ${OTHER}/decisions/x.md`,
  `rm -rf ${OTHER}/decisions/`,
  `sudo rm -r ${OTHER}`,
  `mv ${OTHER}/_index.md /tmp`,
  `echo {} > ${OTHER}/memory-config.json`,
])('an agent’s shell does not write the memory of another project: %s', (command) => {
  expect(denialOfWriteElsewhere(command, folders)).toMatch(/another project|settings of the user/);
});

test.each([
  `cat ${OTHER}/decisions/x.md`,
  `grep -rn redis ${OTHER} > /tmp/found`,
  `cp ${OTHER}/decisions/x.md /tmp/x.md`,
  `sed -n 1,5p ${OTHER}/decisions/x.md`,
  `echo x > /home/me/.claude/projects/shop/decisions/x.md`,
  `echo x >> ${OTHER}/context/blockers.md`,
  `rm /home/me/.claude/projects/-home-me-shop/0b7e.jsonl`,
  `tee /tmp/x < ${OTHER}/decisions/x.md`,
  `rm projects/other/decisions/x.md`,
  `git commit -m "rm ${OTHER}/decisions/x.md > ${OTHER}/decisions/y.md"`,
])('it reads what it wants, and its own memory is settled afterwards: %s', (command) => {
  expect(denialOfWriteElsewhere(command, folders)).toBeUndefined();
});

test('the files that a command names as written', () => {
  expect(filesWritten(`a > b 2>&1; tee -a 'c d' <e | cp f g && LANG=C sed -i.bak s/x/y/ h || dd if=i of=j`)).toEqual([
    'b',
    '1',
    'c d',
    'g',
    's/x/y/',
    'h',
    'j',
  ]);
});
