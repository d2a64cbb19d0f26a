import { describe, expect, it } from 'vitest';
import { readerFor } from '../../../src/capture/transcripts/detect.ts';
import { drain, fixture, read, sorted } from './reading.ts';

const NAME = 'rollout-2025-07-01T10-00-00-019b64e5-0000-7000-8000-000000000004.jsonl';
const rollout = fixture(NAME);

const item = (payload: Record<string, unknown>, at = '2026-01-02T03:04:05.000Z'): string => JSON.stringify({ timestamp: at, type: 'response_item', payload });
const event = (payload: Record<string, unknown>, at = '2026-01-02T03:04:05.000Z'): string => JSON.stringify({ timestamp: at, type: 'event_msg', payload });
const prompted = (text: string): string => item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
const spoke = (text: string): string => item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });
const readLines = (...lines: readonly string[]): ReturnType<typeof read> => read('codex', lines.join('\n'), { path: NAME });

describe('a rollout', () => {
  const reading = read('codex', rollout, { path: `sessions/2025/07/01/${NAME}` });

  it('gives the prompts, each as often as it was said', () => {
    expect(reading.prompts).toEqual(['The receipt printer prints the total twice. Fix it.', 'commit', 'commit']);
  });

  it('gives what was said, thought and called before a tool answers as one message', () => {
    expect(reading.messages[1]).toMatchObject({
      role: 'assistant',
      text: 'I will search for the call.',
      thinking: 'Look for two calls of print_total.',
      toolCalls: [{ id: 'call_1', name: 'shell', command: 'rg print_total src' }],
    });
    expect(reading.messages[3]?.toolCalls).toMatchObject([{ name: 'apply_patch', files: ['src/receipt.py'] }]);
  });

  it('gives the answers and whether they failed', () => {
    const answers = reading.messages.filter(({ role }) => role === 'tool');
    expect(answers.map(({ text, failed, answers: call }) => [call, text, failed])).toEqual([
      ['call_1', 'src/receipt.py:8\nsrc/receipt.py:31', undefined],
      ['call_2', 'patch does not apply', true],
    ]);
  });

  it('gives the session', () => {
    expect(Object.values(reading.facts)).toEqual([
      {
        ...{ sessionId: '019b64e5-0000-7000-8000-000000000004', client: 'codex', project: '/home/dev/kiosk', branch: 'main', clientVersion: '0.128.0' },
        ...{ startedAt: '2025-07-01T10:00:00.000Z', endedAt: '2025-07-01T10:14:00.000Z' },
      },
    ]);
    expect(reading.summaries).toEqual(['The second print_total call was removed.']);
    expect(reading.skipped).toEqual([]);
  });

  it('is met again whole when an import resumes', () => {
    const lines = rollout.trimEnd().split('\n');
    const whole = new Set(reading.messages.map(({ id }) => id));
    for (let cut = 2; cut < lines.length; cut++) {
      const first = readerFor('codex', { path: NAME });
      const known = lines.slice(0, cut).flatMap((line) => first.push(line));
      const { backlog: held } = first;
      const rest = drain(readerFor('codex', { path: NAME }), lines.slice(cut - held));
      expect(new Set(sorted([...known, ...first.end(), ...rest]).messages.map(({ id }) => id))).toEqual(whole);
    }
  });
});

describe('what is no prompt', () => {
  it.each([
    '<environment_context>\n<cwd>/x</cwd>\n</environment_context>',
    '# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nbe brief\n</INSTRUCTIONS>',
    '<user_instructions>\nbe brief\n</user_instructions>',
    '<skill>\n<name>x</name>\n</skill>',
    '<turn_aborted>\nThe user interrupted\n</turn_aborted>',
    '<subagent_notification>{}</subagent_notification>',
    '<permissions instructions>ask</permissions instructions>',
    '# Context from my IDE setup:\n\n## Open tabs\n- a.ts',
    '<holdfast-memory>dec-1</holdfast-memory>',
  ])('%s', (text) => expect(readLines(prompted(text), spoke('Ok.')).prompts).toEqual([]));

  it('is told by the event where it only looks so', () => {
    expect(readLines(prompted('<b>bold</b>'), event({ type: 'user_message', message: '<b>bold</b>' })).prompts).toEqual(['<b>bold</b>']);
  });

  it('stands before the request in an editor', () => {
    expect(readLines(prompted('# Context from my IDE setup:\n\n## Open tabs\n- a.ts\n\n## My request for Codex:\nfix it\n')).prompts).toEqual(['fix it']);
  });

  it('is what another agent asked of a subagent', () => {
    const meta = JSON.stringify({
      timestamp: '2026-01-02T03:04:05Z',
      type: 'session_meta',
      payload: { id: 'sub', source: { subagent: { thread_spawn: {} } }, agent_nickname: 'Pilot' },
    });
    expect(readLines(meta, prompted('count the tests')).messages).toMatchObject([
      { sessionId: 'sub', agentId: 'Pilot', role: 'assistant', text: 'count the tests' },
    ]);
  });
});

