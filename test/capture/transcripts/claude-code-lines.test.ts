import { describe, expect, it } from 'vitest';
import { answered, called, claude, read, replied, said, text } from './reading.ts';

const good = said('A good line.');

describe('lines that are not as they should be', () => {
  it.each<[string, string, string[], string[]]>([
    ['not JSON', '{this is not json at all}', ['A good line.'], ['1 broken-json']],
    ['a line cut short', good.slice(0, -20), ['A good line.'], ['1 cut-short']],
    ['a number', '42', ['A good line.'], ['1 not-an-object']],
    ['a list', '[1]', ['A good line.'], ['1 not-an-object']],
    ['a record of an unknown kind', claude({ type: 'telepathy' }), ['A good line.'], ['1 unknown-record']],
    ['a message that is text', claude({ type: 'user', message: 'oops' }), ['A good line.'], ['1 no-message']],
    ['content that is a number', said(12), ['A good line.'], ['1 no-message']],
    ['an empty line', '', ['A good line.'], []],
    ['white space', '   \t', ['A good line.'], []],
    ['a carriage return', `${said('First.')}\r`, ['First.', 'A good line.'], []],
    ['a byte order mark', `\uFEFF${said('First.')}`, ['First.', 'A good line.'], []],
    ['a session id that is a number', said('First.', { sessionId: 12 }), ['First.', 'A good line.'], []],
    ['a time in seconds', said('First.', { timestamp: 1_705_315_200 }), ['First.', 'A good line.'], []],
    ['a record without type', claude({ message: { role: 'user', content: 'First.' } }), ['First.', 'A good line.'], []],
  ])('%s costs no more than itself', (_, line, prompts, skipped) => {
    const reading = read('claude-code', `${line}\n${good}`);
    expect(reading.prompts).toEqual(prompts);
    expect(reading.skipped).toEqual(skipped);
  });

  it.each<[string, (line: string) => string]>([
    ['end in a newline', (line) => `${line}\n`],
    ['do not', (line) => line],
  ])('are read where the last one does %s', (_, ended) =>
    expect(read('claude-code', ended(`${said('First.')}\n${good}`)).prompts).toEqual(['First.', 'A good line.']),
  );

  const progress = claude({ type: 'progress', data: { type: 'hook_progress' } });
  const snapshot = JSON.stringify({ type: 'file-history-snapshot', messageId: 'x', snapshot: {} });
  const withResult = (): string => said([{ type: 'tool_result', tool_use_id: 't', content: 'ok' }], { toolUseResult: { stdout: 'y'.repeat(2_000) } });

  it.each<[string, string, string[]]>([
    ['two prompts', said('Before.') + said('After.'), ['user Before.', 'user After.']],
    ['two prompts with a space between', `${said('Before.')}  ${said('After.')}`, ['user Before.', 'user After.']],
    ['three', said('Before.') + said('Between.') + said('After.'), ['user Before.', 'user Between.', 'user After.']],
    ['a progress record and a prompt', progress + said('After.'), ['user After.']],
    ['a snapshot and a prompt', `${snapshot} ${said('After.')}`, ['user After.']],
    ['a prompt and a progress record', said('Before.') + progress, ['user Before.']],
    ['an answer with a result and a prompt', withResult() + said('After.'), ['tool ok', 'user After.']],
    ['an answer with a result, a space and a prompt', `${withResult()} ${said('After.')}`, ['tool ok', 'user After.']],
    ['two answers with results', withResult() + withResult(), ['tool ok', 'tool ok']],
    ['a cut record and a prompt', said('Lost').slice(0, 40) + said('After.'), ['user After.']],
    ['a prompt and a cut record', said('Before.') + said('Lost').slice(0, 40), ['user Before.']],
  ])('%s on one line are both read', (_, line, met) => {
    const { messages } = read('claude-code', `${line}\n${said('Last.')}`);
    expect(messages.map(({ role, text: words }) => `${role} ${words}`)).toEqual([...met, 'user Last.']);
  });

  it('count the cut half of such a line', () => {
    expect(read('claude-code', said('Lost').slice(0, 40) + said('After.')).skipped).toEqual(['1 cut-short']);
  });

  it('do not make a prompt of a record inside a cut one', () => {
    const inner = JSON.stringify({ type: 'user', sessionId: 's1', uuid: 'in', message: { role: 'user', content: 'I am a subagent.' } });
    const outer = `{"data":{"message":${inner}},"type":"progress"}`;
    const cut = outer.slice(0, outer.indexOf(inner) + inner.length);
    expect(read('claude-code', cut).prompts).toEqual([]);
  });

  it('with a backslash too many are mended and said so', () => {
    const line = said('decorated with PLACEHOLDER here').replace('PLACEHOLDER', '\\dev and \\\\n and \\u00e9');
    const { prompts, events } = read('claude-code', line);
    expect(prompts).toEqual(['decorated with \\dev and \\n and é here']);
    expect(events.some(({ kind }) => kind === 'mended')).toBe(true);
  });

  it('of more than a megabyte are read', () => {
    const huge = 'word '.repeat(400_000);
    const { messages } = read(
      'claude-code',
      [replied('m1', [called('t', 'Read', { file_path: 'a' })]), answered('t', huge), replied('m2', [text(huge)])].join('\n'),
    );
    expect(messages).toHaveLength(3);
    expect(messages.every((message) => message.text.length < 101_000)).toBe(true);
  });
});

describe("fields after the client's copy of a result", () => {
  const big = { stdout: 'z'.repeat(3_000), nested: { toolUseResult: 1, userType: 'x' } };
  const content = [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }];
  const message = { role: 'user', content };

  it.each<[string, Record<string, unknown>]>([
    ['the copy last', { type: 'user', message, uuid: 'u', sessionId: 's', cwd: '/p', toolUseResult: big }],
    ['session and folder after it', { type: 'user', message, uuid: 'u', toolUseResult: big, userType: 'external', cwd: '/p', sessionId: 's' }],
    [
      'a source and session after it',
      { type: 'user', message, uuid: 'u', toolUseResult: big, sourceToolAssistantUUID: 'a', userType: 'external', cwd: '/p', sessionId: 's' },
    ],
    ['the message after it', { type: 'user', toolUseResult: big, message, uuid: 'u', cwd: '/p', sessionId: 's' }],
    [
      'the key only inside',
      { type: 'user', message: { role: 'user', content: [{ ...content[0], extra: { a: 1, toolUseResult: big } }] }, uuid: 'u', sessionId: 's', cwd: '/p' },
    ],
    ['a brace pair inside', { type: 'user', message, uuid: 'u', sessionId: 's', cwd: '/p', toolUseResult: { stdout: `${'}{'.repeat(900)}` } }],
  ])('%s', (_, record) => {
    const { messages, facts, skipped } = read('claude-code', JSON.stringify(record));
    expect(messages).toMatchObject([{ id: 'u', sessionId: 's', role: 'tool', text: 'ok', answers: 't' }]);
    expect(facts['s']?.project).toBe('/p');
    expect(skipped).toEqual([]);
  });
});
