import { describe, expect, it } from 'vitest';
import { agent, tool, user } from '../triage/talk.ts';
import { committed, contentOf, edited, ran, summed, facts, used, wrote } from './session.ts';

const ask = user('Make the importer skip empty rows');
const root = '/home/ada/shop';

describe('what was done', () => {
  it('lists what the agent reported, and the commits', () => {
    const closing =
      '## Summary\n\n- **`importer.ts`**: Added a check that skips empty rows\n- Renamed `read` to `readRows` in two places\n- Created commit: made a git commit that documents the change\n\nAll tests pass.';
    const content = contentOf([ask, ...edited(`${root}/src/importer.ts`), agent(closing), ...committed('Skip empty rows', 'deadbee')]);
    expect(content.completed).toEqual([
      '`importer.ts`: Added a check that skips empty rows',
      'Renamed `read` to `readRows` in two places',
      'Committed deadbee: Skip empty rows',
    ]);
  });

  it('takes nothing from a turn in which nothing was changed or run: it lists what could be done', () => {
    const proposal = agent('Two ways:\n\n- Added columns are skipped by a new option of the reader\n- The totals are now computed from the rows that are left');
    const looked = [...used('Read', { files: [`${root}/a.ts`] }), ...ran('git log --oneline | head -5 && grep -rn rows src', 'abc')];
    const worked = [...edited(`${root}/a.ts`), agent('- Added a check that skips empty rows')];
    const content = contentOf([user('How could the importer skip empty rows?'), ...looked, proposal, user('Take the second way then, please'), ...worked]);
    expect(content.completed).toEqual(['Added a check that skips empty rows']);
    const tested = [...ran('npm test', '3 passed'), agent('- Fixed tests are green: the totals are now computed from all rows')];
    expect(contentOf([ask, ...worked, user('and run them please, all of the tests'), ...tested]).completed).toHaveLength(2);
  });

  it('leaves out how things are, and writes names of code as they are', () => {
    const closing =
      '- project_test.go: updated the mocks\n- Small stuff: the temporary folder is never removed, quoted paths are now slow\n- The schema currently only allows colours that are fixed';
    expect(contentOf([ask, ...edited(`${root}/a.ts`), agent(closing)]).completed).toEqual(['project_test.go: updated the mocks']);
  });

  it.each([
    'Add a test that drives a real error, so that it is handled now',
    'In the worker, add one test for a value that was changed',
    "I'd split it: the general part is now in the project, the rest stays local",
    'Investigate the new version first: check what was changed in its interface?',
    'The root cause: the parser was changed to emit quotes that the shell does not know',
  ])('leaves out what was only proposed, asked or explained: %s', (line) => {
    const closing = `Here is what happened:\n\n- ${line}\n- Fix 1: the empty rows are now skipped by the importer`;
    expect(contentOf([ask, ...edited(`${root}/a.ts`), agent(closing)]).completed).toEqual(['Fix 1: the empty rows are now skipped by the importer']);
  });

  it.each([
    'Streaming: after the restore, `Execute` calls the restored writer and the whole process dies mid-render',
    'Notes get rewritten all the time, which is the normal mode of operation',
    'The worker-side design is sound, and the log levels are split well',
    'The guard in upgrade.go means that an empty list is treated as not configured, and the fixed default is kept',
    'The next call will then pick up whatever token your helper is configured to return',
    'Branch not pushed, no pull request opened',
    'Pull refs today are handled one of two ways',
  ])('leaves out a state, a cause, an opinion and what was not done: %s', (line) => {
    const closing = `Summary:\n\n- ${line}\n- \`importer.ts\` — added a check for empty rows`;
    expect(contentOf([ask, ...edited(`${root}/a.ts`), agent(closing)]).completed).toEqual(['`importer.ts` — added a check for empty rows']);
  });

  it.each([
    'The importer now skips empty rows, and a test covers it',
    'I also renamed readRow to parseRow in the importer',
    'Version bumped to 0.4.2 in the manifest of the importer',
    'Sign flag of the importer → fixed in the second commit',
  ])('tells what came out, however it is put: %s', (line) => {
    expect(contentOf([ask, ...edited(`${root}/a.ts`), agent(`${line}.`)]).completed).toEqual([line]);
  });

  it('calls a branch that waits to be pushed open, not done', () => {
    const closing = 'Fixed the totals.\n\nThe branch is now 11 commits ahead of origin — push with `git push --force-with-lease` when ready.';
    const content = contentOf([ask, ...edited(`${root}/a.ts`), ...committed('Fix the totals'), agent(closing)]);
    expect(content.completed.join()).not.toMatch(/ahead/);
    expect(content.next_actions).toEqual(['The branch is now 11 commits ahead of origin — push with `git push --force-with-lease` when ready']);
  });

  it('has nothing left alone where the agent says that nothing is', () => {
    const said = (words: string): readonly string[] =>
      contentOf([ask, ...edited(`${root}/a.ts`), ...committed('Skip rows'), agent(`Done.\n\n${words}`)]).next_actions;
    expect(said('Other changes of the page remain uncommitted.')).toEqual(['Left alone: Other changes of the page remain uncommitted']);
    expect(said('The tree is fully clear, `git status` shows nothing left uncommitted.')).toEqual([]);
  });

  it('names changed files as the project does, new ones first', () => {
    const content = contentOf([ask, ...edited(`${root}/src/importer.ts`), ...edited(`${root}/src/importer.ts`), ...wrote(`${root}/test/rows.test.ts`)]);
    expect(content.key_changes).toEqual(['test/rows.test.ts (new)', 'src/importer.ts (2 edits)']);
  });

  it('names them so on Windows too, without files in the folder for temporary ones', () => {
    const files = ['C:\\Users\\ada\\AppData\\Local\\Temp\\claude\\notes.md', 'D:\\shop\\src\\a.ts', 'D:\\shop\\b.ts', 'C:\\Users\\ada\\.shoprc'];
    const content = contentOf([ask, ...files.flatMap(edited)], { ...facts, project: 'D:\\shop' });
    expect(content.key_changes).toEqual(['src/a.ts', 'b.ts', 'C:/Users/ada/.shoprc']);
  });

  it('leaves out a change that failed and a file that the agent keeps for itself', () => {
    const failed = used('Edit', { files: [`${root}/src/other.ts`] }, 'String to replace not found', { failed: true });
    const content = contentOf([ask, ...failed, ...wrote('/home/ada/.claude/plans/one.md'), ...wrote('/tmp/scratch.ts')]);
    expect(content.key_changes).toEqual([]);
  });

  it('counts what subagents changed and takes none of their words', () => {
    const words = agent('Added a cache of prices to the page. We chose Redis because it is fast and known to everyone here.', { agentId: 'a1' });
    const changes = edited(`${root}/src/importer.ts`).map((message) => ({ ...message, agentId: 'a1' }));
    const content = contentOf([ask, ...changes, agent('Done.'), words]);
    expect(content.key_changes).toEqual(['src/importer.ts']);
    expect(JSON.stringify(content)).not.toMatch(/Redis|cache/);
  });

  it('believes no commit that a hook refused', () => {
    const content = contentOf([ask, ...edited(`${root}/a.ts`), ...ran('git commit -m "Skip rows"', 'husky - pre-commit hook exited with code 1', true)]);
    expect(content.completed).toEqual([]);
    expect(content.in_progress).toEqual(['Not committed: a.ts']);
  });

  it('reads the subject of a commit from a here-document', () => {
    const command = 'git commit -m "$(cat <<\'EOF\'\nSkip empty rows\n\nThey broke the totals.\nEOF\n)"';
    expect(contentOf([ask, ...edited(`${root}/a.ts`), ...ran(command, 'ok')]).completed).toEqual(['Committed: Skip empty rows']);
  });
});

