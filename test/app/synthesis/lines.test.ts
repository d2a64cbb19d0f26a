import { describe, expect, it } from 'vitest';
import { itemOfRecord } from '../../../src/app/synthesis/from-record.ts';
import { itemsOfSummary, statusItem } from '../../../src/app/synthesis/from-summary.ts';
import { withoutRepeats } from '../../../src/app/synthesis/budget.ts';
import { sharedTopics, themesOf, topicsOf } from '../../../src/app/synthesis/theme.ts';
import type { RecordOf } from '../../../src/core/record/schema.ts';
import { sample } from '../../core/sample.ts';

const summary = (content: object): RecordOf<'session_summary'> =>
  sample('session_summary', {
    content: { goal: 'Fix the diff viewer layout', outcome: 'success', completed: [], next_actions: [], ...content },
  }) as RecordOf<'session_summary'>;

const textOf = (category: 'decision' | 'runbook', more: object): string => itemOfRecord(sample(category, more))?.text ?? '';

describe('a line of the master', () => {
  it('tells a goal and the commit that says it again once', () => {
    const record = summary({ completed: ['Tests added', 'Committed b567018: Fix diff viewer layout with CSS Grid'] });
    expect(statusItem(record, true).text).toBe('Last session (success): committed “Fix diff viewer layout with CSS Grid”');
    expect(itemsOfSummary(record, { isRecent: true, changes: [], reverted: [] })).toEqual([]);
    expect(statusItem(summary({ completed: ['Committed b567018: Align the gutter with the code'] }), true).text).toBe(
      'Last session (success): Fix the diff viewer layout; committed “Align the gutter with the code”',
    );
  });

  it('tells a choice that its title names once, and closes a bracket that it cuts', () => {
    const decision = `No batching at all (as offered: Send all issues to one plan prompt and one execution prompt. ${'Large models bear it. '.repeat(12)})`;
    const text = textOf('decision', {
      title: 'Pipeline: No batching at all — should we keep batching',
      content: { status: 'accepted', context: 'Plans', decision, rationale: ['not recorded'] },
    });
    expect(text).toMatch(/^Pipeline: No batching at all — should we keep batching \(as offered: Send all issues to one plan prompt .*\.\)$/);
    expect(text.match(/No batching at all/g)).toHaveLength(1);
  });

  it('takes a wish of the user for a rule of the whole project, without a label', () => {
    const record = summary({ tracking_points: [{ label: 'Preference', text: 'Always switch to main and pull before you make a branch' }] });
    expect(itemsOfSummary(record, { isRecent: true, changes: [], reverted: [] })).toMatchObject([
      { section: 'decisions', text: 'Always switch to main and pull before you make a branch', topics: [], isGeneral: true },
    ]);
  });

  it('tells a decision whose title gives the reason too once', () => {
    expect(
      textOf('decision', {
        title: 'Use Postgres for the queue because Redis lost messages',
        content: { status: 'accepted', context: 'The queue', decision: 'Use Postgres for the queue', rationale: ['Redis lost messages'] },
      }),
    ).toBe('Use Postgres for the queue – because Redis lost messages');
  });

  it('leaves out what was asked for later, old reminders, and an agent’s trouble with its own tools', () => {
    const record = summary({
      goal: 'Fix the layout; then: Commit this; Push it',
      in_progress: ['Not committed: src/a.ts'],
      next_actions: ['Asked last and not answered: Commit this', 'Measure it'],
      tracking_points: [
        { label: 'Discovery', text: 'The Edit tool is not matching the tab-based indentation' },
        { label: 'Discovery', text: 'Flexbox does not keep the columns apart' },
      ],
    });
    expect(statusItem(record, false).text).toBe('Session before (success): Fix the layout');
    expect(statusItem(record, true).text).toBe('Last session (success): Fix the layout; not committed: src/a.ts');
    const texts = (isRecent: boolean): string[] => itemsOfSummary(record, { isRecent, changes: [], reverted: [] }).map(({ text }) => text);
    expect(texts(true)).toEqual(['Flexbox does not keep the columns apart', 'Measure it']);
    expect(texts(false)).toEqual(['Flexbox does not keep the columns apart']);
  });

  it('does not say a title twice that was cut off, nor what nobody recorded', () => {
    const whole = 'Consolidation: add guidance for errors too when many can be mended at once';
    expect(
      textOf('decision', { title: `${whole.slice(0, 50)}…`, content: { status: 'accepted', context: '', decision: whole, rationale: ['Not recorded'] } }),
    ).toBe(whole);
    expect(textOf('runbook', { content: { trigger: 'The import is gone', steps: ['Not recorded'], verification: '' } })).toBe('The import is gone');
  });

  it('is as old as what was said, unless it was changed since', () => {
    const times = { created_at: '2026-01-05T00:00:00Z', updated_at: '2026-03-01T00:00:00Z' };
    expect(itemOfRecord(sample('decision', times))?.at).toBe(Date.parse(times.created_at));
    expect(itemOfRecord(sample('decision', { ...times, times_updated: 1 }))?.at).toBe(Date.parse(times.updated_at));
  });

  it('is left out when it says no more than a part of another', () => {
    const item = (text: string, ref: string) => ({ section: 'learnings' as const, text, ref, at: 0, topics: [], files: [] });
    const long = item('Wrong canonical file CLAUDE instead of AGENTS: scan again once the folder is set up', 'runbook/x');
    expect(withoutRepeats([item('Wrong canonical file (CLAUDE instead of AGENTS)', 'session y'), long])).toEqual([long]);
  });
});

describe('themes', () => {
  it('are not named by what is done, and none stands over one line alone', () => {
    expect(topicsOf('Bun is picking files up', ['picking', 'bun'], ['src/remediation/engine.ts'])).toEqual(['bun', 'remediation']);
    expect(topicsOf('The engine is picking files up', ['picking', 'bun'], ['src/remediation/engine.ts'])).toEqual(['engine', 'remediation', 'bun']);
    const item = (text: string, topics: readonly string[]) => ({ section: 'decisions' as const, text, ref: text, at: 0, topics, files: [] });
    const items = [item('a1', ['api']), item('a2', ['api']), item('b1', ['billing']), item('c', [])];
    const themes = themesOf(items, new Set(['api', 'billing']));
    expect(themes.map(({ name, items: own }) => [name, own.length])).toEqual([
      ['API', 2],
      ['General', 2],
    ]);
    expect(sharedTopics(items)).toEqual(new Set(['api']));
  });
});
