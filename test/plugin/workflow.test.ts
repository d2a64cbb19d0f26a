import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { transcript } from '../edges/hook/transcript.ts';
import { contextIn, environment, type Place, place, PLUGIN, talkInPeace } from '../edges/mcp/talk.ts';
import { agents, commands } from './texts.ts';

const SESSION = '31111111-2222-4333-8444-555555555555';
const SUMMARY =
  '# Invoices per country\n\n## Context\nTwo hours on numbering.\n\n## Tracking Points\n- Decision: one sequence a country, because the law asks for it\n- Status: done and tested\n\n## Related Files/Artifacts\n- src/invoice.ts\n';

/** A shell line of a plugin's text, run as the client runs it. */
function shell(there: Place, line: string, session?: string): { readonly out: string; readonly err: string } {
  const { stdout, stderr, status } = spawnSync('sh', ['-c', line.replaceAll('${CLAUDE_PLUGIN_ROOT}', PLUGIN)], {
    cwd: there.project,
    env: environment(there, session === undefined ? {} : { CLAUDE_CODE_SESSION_ID: session }),
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  return { out: stdout, err: stderr };
}

/** What `/memory:NAME WORDS` runs. */
function typed(there: Place, name: string, words = '', session = SESSION) {
  const body = commands.find((command) => command.name === name)?.body ?? '';
  return shell(
    there,
    (/```!\n([\s\S]*?)\n```/.exec(body)?.[1] ?? '').replace('$ARGUMENTS', () => words),
    session,
  );
}

/** What the text of an agent tells it to run. */
const linesOf = (name: string): readonly string[] =>
  [...(agents.find((agent) => agent.name === name)?.body ?? '').matchAll(/`(node "[^`]+)`/g)].map(([, line = '']) => line);

function conversation(there: Place): void {
  const talk = transcript(there, SESSION);
  talk.prompt('Please number the invoices per country');
  talk.reply('We decided to use one sequence a country instead of one for all because the law asks for it.');
  talk.edit('src/invoice.ts');
  for (let turn = 0; turn < 40; turn++) {
    talk.prompt(`Now country number ${turn}, please`);
    talk.edit(`src/country-${turn}.ts`);
    talk.reply(`Country ${turn} is done and tested.`);
  }
  shell(there, 'node "${CLAUDE_PLUGIN_ROOT}/dist/cli.js" import');
}

const summaryOf = ({ privateRoot }: Place): string => path.join(privateRoot, 'sessions', `${SESSION}.md`);

test('/summarize drafts from the session it is typed in and keeps nothing; what is approved is kept in the form that was shown, one file a session', async () => {
  const there = place();
  const server = await talkInPeace(there);
  conversation(there);
  expect(typed(there, 'summarize').out).toContain('Number the invoices per country');
  expect(fs.existsSync(summaryOf(there))).toBe(false);
  await server.hook('SessionStart', { source: 'startup', session_id: SESSION });
  await server.says('yes, keep it', { session_id: SESSION });
  for (const text of [SUMMARY, SUMMARY.replace('Two hours', 'Three hours')])
    expect(await server.call('memory_save', { category: 'session_summary', text, session: SESSION, asked: 'yes, keep it' })).toMatchObject({ isError: false });
  expect(fs.readdirSync(path.dirname(summaryOf(there)))).toEqual([`${SESSION}.md`]);
  const summary = fs.readFileSync(summaryOf(there), 'utf8');
  expect(summary).toMatch(/^# Invoices per country$/m);
  expect(summary).toMatch(/^## Context\n\n?Three hours on numbering\.$/m);
  expect(summary).toMatch(/^## Tracking Points\n\n?- \**Decision\**: one sequence a country, because the law asks for it\n- \**Status\**: done and tested$/m);
  expect(summary).toContain('src/invoice.ts');
});

test('the summarize agent reads the whole transcript of a session that is not its own, and its text is kept in the same form', async () => {
  const there = place();
  const server = await talkInPeace(there);
  conversation(there);
  expect(agents.find(({ name }) => name === 'summarize')?.head['description']).toContain('use the summarize agent for session X');
  const [draft = '', all = ''] = linesOf('summarize').map((line) => line.replace('SESSION', SESSION));
  expect(shell(there, draft).out).toContain('Number the invoices per country');
  const { out } = shell(there, all);
  for (let turn = 0; turn < 40; turn++) expect(out).toContain(`Country ${turn} is done and tested.`);
  await server.hook('SessionStart', { source: 'startup', session_id: 'another-session' });
  await server.says('yes, keep it', { session_id: 'another-session' });
  expect(await server.call('memory_save', { category: 'session_summary', text: SUMMARY, session: SESSION, asked: 'yes, keep it' })).toMatchObject({
    isError: false,
  });
  expect(fs.readdirSync(path.dirname(summaryOf(there)))).toEqual([`${SESSION}.md`]);
  expect(fs.readFileSync(summaryOf(there), 'utf8')).toMatch(/^## Tracking Points\n\n?- \**Decision\**: one sequence a country/m);
});

test('what the synthesize agent runs makes a draft of what is new and writes nothing; the command writes it', () => {
  const there = place();
  conversation(there);
  shell(there, `node "\${CLAUDE_PLUGIN_ROOT}/dist/cli.js" summarize ${SESSION}`);
  const master = path.join(there.privateRoot, 'master.md');
  const [draft = ''] = linesOf('synthesize');
  expect(shell(there, draft).out).toContain('## Current Status');
  expect(fs.existsSync(master)).toBe(false);
  typed(there, 'synthesize');
  expect(fs.readFileSync(master, 'utf8')).toContain('## Key Decisions');
});

test('recall, work, summarize and later synthesize follow one another, and the next start and recall know of it', async () => {
  const there = place();
  const server = await talkInPeace(there);
  conversation(there);
  const mine = path.join(there.project, '.claude', 'commands');
  fs.mkdirSync(mine, { recursive: true });
  for (const name of ['prime.md', 'prime-suggest.md']) fs.writeFileSync(path.join(mine, name), `my own ${name}`);
  expect(typed(there, 'recall').out).toContain('There is no master.md yet');
  await server.says('yes, keep it', { session_id: 'another-session' });
  expect(await server.call('memory_save', { category: 'session_summary', text: SUMMARY, session: SESSION, asked: 'yes, keep it' })).toMatchObject({
    isError: false,
  });
  const start = contextIn(await server.hook('SessionStart', { source: 'startup', session_id: 'next' }));
  expect(start).toContain('1 new session summary waits for `holdfast synthesize`');
  expect(typed(there, 'recall').out).toContain('Invoices per country');
  typed(there, 'synthesize');
  const known = typed(there, 'recall').out;
  expect(known).toContain('one sequence a country');
  expect(known).not.toContain('There is no master.md yet');
  expect(fs.readdirSync(mine)).toEqual(['prime-suggest.md', 'prime.md']);
  expect(fs.readFileSync(path.join(mine, 'prime.md'), 'utf8')).toBe('my own prime.md');
  expect(commands.map(({ name }) => name)).not.toContain('prime');
});
