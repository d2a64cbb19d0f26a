import { describe, expect, it } from 'vitest';
import { draftsOf } from '../../../src/capture/drafts/drafts.ts';
import type { Message } from '../../../src/core/episode/episode.ts';
import type { Draft } from '../../../src/core/record/draft.ts';
import { edited, facts, summed } from '../summary/session.ts';
import { agent, call, tool, user } from '../triage/talk.ts';

const drafts = (messages: readonly Message[]): Draft[] => draftsOf(summed(messages), facts);
const only = (messages: readonly Message[], category: string): Draft => {
  const found = drafts(messages).filter((draft) => draft['category'] === category);
  expect(found).toHaveLength(1);
  return found[0] as Draft;
};
const work = edited('/home/ada/shop/a.ts');

describe('what a plan or a report lists as decided', () => {
  const DECIDED = [
    '- **Storage**: one file a sheet, never one for all',
    '- **Names**: sheets keep the names that the customer gave',
    '- **Retry**: is it needed?',
  ];
  const plan = (heading: string, items: readonly string[] = DECIDED): string =>
    `Implement the following plan:\n\n# Plan: Import of sheets\n\n## Context\nSheets come by mail.\n\n${heading}\n\n${items.join('\n')}\n\n## Steps\n- write the reader`;

  it.each(['## Design Decisions', '### Key design decisions (confirmed with user)', '**User decisions:**', '## Decisions made'])(
    'is one record with its items, under %s',
    (heading) => {
      const draft = only([user(plan(heading)), ...work, agent('Done.')], 'decision');
      expect(draft['title']).toBe('Import of sheets: Storage, Names');
      expect(draft['content']).toMatchObject({
        context: 'Import of sheets',
        decision: '- Storage: one file a sheet, never one for all\n- Names: sheets keep the names that the customer gave',
        rationale: ['Listed as decided in the plan that the user asked to carry out'],
      });
    },
  );

  it.each(['## Decision criteria', '## Decisions (open)', '## Open decisions', '## Steps before a decision'])('is nothing under %s', (heading) => {
    expect(drafts([user(plan(heading)), ...work])).toEqual([]);
  });

  it('is found behind lines that are made to slow a reader down', () => {
    const slow = [`# ${' '.repeat(20_000)}x`, `**${'a '.repeat(10_000)}`, `- ${'- '.repeat(5_000)}`].join('\n');
    expect(drafts([user(plan(`${slow}\n## Decisions`))])).toHaveLength(1);
  });

  it('loses what the user takes back later, and is dropped with the work', () => {
    const start = [user(plan('## Decisions')), ...work, agent('Done.')];
    expect(only([...start, user('change the names of the sheets instead, do not keep what the customer gave')], 'decision')['content']).toMatchObject({
      decision: '- Storage: one file a sheet, never one for all',
    });
    expect(drafts([...start, user("I've reverted your changes")])).toEqual([]);
  });

  it('counts where the user approved it, and not where the user turned it down', () => {
    const exit = call('ExitPlanMode', { input: plan('## Decisions') });
    const submitted = (answer: Partial<Message>): Message[] => [agent('', { toolCalls: [exit] }), tool('…', { answers: exit.id, ...answer })];
    expect(drafts(submitted({}))).toHaveLength(1);
    expect(drafts(submitted({ failed: true }))).toEqual([]);
  });

  it('is taken from a report of the agent under the task of the session, unless the next prompt objects', () => {
    const report = [user('Make the importer skip the empty rows of a sheet'), ...work, agent(`It works.\n\n### Key Design Decisions\n\n${DECIDED.join('\n')}`)];
    expect(only([...report, user('ok commit this')], 'decision')).toMatchObject({
      title: 'Make the importer skip the empty rows of a sheet: Storage, Names',
      content: { rationale: ['Listed as decided; the user did not object'] },
    });
    expect(drafts([...report, user('no, that is not what we want')])).toEqual([]);
  });
});
