import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/core/episode/episode.ts';
import type { TriageCategory } from '../../../src/capture/triage/settings.ts';
import { agent, call, fired, judged, tool, user } from './talk.ts';

describe('what is worth keeping fires', () => {
  it.each<[TriageCategory, Message]>([
    ['decision', user('We chose SQLite because it needs no server.')],
    ['decision', user('We chose X because Y')],
    ['decision', agent('I went with a Map rather than an object so insertion order is preserved.')],
    ['decision', user("Let's go with Redis for the queue, RabbitMQ is overkill for our volume.")],
    ['decision', agent('## Design decisions\n\n- **Storage**: one file a record, not a database')],
    [
      'runbook',
      agent('The root cause was a stale lock left by the last deploy. Removing it and restarting the service fixed it; the health check passes now.'),
    ],
    ['runbook', agent('**Problem**: The build failed because Node 18 lacks import attributes.\n**Fix**: bumped the runner to Node 20. All tests pass.')],
    ['constraint', agent('The GitHub API is limited to 5000 requests per hour, so we cannot poll every repository.')],
    ['constraint', agent('Safari does not support this API, so we need a polyfill.')],
    ['tech_debt', agent('I hardcoded the tenant id for now; we should read it from the token later.')],
    ['tech_debt', agent('The retry logic is not implemented yet and is left for a follow-up task.')],
    ['preference', user('Always use single quotes in TypeScript files.')],
    ['preference', user('From now on write commit messages in the imperative mood.')],
    ['preference', user('We should not display "AGENTS.md" here, but instead "Copilot instructions"')],
  ])('%s', (category, message) => expect(fired([message])).toContain(category));

  it('finds the remedy some messages after the cause', () => {
    const messages = [
      user('The upload page shows a 500 error.'),
      agent('The problem is that the temp folder is not writable.'),
      agent('Let me look at the unit file.'),
      agent('The fix is to set `TMPDIR` in the unit file. Uploads work now.'),
    ];
    expect(fired(messages)).toContain('runbook');
  });

  it('takes what a person picked when asked as a decision', () => {
    const asking = call('AskUserQuestion');
    const answer = 'User has answered your questions: "Should plans be stored as JSON or as Markdown?"="Markdown". You can now continue.';
    expect(fired([agent('', { toolCalls: [asking] }), tool(answer, { answers: asking.id })])).toContain('decision');
    expect(fired([agent('', { toolCalls: [asking] }), tool(answer, { answers: 'another' })])).not.toContain('decision');
  });
});

describe('what is not worth keeping is silent', () => {
  it.each<[string, Message[]]>([
    ['small talk', [user('Hi there, how are you?'), agent('Very well, thanks! What can I do for you?'), user('Nothing, have a nice weekend!')]],
    ['a weekend', [user('We decided to visit grandma. I have always loved her garden, you should never miss it!')]],
    ['a question', [user('Should we use Postgres or SQLite?')]],
    ['a thought', [agent('We could use Redis here, or maybe a file would do. What do you think?')]],
    ['what might be', [user('What would happen if we chose MySQL because it is faster?')]],
    ['what is open', [agent('We have not decided yet whether to use Redis or SQLite.')]],
    ['a denial', [agent('I never said that we decided to drop support for Node 18.')]],
    ['the next step', [agent('Now let me run the tests and the linter.')]],
    ['a look at what may be known', [agent('The typecheck fails, which is unrelated. Let me check if this is a known issue.')]],
    ['an order', [user('commit and push')]],
    ['a report of what was done', [agent('All 12 tests pass. I renamed the helper and updated its three callers.')]],
  ])('%s', (_, messages) => expect(fired(messages)).toEqual([]));
});

