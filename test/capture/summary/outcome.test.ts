import { describe, expect, it } from 'vitest';
import { agent, user } from '../triage/talk.ts';
import { committed, contentOf, edited, ran } from './session.ts';

const ask = user('Make the importer skip empty rows');

describe('the outcome', () => {
  it('is success when the work was done and said to be', () => {
    expect(contentOf([ask, ...edited('/home/ada/shop/importer.ts'), agent('Done. Empty rows are skipped now.')]).outcome).toBe('success');
  });

  it('is success for a question that got an answer', () => {
    const words =
      'Empty rows come from the trailing newline that the supplier writes. The importer reads them as a row of empty cells, and the parser keeps them.';
    expect(contentOf([user('Where do the empty rows come from?'), agent(words)]).outcome).toBe('success');
  });

  it.each([
    [
      'before a tool answered',
      [
        agent(
          'I will have this looked into by a subagent, with the whole report at hand, and then come back to you with what it found out about the importer.',
          { toolCalls: [{ id: 'c-open', name: 'Agent', input: 'look', files: [] }] },
        ),
      ],
    ],
    [
      'after it said what comes next',
      [
        agent(
          'This is a report about the importer, and the analysis comes before any code is written; nothing has been changed so far. Delegating the investigation to a subagent, as you said.',
        ),
      ],
    ],
  ])('is abandoned where the agent was stopped %s, and the request stays open', (_, messages) => {
    const content = contentOf([user('Investigate where the empty rows of the importer come from'), ...messages]);
    expect(content.outcome).toBe('abandoned');
    expect(content.next_actions).toEqual(
      ['Asked last and not finished: Investigate where the empty rows of the importer come from'].map((text) => expect.stringContaining(text.slice(-50))),
    );
    expect(content.tracking_points).toBeUndefined();
  });

  it('is success where an answer ends with an invitation to ask on', () => {
    const words =
      'Empty rows come from the trailing newline that the supplier writes; the importer reads them as a row of empty cells. Let me know if that helps.';
    expect(contentOf([user('Where do the empty rows come from?'), agent(words)]).outcome).toBe('success');
  });

  it('is partial when the tests fail at the end', () => {
    const messages = [ask, ...edited('/home/ada/shop/importer.ts'), ...ran('npm test', 'Tests  2 failed | 40 passed', true), agent('I updated the importer.')];
    const content = contentOf(messages);
    expect(content.outcome).toBe('partial');
    expect(content.blockers).toEqual(['Tests fail']);
  });

  it('is partial when the agent never came back', () => {
    expect(contentOf([ask, ...edited('/home/ada/shop/importer.ts'), agent('I updated it.'), user('Also skip rows that hold only spaces')]).outcome).toBe(
      'partial',
    );
  });

  it('is blocked when a commit was asked for and something holds it up', () => {
    const closing = 'The commit was blocked by the pre-commit hook: the license check needs a token that is not configured.';
    const content = contentOf([ask, ...edited('/home/ada/shop/importer.ts'), agent('Done.'), user('commit'), agent(closing)]);
    expect(content.outcome).toBe('blocked');
    expect(content.blockers?.join()).toContain('blocked by the pre-commit hook');
  });

  it('is abandoned when nothing was answered or done', () => {
    expect(contentOf([ask]).outcome).toBe('abandoned');
  });

  it('forgets a failure that was mended before the commit', () => {
    const messages = [
      ask,
      ...edited('/home/ada/shop/importer.ts'),
      ...ran('npm test', '1 failed | 41 passed', true),
      ...edited('/home/ada/shop/importer.ts'),
      ...ran('npm test', '42 passed'),
      ...committed('Skip empty rows'),
      agent('Committed. All tests pass.'),
    ];
    const content = contentOf(messages);
    expect(content.outcome).toBe('success');
    expect(content.blockers).toEqual([]);
  });
});
