import { describe, expect, it } from 'vitest';
import { conversationWords, verifyByRules } from '../../../src/app/drafting/answer.ts';
import type { Message } from '../../../src/core/episode/episode.ts';

const message = (text: string, more: Partial<Message> = {}): Message => ({ id: 'm', sessionId: 's', role: 'assistant', text, ...more });
const said = conversationWords([
  message('We use SQLite for the queue because it needs no server. 1219 tests pass.'),
  message('', { toolCalls: [{ id: 't', name: 'Edit', input: 'src/queue/store.ts', files: ['src/queue/store.ts'] }] }),
]);
const draft = {
  title: 'SQLite for the queue',
  tags: ['sqlite'],
  content: { status: 'accepted', decision: 'SQLite for the queue', rationale: ['it needs no server'] },
};

describe('a draft that was made without a model', () => {
  it('passes when all of it was said or done', () => {
    expect(verifyByRules({ ...draft, related_files: ['src/queue/store.ts'] }, said)).toEqual({ passed: true, issues: [] });
  });

  it.each([
    ['a number', { title: 'SQLite tests pass: 1220' }, '1220'],
    ['a name with digits', { related_files: ['src/queue/store2.ts'] }, 'store2'],
    ['a reason', { content: { ...draft.content, rationale: ['everybody loves flying elephants'] } }, 'everybody, loves, flying'],
  ])('is blocked by %s that nobody said', (_, change, word) => {
    const { passed, issues } = verifyByRules({ ...draft, ...change }, said);
    expect(passed).toBe(false);
    expect(issues).toEqual([expect.stringContaining(`not in the conversation: ${word}`)]);
  });

  it.each(['120 files changed', 'src/queue/store.ts (134 edits)', 'and 150 more', '103 earlier commits'])(
    'is not blocked by what its form counts: %s',
    (counted) => {
      expect(verifyByRules({ ...draft, content: { ...draft.content, rationale: [counted] } }, said).passed).toBe(true);
      expect(
        verifyByRules({ ...draft, content: { ...draft.content, rationale: [counted.replace(/ (?:files|edits|more|earlier).*/, ' servers')] } }, said).passed,
      ).toBe(false);
    },
  );

  it('is not blocked by a word that was cut off, by the schema’s own words, nor by a tag, which is told', () => {
    expect(verifyByRules({ ...draft, title: 'SQLite for the queue because it needs no serv…' }, said).passed).toBe(true);
    expect(verifyByRules({ ...draft, tags: ['databases'] }, said)).toEqual({ passed: true, issues: ['not in the conversation: the tag databases'] });
  });
});