describe('what nobody said does not count', () => {
  const said = 'We chose SQLite because it needs no server.';
  it.each<[string, Message]>([
    ['fenced code', agent(`Look:\n\`\`\`md\n${said}\n\`\`\``)],
    ['inline code', agent('The string `We chose SQLite because it needs no server.` is in the fixture.')],
    ['a quotation', agent(`> ${said}`)],
    ['a diff', agent(`diff --git a/x b/x\n@@ -1 +1 @@\n+${said}`)],
    ['a log', user(`[2026-01-01 10:00:00] ${said}`)],
    ['a tool answer', tool(said)],
    ['thinking', agent('', { thinking: said })],
    ['a subagent', agent(said, { agentId: 'a1' })],
    ['a private span', user(`<private>${said}</private>`)],
    ['injected memory', user(`<holdfast-memory kind="brief">\n${said}\n</holdfast-memory>`)],
    ['injected memory, cut short', user(`<holdfast-memory kind="brief">\n${said}`)],
    ['triage data', agent(`<triage_data>{"why":"${said}"}</triage_data>`)],
    ['transcript data', agent(`<transcript_data>\n${said}\n</transcript_data>`)],
    ['own instructions', user(`Extract the triage data, read each context_file and check structural_cud.\nExample: ${said}`)],
    ['a saved memory', agent('I saved this to memory: we chose SQLite because it needs no server, as a decision record.')],
  ])('%s', (_, message) => expect(fired([message, agent('ok')])).toEqual([]));

  it('but what stands beside it does', () => {
    expect(fired([user(`<holdfast-memory>\nx\n</holdfast-memory>\n${said}`)])).toEqual(['decision']);
    expect(fired([agent(`\`\`\`\ncode\n\`\`\`\n${said}`)])).toEqual(['decision']);
  });
});

describe('roles', () => {
  it("a preference is the user's to have", () => {
    const text = 'Always use single quotes in TypeScript files.';
    expect(fired([user(text)])).toContain('preference');
    expect(fired([agent(text)])).not.toContain('preference');
  });

  it('a plan handed over is no aside of the user', () => {
    const plan = 'Implement the following plan:\n\n# Plan\n\n## Changes\n\n- The button should always be visible everywhere';
    expect(judged('preference', [user(plan)]).lines).toEqual([]);
  });
});

describe('lines', () => {
  it('say where they stand and why they matched', () => {
    const message = agent('Done.\n\nWe chose SQLite because it needs no server.');
    const [line] = judged('decision', [message]).lines;
    expect(line).toMatchObject({ messageId: message.id, line: 3, text: 'We chose SQLite because it needs no server.' });
    expect(line?.why.map((part) => part.why)).toEqual(expect.arrayContaining(['a choice: we chose', 'its reason: because']));
  });
});

describe('a score', () => {
  const scoreOf = (category: TriageCategory, words: string): number => judged(category, [agent(words)]).score;

  it('comes from a main pattern and is raised by the words that go with it', () => {
    const [alone, reasoned, weighed] = [
      'We chose SQLite for it.',
      'We chose SQLite for it because it needs no server.',
      'We chose SQLite for it instead of Postgres because it needs no server.',
    ].map((words) => scoreOf('decision', words)) as [number, number, number];
    expect(alone).toBeGreaterThan(0);
    expect(reasoned).toBeGreaterThan(alone);
    // Not by its length: as many words without a reason are worth less.
    expect(reasoned).toBeGreaterThan(scoreOf('decision', 'We chose SQLite for it in the order service yesterday.'));
    expect(weighed).toBeGreaterThan(reasoned);
    expect(scoreOf('decision', 'It needs no server because it is a file.')).toBe(0);
  });

  it('of a session is that of what was done, whatever was said', () => {
    const work = [user('Go on.'), agent('', { toolCalls: [call('Edit', { files: ['a.ts'] }), call('Bash', { command: 'npm test' })] })];
    const talk = [user('We chose SQLite because it needs no server, and always will.'), agent('The root cause was a stale lock. Fixed by removing it.')];
    const scoreOfSession = (messages: readonly Message[]): number => judged('session_summary', messages).score;
    expect(scoreOfSession([...work, ...talk.slice(1)])).toBe(scoreOfSession(work));
    expect(scoreOfSession(work)).toBeGreaterThan(scoreOfSession(talk));
    expect(scoreOfSession([...work, ...work])).toBeGreaterThan(scoreOfSession(work));
    const did = (...names: readonly string[]) => [
      user('Go on.'),
      agent('', { toolCalls: names.map((name) => call(name, name === 'Bash' ? { command: 'ls' } : {})) }),
    ];
    expect(scoreOfSession(did('Edit', 'Edit'))).toBeGreaterThan(scoreOfSession(did('Bash', 'Bash')));
    expect(scoreOfSession(did('Bash', 'Bash'))).toBeGreaterThan(scoreOfSession(did('Read', 'Read')));
    expect(scoreOfSession(did('Read', 'Grep'))).toBeGreaterThan(scoreOfSession(did('Read', 'Read')));
    expect(scoreOfSession(did('Read', 'Read', 'Read'))).toBeGreaterThan(scoreOfSession(did('Read', 'Read')));
    expect(scoreOfSession([...did('Read'), ...did('Read')])).toBeGreaterThan(scoreOfSession(did('Read', 'Read')));
  });
});
