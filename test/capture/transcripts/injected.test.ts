import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FENCE_CLOSE, FENCE_OPEN, isOwnCommand, isOwnTool, stripInjected } from '../../../src/core/episode/injected.ts';
import { spent } from '../../processor.ts';

describe('stripInjected', () => {
  it.each([
    ['nothing of ours', 'Use uv, not make.', 'Use uv, not make.'],
    ['a block', 'before <holdfast-memory>x</holdfast-memory> after', 'before  after'],
    ['a block with attributes over lines', '<holdfast-memory kind="brief"\n n="2">\na\nb\n</holdfast-memory>\nGo on.', 'Go on.'],
    ['two blocks', 'a<holdfast-memory>1</holdfast-memory>b<holdfast-memory>2</holdfast-memory>c', 'abc'],
    ['a block cut off at its end', 'Go on.\n<holdfast-memory>\ndec-1: cache', 'Go on.'],
    ['a block cut off at its start', 'dec-1: cache\n</holdfast-memory>\nGo on.', 'Go on.'],
    ['a breadcrumb', 'Done. <!-- MEMORY_BREADCRUMB: dec-1 sess-2 --> Bye.', 'Done.  Bye.'],
    ['a block inside JSON', '{\\"text\\":\\"<holdfast-memory kind=\\"x\\">secret\\n</holdfast-memory>tail\\"}', '{\\"text\\":\\"tail\\"}'],
  ])('%s', (_, given, left) => expect(stripInjected(given)).toBe(left));

  it('leaves no word of a block, wherever it stands', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (head, inner, tail) => {
        fc.pre(![head, inner, tail].some((part) => part.includes('<') || part.includes('MARK')));
        const left = stripInjected(`${head}${FENCE_OPEN}>MARK ${inner}${FENCE_CLOSE}${tail}`);
        expect(left).toBe(`${head}${tail}`.trim());
      }),
    );
  });

  it('is linear on openings without an end', () => {
    const started = spent();
    stripInjected(`${FENCE_OPEN}> ${FENCE_CLOSE}`.repeat(50_000) + FENCE_OPEN.repeat(50_000));
    expect(spent() - started).toBeLessThan(2_000);
  });
});

describe('own tools and commands', () => {
  it.each([
    ['mcp__plugin_memory_holdfast__search', true],
    ['mcp__holdfast__recall', true],
    ['holdfast_get', true],
    ['mcp__filesystem__read', false],
    ['search_holdfastness', false],
  ])('tool %s: %s', (name, own) => expect(isOwnTool(name)).toBe(own));

  it.each([
    ['holdfast recall "the cache"', true],
    ['cd x && npx holdfast search cache', true],
    ['/usr/local/bin/holdfast --json messages --session s', true],
    ['holdfast init --yes', false],
    ['holdfast drafts --json', true],
    ['git clone https://example.org/holdfast.git', false],
    ['ls holdfast search', true],
    ['cat holdfast-notes.md', false],
  ])('command %s: %s', (command, own) => expect(isOwnCommand(command)).toBe(own));
});
