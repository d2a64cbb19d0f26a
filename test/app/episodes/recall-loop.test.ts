import { describe, expect, it } from 'vitest';
import { consolidateReports } from '../../../src/app/reports/consolidate.ts';
import { saveReport } from '../../../src/app/reports/save-report.ts';
import { recall } from '../../../src/app/recall/recall.ts';
import { summarizeEpisode, triageEpisode, digestOf } from '../../../src/app/episodes/summarize.ts';
import { draftsOf } from '../../../src/capture/drafts/drafts.ts';
import type { Episode } from '../../../src/app/episodes/read.ts';
import { effectiveConfig } from '../../../src/core/config/effective.ts';
import { fenced } from '../../../src/recall/inject/plain.ts';
import type { Client } from '../../../src/core/episode/episode.ts';
import { answered, called, read, replied, said, text } from '../../capture/transcripts/reading.ts';
import { must } from '../memory.ts';
import { context } from '../recall/opened.ts';
import { importHome } from './importing.ts';

const MARK = 'PELICAN';
const DECISION = `We decided to use ${MARK} queues because they keep the order of messages`;

/** One of each kind of text that Holdfast puts before an agent, made by what makes it. */
async function blocks(): Promise<Readonly<Record<string, string>>> {
  const at = await context();
  await at.keep('decision', DECISION);
  await at.keep('constraint', `${MARK} queues must never hold more than 100 messages`);
  at.write(`${at.root}/context/current-task.md`, `# Current Task\n\nMove the orders to ${MARK} queues\n`);
  const asked = `Which ${MARK} queues keep the order of messages?`;
  const subagent = await recall(at.memory, at.recallContext, { prompt: asked, as: 'subagent' });
  return {
    'the brief at the start': (await at.brief('startup')).text,
    'the recovery after a compaction': (await at.brief('compact', 's9')).text,
    'what a prompt recalls': (await at.ask(asked)).text,
    'what a subagent is told': subagent.text,
    'an answer of the MCP server': fenced('memory_get', [DECISION]),
  };
}