describe('other forms', () => {
  it.each<[string, string[], string[]]>([
    [
      'events before the history',
      [event({ type: 'user_message', message: 'go' }), prompted('go'), event({ type: 'agent_message', message: 'Ok.' }), spoke('Ok.')],
      ['user go', 'assistant Ok.'],
    ],
    ['events only', [event({ type: 'user_message', message: 'go' }), event({ type: 'agent_message', message: 'Ok.' })], ['user go', 'assistant Ok.']],
    [
      'history only',
      [prompted('go'), spoke('Ok.'), prompted('go'), spoke('Ok.')].map((line, nth) => line.replace('05.000Z', `0${nth}.000Z`)),
      ['user go', 'assistant Ok.', 'user go', 'assistant Ok.'],
    ],
    [
      'lines without an envelope',
      [
        JSON.stringify({ id: 'old', timestamp: '2025-05-01T00:00:00Z', instructions: null }),
        JSON.stringify({ record_type: 'state' }),
        JSON.stringify({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] }),
        JSON.stringify({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Ok.' }] }),
      ],
      ['user go', 'assistant Ok.'],
    ],
  ])('%s', (_, lines, messages) => expect(readLines(...lines).messages.map(({ role, text }) => `${role} ${text}`)).toEqual(messages));

  it('a fork keeps the id of its own header', () => {
    const meta = (id: string): string => JSON.stringify({ timestamp: '2026-01-02T03:04:05Z', type: 'session_meta', payload: { id, cwd: '/p' } });
    expect(readLines(meta('fork'), meta('first'), prompted('go')).messages[0]?.sessionId).toBe('fork');
  });

  it('a program names the commands it runs', () => {
    const program = 'const r = await tools.exec_command({"cmd":"cargo test","workdir":"/p"});';
    expect(readLines(item({ type: 'custom_tool_call', name: 'exec', call_id: 'c', input: program })).messages[0]?.toolCalls?.[0]?.command).toBe('cargo test');
  });

  it.each<[string, unknown, string, boolean | undefined]>([
    ['plain text', 'ok', 'ok', undefined],
    ['an object', { content: 'no', success: false }, 'no', true],
    [
      'a list',
      [
        { type: 'input_text', text: 'a' },
        { type: 'input_image', image_url: 'x' },
      ],
      'a\n[input_image]',
      undefined,
    ],
    ['an exit code in JSON', '{"output":"bad","metadata":{"exit_code":2}}', 'bad', true],
  ])('an answer as %s', (_, output, words, failed) => {
    const { messages } = readLines(item({ type: 'function_call_output', call_id: 'c', output }));
    expect(messages).toMatchObject([{ role: 'tool', text: words, answers: 'c' }]);
    expect(messages[0]?.failed).toBe(failed);
  });

  it('an unknown kind of line is counted, a silent one is not', () => {
    const line = (type: string): string => JSON.stringify({ timestamp: '2026-01-02T03:04:05Z', type, payload: {} });
    expect(readLines(line('world_state'), line('telepathy'), '{broken').skipped).toEqual(['2 unknown-record', '3 cut-short']);
  });
});

it('names a tool of a server with its server, so that memory’s own answers are known as such', () => {
  const call = item({ type: 'function_call', name: 'memory_get', namespace: 'mcp__holdfast', arguments: '{"ids":["x"]}', call_id: 'c' });
  expect(readLines(prompted('hello'), call).messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ name }) => name))).toEqual(['mcp__holdfast__memory_get']);
});
