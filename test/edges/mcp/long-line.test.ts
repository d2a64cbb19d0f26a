import { describe, expect, it } from 'vitest';
import { LineReader } from '../../../src/edges/mcp/stdio.ts';
import { tooLong } from '../../../src/edges/mcp/message.ts';

const MB = Buffer.alloc(1024 * 1024, 'x');

describe('a line over 64 MB', () => {
  it('is passed over with its two ends told, and the next line is read', () => {
    const told: [string, string][] = [];
    const reader = new LineReader((head, tail) => void told.push([head, tail]));
    const lines = [...reader.push(Buffer.from('{"id":7,"text":"'))];
    for (let nth = 0; nth < 65; nth++) lines.push(...reader.push(MB));
    lines.push(...reader.push(Buffer.from('"}\n{"id":8}\n')));
    expect(lines).toEqual(['{"id":8}']);
    expect(told).toEqual([[expect.stringMatching(/^\{"id":7,"text":"$/), expect.stringMatching(/x"\}$/)]]);
  });

  it.each<[string, string, string, string | number | null]>([
    ['its id first', '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"x":"', 'xxx"}}', 7],
    ['its id last', '{"method":"tools/call","params":{"x":"', 'xxx"}},"jsonrpc":"2.0","id":"a-1"}', 'a-1'],
    ['an id inside its text only', '{"params":{"id":5,"x":"', 'xx","id":5}}]}', null],
    ['no id', 'xxxx', 'xxxx', null],
  ])('is answered: %s', (_what, head, tail, id) => {
    expect(tooLong(head, tail)).toEqual({ jsonrpc: '2.0', id, error: { code: -32_600, message: expect.stringContaining('64 MB') } });
  });
});
