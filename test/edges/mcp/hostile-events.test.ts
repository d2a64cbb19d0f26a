import { expect, test } from 'vitest';
import { HOOK_EVENTS } from '../../../src/app/hooks/call.ts';
import { everythingUnder } from '../cli/snapshot.ts';
import { runProgram } from '../cli/program.ts';
import { contextIn, environment, place, type Place, talkTo } from './talk.ts';

const QUESTION = 'How are invoices numbered per country?';
const HUGE = 'x'.repeat(5_000_000);

const keep = ({ home, project }: Place): void => {
  const words = ['save', 'decision', 'Invoices are numbered per country because the law asks for it'];
  expect(runProgram(words, { cwd: project, env: environment({ home }) })).toMatchObject({ code: 0 });
};

const HOSTILE: readonly (readonly [string, object])[] = [
  ['nothing but its name', { session_id: undefined, cwd: undefined }],
  ['fields of other kinds', { session_id: 7, cwd: ['x'], prompt: { a: 1 }, transcript_path: 9, tool_name: [], agent_type: {}, last_assistant_message: 0 }],
  ['placeholders that nobody filled in', { session_id: '${session_id}', cwd: '${cwd}', prompt: '${prompt}', transcript_path: '${transcript_path}' }],
  ['a folder that is not there', { cwd: '/no/such/folder/anywhere', prompt: QUESTION }],
  ['a session that climbs', { session_id: '../../../../etc/passwd', prompt: QUESTION, agent_id: '../../x', agent_type: '../../Explore' }],
  ['a transcript that is a folder', { transcript_path: '/', last_assistant_message: 'We decided to use SQLite because it needs no server.' }],
  ['a transcript that never ends', { transcript_path: '/dev/zero', stop_hook_active: 'true' }],
  ['5 MB in every field', { prompt: HUGE, last_assistant_message: HUGE, compact_summary: HUGE, agent_type: 'Explore', tool_name: 'Write', file_path: HUGE }],
  ['zero bytes and lone surrogates', { prompt: 'a\u0000b \ud800 c', session_id: 's\u0000', file_path: 'a\u0000b', tool_name: 'Write' }],
];

test.each(HOSTILE)('%s: every event is answered, and the next prompt as if nothing had been', async (_name, input) => {
  const there = place();
  keep(there);
  const complaints: string[] = [];
  const server = talkTo(there, {}, { complaint: (text) => complaints.push(text) });
  for (const event of HOOK_EVENTS) {
    complaints.length = 0;
    const said = await server.hook(event, input);
    if (said !== '' && event !== 'PreCompact') expect(JSON.parse(said)).toEqual(expect.any(Object));
    expect(complaints.join('').split('\n').filter(Boolean).length, `${event}: ${complaints.join('')}`).toBeLessThanOrEqual(1);
  }
  expect(contextIn(await server.hook('UserPromptSubmit', { prompt: QUESTION, session_id: 'after' }))).toContain('Invoices are numbered');
});

test('where memory is off, no event opens, says or leaves anything', async () => {
  const there = place({ on: false });
  keep(there);
  const before = everythingUnder(there.home, there.project);
  const server = talkTo(there);
  for (const event of HOOK_EVENTS)
    expect(await server.hook(event, { prompt: QUESTION, agent_type: 'Explore', agent_id: 'a', last_assistant_message: QUESTION, source: 'startup' })).toBe('');
  expect(everythingUnder(there.home, there.project)).toEqual(before);
});