describe('what is open', () => {
  it('is read from labels inside a paragraph, and stays open through thanks and talk', () => {
    const closing =
      'The importer now skips empty rows. Open question: should rows with only a date count as empty? Next steps:\n- run it on the warehouse data';
    const worked = [ask, ...edited(`${root}/a.ts`), agent(closing)];
    const parting = [user('lets see what the customer says, thanks a lot'), agent('Sounds good!')];
    for (const messages of [worked, [...worked, ...parting]]) {
      const content = contentOf(messages);
      expect(content.next_actions).toEqual(['Should rows with only a date count as empty?', 'Run it on the warehouse data']);
      expect(content.goal).toBe('Make the importer skip empty rows');
    }
    expect(contentOf([...worked, user('great, thanks!'), agent('You are welcome.')]).outcome).toBe('success');
  });

  it('is no success where the agent says that it was blocked', () => {
    const closing = 'Done: the importer skips empty rows.\nBlocked: the staging database is down, so I could not run it.';
    const content = contentOf([ask, ...edited(`${root}/a.ts`), agent(closing)]);
    expect([content.outcome, content.blockers]).toEqual(['partial', ['The staging database is down, so I could not run it']]);
  });

  it('follows the task list', () => {
    const create = (subject: string, number: number) => used('TaskCreate', { input: subject }, `Task #${number} created successfully`);
    const update = (number: number, status: string) => used('TaskUpdate', { input: `taskId: ${number}\nstatus: ${status}` });
    const content = contentOf([
      ask,
      ...create('Skip rows in the importer', 1),
      ...create('Update the handbook', 2),
      ...create('Tell the supplier', 3),
      ...update(1, 'completed'),
      ...update(2, 'in_progress'),
      ...edited(`${root}/a.ts`),
    ]);
    expect(content.in_progress).toEqual(['Update the handbook', 'Not committed: a.ts']);
    expect(content.next_actions).toContain('Tell the supplier');
    expect(content.completed).toEqual(['Skip rows in the importer']);
  });

  it('names only the files that a commit left out', () => {
    const content = contentOf([
      ask,
      ...edited(`${root}/a.ts`),
      ...edited(`${root}/b.ts`),
      ...ran('git add a.ts', ''),
      ...committed('Skip empty rows'),
      agent('Committed.'),
    ]);
    expect(content.in_progress).toEqual(['Not committed: b.ts']);
  });

  it('puts a prompt that nobody answered first', () => {
    const content = contentOf([ask, agent('Done, the importer was updated.'), user('Also skip rows that hold only spaces')]);
    expect(content.next_actions[0]).toBe('Asked last and not answered: Also skip rows that hold only spaces');
  });

  it('keeps a plan that was not taken up, until something is changed', () => {
    const plan = used('ExitPlanMode', { input: '# Plan: Stream the import\n\nRead row by row.' }, "The user doesn't want to proceed", { failed: true });
    expect(contentOf([ask, ...plan]).next_actions).toEqual(['Carry out the plan: Stream the import']);
    expect(contentOf([ask, ...plan, ...edited(`${root}/a.ts`)]).next_actions).toEqual(['Asked last and not finished: Make the importer skip empty rows']);
  });

  it('keeps what was put off and checks for a person, and what the agent offered only while the work waits for it', () => {
    const plan = 'Implement the following plan:\n\n# Skip empty rows\n\n## Verification\n\n1. `npm test`\n2. Manually open the import page and upload a file\n';
    const closing = 'I updated the importer. The date parser is hardcoded to UTC for now and left for a follow-up task. Would you like me to push the branch?';
    const actions = contentOf([user(plan), ...edited(`${root}/a.ts`), agent(closing)]).next_actions;
    expect(actions.join('\n')).not.toContain('push the branch');
    const waits = contentOf([
      user('Move the importer to the new server'),
      agent('The old server still has rows in its queue. Would you like me to delete the rows?'),
    ]);
    expect(waits.next_actions).toEqual(['To decide: delete the rows']);
    expect(actions.join('\n')).toContain('hardcoded to UTC');
    expect(actions).toContain('Not seen done, from the plan: Manually open the import page and upload a file');
  });

  it.each([
    ['a heading', '## Next steps\n\n1. Add an index to the orders table\n2. Tell the supplier of the new format\n\nAll tests pass.'],
    ['emphasis', '**Open questions:**\n- Add an index to the orders table\n- Tell the supplier of the new format'],
    ['a lead-in', "What's left:\n- [ ] Add an index to the orders table\n- [ ] Tell the supplier of the new format\n- [x] Skip empty rows"],
    ['labels', 'Done: empty rows are skipped.\nTODO: add an index to the orders table.\nNext: tell the supplier of the new format.'],
  ])('takes the list under %s', (_, list) => {
    const closing = `The importer skips empty rows now.\n\n${list}`;
    for (const more of [[], [user('commit this'), ...committed('Skip empty rows'), agent('Committed.')], [user('thanks!'), agent('You are welcome!')]])
      expect(contentOf([ask, ...edited(`${root}/a.ts`), agent(closing), ...more]).next_actions).toEqual([
        'Add an index to the orders table',
        'Tell the supplier of the new format',
      ]);
  });

  it.each([
    'Confirmed, the remaining rows still need to be kept as they are.',
    'The remaining two rows are out of scope here.',
    "You're right that the old format still needs its own reader.",
  ])('an answer to what was said before is no next step: %s', (reply) => {
    const open = 'The supplier still needs to send the new format.';
    const said = (words: string): readonly string[] => contentOf([ask, ...edited(`${root}/a.ts`), agent(`The importer skips rows.\n\n${words}`)]).next_actions;
    expect(said(`${open}\n\n${reply}`)).toEqual([open.replace(/\.$/, '')]);
    expect(said(open)).toEqual([open.replace(/\.$/, '')]);
  });

  it.each([
    "Say the word and I'll add the tests for the other formats.",
    'If you want, I can also open a pull request for the branch.',
    '## Next steps\n\n- Let me know if you would like a test for the other formats',
  ])('an offer is no next step: %s', (offer) => {
    expect(contentOf([ask, ...edited(`${root}/a.ts`), agent(`Done, the importer was updated.\n\n${offer}`)]).next_actions).toEqual([]);
  });

  it('reads lines labelled Done, Blocked and Discovery as what they are', () => {
    const closing =
      'Done: rows without a price are skipped.\nDiscovery: the supplier sends two headers in one file.\nBlocked: the sandbox of the supplier is down.';
    expect(contentOf([ask, ...edited(`${root}/a.ts`), agent(closing)])).toMatchObject({
      completed: ['Rows without a price are skipped'],
      blockers: ['The sandbox of the supplier is down'],
      tracking_points: [{ label: 'Discovery', text: 'The supplier sends two headers in one file' }, { label: 'Status' }],
    });
  });

  it('tells that the person stopped the last step', () => {
    const content = contentOf([ask, agent('I will rewrite the parser.'), tool("The user doesn't want to proceed with this tool use.")]);
    expect(content.blockers).toEqual(['The user stopped the last step (Make the importer skip empty rows)']);
  });
});

