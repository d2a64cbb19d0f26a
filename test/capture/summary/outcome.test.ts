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
