import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/core/episode/episode.ts';
import { edited } from '../summary/session.ts';
import { agent, call, tool, user } from '../triage/talk.ts';
import { drafts, only } from './drafted.ts';

const work = edited('/home/ada/shop/a.ts');

describe('what a plan lists as decided by the user', () => {
  const DECIDED = [
    '- **Storage**: one file a sheet, never one for all',
    '- **Names**: sheets keep the names that the customer gave',
    '- **Retry**: is it needed?',
  ];
  const plan = (heading: string, items: readonly string[] = DECIDED): string =>
    `Implement the following plan:\n\n# Plan: Import of sheets\n\n## Context\nSheets come by mail.\n\n${heading}\n\n${items.join('\n')}\n\n## Steps\n- write the reader`;

  it.each(['## Design Decisions (from user input)', '### Key design decisions (confirmed with user)', '**User decisions:**', '## Agreed decisions'])(
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

  it.each([
    '## Decision criteria',
    '## User decisions (open)',
    '## Open decisions',
    '## Steps before a decision',
    '## Key Design Decisions',
    '## Decisions made',
  ])('is nothing under %s', (heading) => {
    expect(drafts([user(plan(heading)), ...work])).toEqual([]);
  });

  it('is found behind lines that are made to slow a reader down', () => {
    const slow = [`# ${' '.repeat(20_000)}x`, `**${'a '.repeat(10_000)}`, `- ${'- '.repeat(5_000)}`].join('\n');
    expect(drafts([user(plan(`${slow}\n## User decisions`))])).toHaveLength(1);
  });

  it('loses what the user takes back later, and is dropped with the work', () => {
    const start = [user(plan('## User decisions')), ...work, agent('Done.')];
    expect(only([...start, user('change the names of the sheets instead, do not keep what the customer gave')], 'decision')['content']).toMatchObject({
      decision: '- Storage: one file a sheet, never one for all',
    });
    expect(drafts([...start, user("I've reverted your changes")])).toEqual([]);
  });

  it('counts where the user approved it, and not where the user turned it down', () => {
    const exit = call('ExitPlanMode', { input: plan('## User decisions') });
    const submitted = (answer: Partial<Message>): Message[] => [agent('', { toolCalls: [exit] }), tool('…', { answers: exit.id, ...answer })];
    expect(drafts(submitted({}))).toHaveLength(1);
    expect(drafts(submitted({ failed: true }))).toEqual([]);
  });

  it('is not taken from a report of the agent, which tells of its own choices or of old ones', () => {
    const report = agent(`It works.\n\n### User decisions\n\n${DECIDED.join('\n')}`);
    expect(drafts([user('Make the importer skip the empty rows of a sheet'), ...work, report, user('ok commit this')])).toEqual([]);
  });
});
