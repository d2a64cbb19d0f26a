import { describe, expect, it } from 'vitest';
import { readerFor } from '../../../src/capture/transcripts/detect.ts';
import { answered, called, claude, drain, fixture, read, replied, said, sorted, text } from './reading.ts';

const bash = (id: string, command: string): Record<string, unknown> => called(id, 'Bash', { command });

describe('one API message over several records', () => {
  it('is one message, named after its first record', () => {
    const lines = [
      said('Go.'),
      replied('m1', [{ type: 'thinking', thinking: 'Hm.', signature: 's' }], { uuid: 'first' }),
      replied('m1', [text('I look.')]),
      replied('m1', [bash('t1', 'ls')]),
    ];
    const { messages } = read('claude-code', lines.join('\n'));
    expect(messages).toHaveLength(2);
    expect(messages[1]).toMatchObject({
      id: 'first',
      role: 'assistant',
      text: 'I look.',
      thinking: 'Hm.',
      toolCalls: [{ id: 't1', name: 'Bash', command: 'ls' }],
    });
  });

  it('stays one where tools answer between its parts, and the answers follow it', () => {
    const lines = [
      replied('m1', [bash('t1', 'ls')]),
      answered('t1', 'a'),
      replied('m1', [bash('t2', 'pwd')]),
      answered('t2', '/'),
      replied('m2', [text('Done.')]),
    ];
    const { messages } = read('claude-code', lines.join('\n'));
    expect(messages.map(({ role, answers, toolCalls }) => answers ?? toolCalls?.map(({ id }) => id) ?? role)).toEqual([['t1', 't2'], 't1', 't2', 'assistant']);
  });

  it('loses nothing where a part comes late', () => {
    const lines = [replied('m1', [text('A.')]), said('Wait.'), replied('m1', [text('B.')])];
    expect(read('claude-code', lines.join('\n')).messages.map((message) => message.text)).toEqual(['A.', 'Wait.', 'B.']);
  });

  it('keeps side chains in one file apart', () => {
    const side = { isSidechain: true };
    const lines = [
      replied('m1', [called('t1', 'Task', { prompt: 'one' }), called('t2', 'Task', { prompt: 'two' })]),
      said('one', { ...side, uuid: 'x1' }),
      said('two', { ...side, uuid: 'y1' }),
      replied('mx', [text('x a')], { ...side, uuid: 'x2', parentUuid: 'x1' }),
      replied('my', [text('y a')], { ...side, uuid: 'y2', parentUuid: 'y1' }),
      replied('mx', [text('x b')], { ...side, uuid: 'x3', parentUuid: 'x2' }),
      replied('my', [text('y b')], { ...side, uuid: 'y3', parentUuid: 'y2' }),
    ];
    const { messages } = read('claude-code', lines.join('\n'));
    expect(messages.filter(({ agentId }) => agentId === 'x1').map((message) => message.text)).toEqual(['one', 'x a\n\nx b']);
    expect(messages.filter(({ agentId }) => agentId === 'y1').map((message) => message.text)).toEqual(['two', 'y a\n\ny b']);
    expect(messages.filter(({ role }) => role === 'user')).toEqual([]);
  });

  it.each<[string, string]>([
    ['signed thinking without words', replied('m1', [{ type: 'thinking', thinking: '', signature: 'c2ln' }])],
    ['the synthetic model', claude({ type: 'assistant', message: { id: 'm', model: '<synthetic>', content: [text('No response requested.')] } })],
    ['an API error', replied('m1', [text('API Error: 529')], { isApiErrorMessage: true })],
    ['a warm-up', said('Warmup', { isSidechain: true, agentId: 'a1' })],
  ])('gives no message for %s', (_, line) => expect(read('claude-code', line).messages).toEqual([]));
});

describe('resuming in mid-turn', () => {
  const lines = fixture('claude-code-2.1.jsonl').trimEnd().split('\n');
  const whole = sorted(drain(readerFor('claude-code'), lines)).messages;

  it('meets the same messages again, whole, from wherever the file was cut', () => {
    for (let cut = 1; cut < lines.length; cut++) {
      const first = readerFor('claude-code');
      const known = new Map<string, unknown>();
      for (const line of lines.slice(0, cut)) for (const event of first.push(line)) if (event.kind === 'message') known.set(event.message.id, event.message);
      const { backlog: held } = first;
      for (const event of first.end()) if (event.kind === 'message') known.set(event.message.id, event.message);
      for (const message of sorted(drain(readerFor('claude-code'), lines.slice(cut - held))).messages) known.set(message.id, message);
      expect(new Set(known.keys())).toEqual(new Set(whole.map(({ id }) => id)));
      for (const message of whole) if (message.role !== 'tool') expect(known.get(message.id)).toEqual(message);
    }
  });
});