describe('what to follow', () => {
  const labels = (text: string): string[] => (contentOf([ask, ...edited(`${root}/a.ts`), agent(text)]).tracking_points ?? []).map((point) => point.label);

  it.each([
    ['Decision', 'We chose SQLite because it needs no server.'],
    ['Discovery', 'The root cause was a stale lock left by the last deploy. Removing it and restarting the service fixed it; the health check passes now.'],
    ['Learning', 'Safari does not support this API, so we need a polyfill.'],
  ])('labels a %s', (label, text) => expect(labels(text)).toContain(label));

  it("labels the person's wishes and the state of the work", () => {
    const content = contentOf([
      ask,
      user('From now on write commit messages in the imperative mood.'),
      ...edited(`${root}/a.ts`),
      ...ran('npx vitest run', 'Tests  42 passed (42)'),
      ...committed('Skip empty rows', 'deadbee'),
      agent('Done.'),
    ]);
    expect(content.tracking_points).toEqual([
      { label: 'Preference', text: 'From now on write commit messages in the imperative mood' },
      { label: 'Status', text: '1 file changed, 42 tests pass, last commit deadbee' },
    ]);
  });

  it('tells what was given up as a dead end', () => {
    const content = contentOf([
      ask,
      agent('We chose streaming rather than buffering because the memory of the worker is small.'),
      ...edited(`${root}/a.ts`),
      agent('Streaming the memory of the worker did not work, so I reverted the streaming change.'),
    ]);
    expect(content.tracking_points?.map((point) => point.label)).toEqual(['Dead end', 'Status']);
  });
});

it('relates the changed files to the record', () => {
  const summary = summed([ask, ...edited(`${root}/src/a.ts`), ...edited(`${root}/src/b.ts`), ...edited(`${root}/src/b.ts`)]);
  expect(summary.draft(facts)).toMatchObject({
    category: 'session_summary',
    title: 'Make the importer skip empty rows',
    related_files: ['src/b.ts', 'src/a.ts'],
    trust: 'observed',
    origin: { channel: 'capture', client: 'claude-code', session_id: 'session-1' },
  });
});