const KINDS = ['the brief at the start', 'the recovery after a compaction', 'what a prompt recalls', 'what a subagent is told', 'an answer of the MCP server'];
const PROMPT = 'Please look at the list of orders.';
/** How Gemini CLI and Qwen Code put a block beside the result of a tool. */
const escaped = (block: string): string => block.replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A block in all the places where each client can leave one; Kilo writes what opencode writes. */
const TRANSCRIPTS: Readonly<Record<Exclude<Client, 'kilo'>, (block: string) => string>> = {
  'claude-code': (block) =>
    [
      said(`${block}\n${PROMPT}`, { uuid: 'u1' }),
      said([text(PROMPT), text(`<system-reminder>\nUserPromptSubmit hook additional context: ${block}\n</system-reminder>`)], { uuid: 'u2' }),
      JSON.stringify({
        type: 'attachment',
        attachment: { type: 'hook_additional_context', content: [block], hookEvent: 'SessionStart' },
        uuid: 'x1',
        sessionId: 's1',
      }),
      replied(
        'm1',
        [
          { type: 'thinking', thinking: `Memory says: ${block}` },
          text(`I was told: ${block}`),
          called('c1', 'mcp__plugin_memory_holdfast__memory_get', { id: MARK }),
        ],
        {
          uuid: 'a1',
        },
      ),
      answered('c1', [{ type: 'text', text: block }]),
      replied('m2', [called('c2', 'Bash', { command: 'holdfast recall orders' }), called('c3', 'Bash', { command: 'cat out.txt' })], { uuid: 'a2' }),
      answered('c2', block.replace(/<[^>]*>/g, '')),
      answered('c3', `head\n${block}\ntail`),
      replied('m3', [text('Nothing to do there.')], { uuid: 'a3' }),
    ].join('\n'),
  codex: (block) => {
    const item = (payload: object): string => JSON.stringify({ timestamp: '2026-01-02T03:04:05.000Z', type: 'response_item', payload });
    return [
      JSON.stringify({ timestamp: '2026-01-02T03:04:05.000Z', type: 'session_meta', payload: { id: 's1', cwd: '/home/dev/kiosk' } }),
      item({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: block }] }),
      item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: `${block}\n${PROMPT}` }] }),
      item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: `Memory says: ${block}` }] }),
      item({ type: 'function_call', name: 'memory_get', namespace: 'mcp__holdfast', call_id: 'c1', arguments: '{}' }),
      item({ type: 'function_call_output', call_id: 'c1', output: block }),
      item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Nothing to do there.' }] }),
    ].join('\n');
  },
  gemini: (block) => {
    const message = (fields: object): string => JSON.stringify({ timestamp: '2026-01-02T03:04:05Z', ...fields });
    return [
      JSON.stringify({ sessionId: 's1', projectHash: 'h', startTime: '2026-01-02T03:04:05Z' }),
      message({ id: 'g1', type: 'user', content: `<hook_context>${block}</hook_context>\n${PROMPT}` }),
      message({ id: 'g2', type: 'user', content: `${block}\n${PROMPT}` }),
      message({ id: 'g3', type: 'gemini', content: `Memory says: ${block}` }),
      message({ id: 'g4', type: 'gemini', content: 'Nothing to do there.' }),
    ].join('\n');
  },
  opencode: (block) =>
    JSON.stringify({
      info: { id: 's1', directory: '/home/dev/kiosk', time: { created: 1_751_364_000_000 } },
      messages: [
        { info: { id: 'o1', sessionID: 's1', role: 'user', time: { created: 1_751_364_001_000 } }, parts: [{ type: 'text', text: `${block}\n${PROMPT}` }] },
        {
          info: { id: 'o2', sessionID: 's1', role: 'assistant', time: { created: 1_751_364_002_000 } },
          parts: [
            { type: 'text', text: `Memory says: ${block} Nothing to do there.` },
            { type: 'tool', tool: 'holdfast_memory_get', callID: 'c1', state: { status: 'completed', input: {}, output: block } },
          ],
        },
      ],
    }),
  copilot: (block) =>
    [
      { type: 'session.start', data: { sessionId: 's1', context: { cwd: '/home/dev/kiosk' } } },
      { type: 'hook.end', data: { output: { additionalContext: block } } },
      { type: 'user.message', data: { content: `${block}\n${PROMPT}`, transformedContent: block } },
      {
        type: 'assistant.message',
        data: {
          content: `Memory says: ${block}`,
          toolRequests: [
            { toolCallId: 'c1', name: 'holdfast-memory_get', arguments: {} },
            { toolCallId: 'c2', name: 'bash', arguments: { command: 'ls' } },
          ],
        },
      },
      { type: 'tool.execution_complete', data: { toolCallId: 'c1', success: true, result: { content: block.replace(/<[^>]*>/g, '') } } },
      { type: 'tool.execution_complete', data: { toolCallId: 'c2', success: true, result: { content: `x\n${block}` } } },
      { type: 'assistant.message', data: { content: 'Nothing to do there.' } },
    ]
      .map((row, nth) => JSON.stringify({ ...row, id: `e${nth}`, timestamp: '2026-01-02T03:04:05.000Z' }))
      .join('\n'),
  qwen: (block) =>
    [
      {
        type: 'user',
        message: { parts: [{ text: `${block}\n${PROMPT}` }, { text: `<qwen:user-prompt-submit-context>\n${block}\n</qwen:user-prompt-submit-context>` }] },
      },
      {
        type: 'assistant',
        message: { parts: [{ text: `Memory says: ${block}` }, { functionCall: { id: 'c1', name: 'mcp__holdfast__memory_get', args: {} } }] },
      },
      { type: 'tool_result', message: { parts: [{ functionResponse: { id: 'c1', response: { output: block.replace(/<[^>]*>/g, '') } } }] } },
      { type: 'assistant', message: { parts: [{ functionCall: { id: 'c2', name: 'run_shell_command', args: { command: 'ls' } } }] } },
      { type: 'tool_result', message: { parts: [{ functionResponse: { id: 'c2', response: { output: `a.txt\n\n${escaped(block)}` } } }] } },
      { type: 'assistant', message: { parts: [{ text: 'Nothing to do there.' }] } },
    ]
      .map((row, nth) => JSON.stringify({ ...row, uuid: `q${nth}`, sessionId: 's1', cwd: '/home/dev/kiosk', timestamp: '2026-01-02T03:04:05.000Z' }))
      .join('\n'),
  droid: (block) =>
    [
      { type: 'session_start', id: 's1', cwd: '/home/dev/kiosk' },
      { type: 'message', message: { role: 'user', content: [], visibility: 'user_only', hookEventName: 'SessionStart', hookResults: [{ stdout: block }] } },
      {
        type: 'message',
        message: { role: 'user', content: [text(`<system-reminder>\n${block}\n</system-reminder>`), text(`${block}\n${PROMPT}`)] },
      },
      { type: 'message', message: { role: 'assistant', content: [text(`Memory says: ${block}`), called('c1', 'holdfast___memory_get', {})] } },
      { type: 'message', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: block.replace(/<[^>]*>/g, '') }] } },
      { type: 'message', message: { role: 'assistant', content: [text('Nothing to do there.')] } },
    ]
      .map((row, nth) => JSON.stringify({ id: `d${nth}`, timestamp: '2026-01-02T03:04:05.000Z', ...row }))
      .join('\n'),
  chat: (block) =>
    [
      { message_id: 'c1', role: 'user', text: `${block}\n${PROMPT}` },
      { message_id: 'c2', role: 'assistant', text: `Memory says: ${block}\nNothing to do there.` },
    ]
      .map((row) => JSON.stringify({ project: 'kiosk', session_id: 's1', timestamp: '2025-07-01T10:00:00Z', ...row }))
      .join('\n'),
};