describe('tool answers', () => {
  it('are cut in the middle, with a note of how much', () => {
    const long = Array.from({ length: 2_000 }, (_, nth) => `line ${nth}`).join('\n');
    const [answer] = read('claude-code', answered('t1', long), { limits: { answer: 300 } }).messages;
    expect(answer?.text.length).toBeLessThan(360);
    expect(answer?.text).toMatch(/^line 0\n[\s\S]*\n\[… \d+ characters cut …\]\n[\s\S]*line 1999$/);
    const cut = Number(/(\d+) characters cut/.exec(answer?.text ?? '')?.[1]);
    const left = (answer?.text ?? '').replace(/\n\[… \d+ characters cut …\]\n/, '');
    expect(left.length + cut).toBe(long.length);
  });

  it.each<[string, unknown, string]>([
    ['a string', 'ok', 'ok'],
    ['a list', [text('a'), text('b')], 'a\nb'],
    ['a picture', [{ type: 'image', source: {} }, text('b')], '[image]\nb'],
    ['a reminder at its end', '1→x\n\n<system-reminder>be careful</system-reminder>\n', '1→x'],
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['what was injected', 'a <holdfast-memory>dec-1</holdfast-memory> b', 'a  b'],
    ['nothing', undefined, ''],
  ])('are read from %s', (_, content, words) =>
    expect(read('claude-code', answered('t1', content)).messages[0]).toMatchObject({ role: 'tool', text: words, answers: 't1' }),
  );

  it('are taken from toolUseResult only where they are empty', () => {
    const line = (content: string): string =>
      said([{ type: 'tool_result', tool_use_id: 't1', content }], { toolUseResult: { stdout: `from the copy ${'x'.repeat(1_500)}`, stderr: '' } });
    expect(read('claude-code', line('seen')).messages[0]?.text).toBe('seen');
    expect(read('claude-code', line('')).messages[0]?.text).toContain('from the copy');
  });

  it('of Holdfast itself are left out', () => {
    const lines = [
      replied('m1', [called('t1', 'mcp__plugin_memory_holdfast__search', { query: 'x' }), bash('t2', 'npx holdfast recall x'), bash('t3', 'ls')]),
      ...['t1', 't2', 't3'].map((id) => answered(id, `answer ${id}`)),
    ];
    expect(read('claude-code', lines.join('\n')).messages.map((message) => message.text)).toEqual(['', '', '', 'answer t3']);
  });

  it('of several calls in one record have names of their own', () => {
    const line = said([
      { type: 'tool_result', tool_use_id: 't1', content: 'a' },
      { type: 'tool_result', tool_use_id: 't2', content: 'b', is_error: true },
    ]);
    const { messages } = read('claude-code', line);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(2);
    expect(messages.map(({ failed }) => failed)).toEqual([undefined, true]);
  });
});

describe('sessions', () => {
  it('are known before their first message, and their end at the end', () => {
    const { events, facts } = read('claude-code', fixture('claude-code-2.0.jsonl'));
    expect(events.findIndex(({ kind }) => kind === 'facts')).toBeLessThan(events.findIndex(({ kind }) => kind === 'message'));
    expect(facts['5b1f0c52-0000-4000-8000-000000000002']).toEqual({
      sessionId: '5b1f0c52-0000-4000-8000-000000000002',
      client: 'claude-code',
      project: '/home/dev/kiosk',
      branch: 'docs',
      startedAt: '2025-07-01T10:01:00.000Z',
      endedAt: '2025-07-01T10:09:00.000Z',
      clientVersion: '2.0.42',
    });
  });

  it('of several ids in one file stay apart', () => {
    const { messages, facts } = read('claude-code', [said('One.'), said('Two.', { sessionId: 's2' })].join('\n'));
    expect(messages.map(({ sessionId }) => sessionId)).toEqual(['s1', 's2']);
    expect(Object.keys(facts)).toEqual(['s1', 's2']);
  });

  it('take a title from a summary of their own messages only', () => {
    const { facts } = read('claude-code', fixture('claude-code-1.0.jsonl'));
    expect(Object.values(facts).map(({ title }) => title)).toEqual(['Kiosk price list fixed']);
    expect(Object.values(read('claude-code', fixture('claude-code-2.1.jsonl')).facts)[0]?.title).toBe('Cache the price list');
  });

  it('have the name of the file where the records have none', () => {
    const line = said('Hi there.', { sessionId: undefined });
    expect(read('claude-code', line, { path: '/x/projects/-y/abc.jsonl' }).messages[0]?.sessionId).toBe('abc');
    expect(read('claude-code', line).skipped).toEqual(['1 no-session']);
  });

  it('repeat nothing that a resumed file repeats', () => {
    const line = said('Once.', { uuid: 'same' });
    expect(read('claude-code', [line, line, said('Once.', { uuid: 'other' })].join('\n')).messages.map(({ id }) => id)).toEqual(['same', 'other']);
  });

  it('give the summary of a compaction as such', () => {
    const { summaries } = read('claude-code', fixture('claude-code-2.1.jsonl'));
    expect(summaries).toHaveLength(1);
    expect(summaries[0]).toContain('The price list is cached.');
  });
});

describe('subagents', () => {
  it.each([
    ['claude-code-1.0.jsonl', 'u6', ['List all callers of load().', 'Searching.', 'src/app.py:12: load()', 'One caller: src/app.py line 12.']],
    ['agent-1a2b3c4d.jsonl', '1a2b3c4d', ['Ready.', 'Check the links in README.md.', 'All links answer.']],
    ['subagent-2.1/subagents/agent-a52886dc180afb356.jsonl', 'a52886dc180afb356', ['There are 12.']],
  ])('%s', (name, agentId, texts) => {
    const { messages } = read('claude-code', fixture(name), { path: name });
    const ofAgent = messages.filter((message) => message.agentId === agentId);
    expect(ofAgent.map((message) => message.text).slice(-texts.length)).toEqual(texts);
    expect(ofAgent.every(({ role }) => role !== 'user')).toBe(true);
  });
});
