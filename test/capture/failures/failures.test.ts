import { expect, test } from 'vitest';
import { failuresIn } from '../../../src/capture/failures/failures.ts';
import { answered, called, read, replied, said, text } from '../transcripts/reading.ts';

const session = (command: string, output: string, reply: string, failed = true): readonly { readonly action: string; readonly cause: string }[] =>
  failuresIn(
    read(
      'claude-code',
      [
        said('Please go on.'),
        replied('m1', [called('c1', 'Bash', { command })]),
        answered('c1', output, failed ? { is_error: true } : {}),
        replied('m2', [text(reply)]),
        said('thanks'),
        replied('m3', [text('The pre-commit hook failed because `late.ts` is missing, said much later.')]),
      ].join('\n'),
    ).messages,
  ).map(({ action, cause }) => ({ action, cause }));

const HOOK = 'bun test v1\n12 fail in tmp/clones/shop/a.test.ts\nerror: script "test" exited with code 1';
const CAUSE = 'The pre-commit hook runs `bun test`, which picks up leftover clones under `tmp/clones/`.';

test.each([
  ['a commit that a hook refused', 'git add -A && git commit -m "Add it"', HOOK, `Let me see. ${CAUSE} Removing them.`, [{ action: 'commit', cause: CAUSE }]],
  [
    'a test run whose exit code a pipe hides',
    'go test ./... 2>&1 | tail',
    'FAIL TestSign: gpg failed to sign',
    'The failing `TestSign` is pre-existing: the gpg signing key of this machine is missing.',
    [{ action: 'test', cause: 'The failing `TestSign` is pre-existing: the gpg signing key of this machine is missing.' }],
  ],
] as const)('%s leaves the sentence that names its cause', (_, command, output, reply, expected) => {
  expect(session(command, output, reply, !command.includes('|'))).toEqual(expected);
});

test.each([
  ['a bug of the change itself', 'git commit -m x', 'error TS2322 in src/a.ts', 'The build broke because `src/a.ts` returns a string. Fixing it.', true],
  ['a command that the user refused', 'git commit -m x', "The user doesn't want to proceed with this tool use", CAUSE, true],
  ['nothing to commit', 'git commit -m x', 'nothing to commit, working tree clean', CAUSE, true],
  ['a commit that was made', 'git commit -m x; ls tmp/clones', '[main 1234567] x\nerror: tmp/clones hook', CAUSE, true],
  ['a command that only reads', 'git status', HOOK, CAUSE, true],
  ['a command that went well', 'git commit -m x', HOOK, CAUSE, false],
  ['a cause of something else', 'git commit -m x', 'error: pathspec did not match', 'The leftover `dist/old.js` issue is unrelated and pre-existing.', true],
] as const)('%s leaves nothing', (_, command, output, reply, failed) => {
  expect(session(command, output, reply, failed)).toEqual([]);
});