describe.each(KINDS)('%s', (kind) => {
  it.each(Object.keys(TRANSCRIPTS) as (keyof typeof TRANSCRIPTS)[])('is never taken in again from a transcript of %s', async (client) => {
    const block = (await blocks())[kind] ?? '';
    expect(block).toContain(MARK);
    const home = importHome();
    home.write(client === 'codex' ? 'rollout-2026-01-02T03-04-05-s1.jsonl' : 's1.jsonl', TRANSCRIPTS[client](block));
    const report = await home.run({ format: client });
    expect(report.messages).toBeGreaterThan(1);
    const kept = home.everything();
    expect(kept).toContain('look at the list');
    expect(kept.includes(MARK) || kept.includes(MARK.toLowerCase())).toBe(false);
    const { messages, facts } = read(client, TRANSCRIPTS[client](block), { path: 'rollout-2026-01-02T03-04-05-s1.jsonl' });
    const [found] = Object.values(facts);
    const episode: Episode = { facts: found ?? { sessionId: 's1', client }, entries: messages, whole: true };
    const config = effectiveConfig({});
    const made = [triageEpisode(episode, config), summarizeEpisode(episode, config), draftsOf(digestOf(episode, config), episode.facts)];
    expect(JSON.stringify(made)).not.toMatch(new RegExp(MARK, 'i'));
  });

  it('makes no report of a subagent that repeats it', async () => {
    const at = await context();
    const block = (await blocks())[kind] ?? '';
    const done = must(
      await saveReport(at.memory, { agentType: 'Explore', agentId: 'a', text: `${block}\n${'The list was read from end to end. '.repeat(6)}` }),
    );
    must(await consolidateReports(at.memory));
    expect(JSON.stringify(done)).not.toContain(MARK);
    expect(at.memory.index.items().every(({ title }) => !title.includes(MARK))).toBe(true);
  });
});
