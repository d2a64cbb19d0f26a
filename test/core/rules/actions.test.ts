import { expect, test } from 'vitest';
import { actionsNamed, actionsOf } from '../../../src/core/rules/actions.ts';

test.each([
  ['git commit -m "push the button"', ['commit']],
  ['cd web && npm test && git add -A && git commit -F - <<EOF\ngit push\nEOF', ['test', 'commit']],
  ['git -C ../shop push origin main', ['push']],
  ['GIT_EDITOR=true sudo git commit --amend', ['commit']],
  ['npx vitest run test/core', ['test']],
  ['go test ./... 2>&1 | tail -20', ['test']],
  ['npm run build; npm publish --access public', ['build', 'release']],
  ['gh pr create --title "Fix the build"', ['pull-request']],
  ['gh api repos/a/b/pulls/1/comments/2/replies -f body=ok', ['review']],
  ['make', ['build']],
])('%s does %j', (command, actions) => {
  expect(actionsOf(command)).toEqual(actions);
});

test.each([
  'git status',
  'git log --oneline | head',
  'git diff',
  'ls test',
  'cat build.log',
  'grep -rn "git commit" docs',
  'echo "npm test"',
  'git tag --list',
  'makeup',
])('%s is no action', (command) => {
  expect(actionsOf(command)).toEqual([]);
});

test.each([
  ['Never commit docs/plans', ['commit']],
  ['Write the tests first', []],
  ['Do not run the slow suite unasked', ['test']],
  ['Answer each review comment in its thread with the commit that fixes it', ['commit', 'review']],
  ['Use tabs', []],
])('the rule "%s" names %j', (rule, actions) => {
  expect(actionsNamed(rule)).toEqual(actions);
});
