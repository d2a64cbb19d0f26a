import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/core/episode/episode.ts';
import { agent, call, tool, user } from '../triage/talk.ts';
import { asked, drafts, only, OPTIONS, PLANS } from './drafted.ts';

describe('a choice that the user made', () => {
  it('is kept as question and answer, with what was offered', () => {
    const draft = only(asked(PLANS, 'Markdown', OPTIONS), 'decision');
    expect(draft['title']).toBe('Markdown — Should the plans of an import be stored as JSON or as Markdown');
    expect(draft['content']).toEqual({
      status: 'accepted',
      context: PLANS,
      decision: 'Markdown (as offered: Can be read in a pull request)',
      alternatives: [{ option: 'JSON', rejected_reason: 'Offered and not chosen by the user: Can be checked by a schema and read by the web page' }],
      rationale: ['Chosen by the user among the options offered'],
      consequences: [],
    });
  });

  it('has the label of its question in the title where the question’s last words do not name their subject, unless the label fits any question', () => {
    const question = 'The plan retires the permanent sponsor banner of the page. That is a revenue surface, so which treatment should it get?';
    const options = [
      ['Remove it, footer only', 'Cleanest page.'],
      ['Keep it closeable', 'Less visible.'],
    ] as const;
    const titled = (header: string) => only(asked(question, 'Remove it, footer only', options, header), 'decision')['title'];
    expect(titled('Sponsor bar')).toMatch(/^Sponsor bar: Remove it, footer only — /);
    expect(titled('Fix approach')).toMatch(/^Remove it, footer only — /);
  });

  it('is kept where the client tells no options', () => {
    expect(only(asked(PLANS, 'Markdown'), 'decision')['content']).toMatchObject({ context: PLANS, decision: 'Markdown' });
  });

  it.each([
    ['leaves it to the agent', PLANS, 'You decide'],
    ['asks back', PLANS, 'what are the advantages of Markdown here?'],
    ['is a step of the work', 'The fix for the importer is committed. Should I push it to the branch of the pull request?', 'Yes, push'],
    ['picks what comes next', 'Which findings of the review of the importer should be fixed now?', 'Everything'],
    ['is about something that it does not name', 'Where should the change apply?', 'Everywhere'],
    ['is about something that it does not name, whatever its file', 'Where should the change apply?', 'Everywhere (default in window.go)'],
    ['tells what happened', 'Where did the timeout of the importer originally show up?', 'In the staging run'],
  ])('is not kept where it %s', (_, question, answer) => {
    const options = answer.endsWith('?') ? OPTIONS : [...OPTIONS, [answer, 'What the option means, told by the agent.'] as const];
    expect(drafts(asked(question, answer, options))).toEqual([]);
  });

  it('is kept where the user answers in own words, and is the user’s own word then', () => {
    const draft = only(asked(PLANS, 'as YAML beside the import, the page reads that already', OPTIONS), 'decision');
    expect(draft['title']).toMatch(/^As YAML beside the import/);
    expect(draft['trust']).toBe('observed');
    expect(draft['content']).toMatchObject({ context: PLANS, rationale: ['Answered by the user in place of the options offered'] });
  });

  it.each(['hmm, that depends on the page', 'not sure yet, what would the page need?', 'for now only as a file'])(
    'is not kept where the own words leave it open: %s',
    (answer) => {
      expect(drafts(asked(PLANS, answer, OPTIONS))).toEqual([]);
    },
  );

  it('has the question that the user answered with a question, where the next one alone says nothing', () => {
    const messages = [
      ...asked(PLANS, 'what are the advantages of Markdown here?', OPTIONS),
      agent('It can be read in a pull request.'),
      ...asked('Based on these tradeoffs, which approach should we take?', 'Markdown', OPTIONS),
    ];
    expect(only(messages, 'decision')['content']).toMatchObject({ context: expect.stringContaining(PLANS) as string });
  });

  it('has a title that asks the question, not what led up to it', () => {
    const long = 'With the new order of the import, which reads the sheets first and the images last, should there be one report a phase or one for all?';
    const draft = only(
      asked(long, 'One for all', [
        ['One for all', 'Written at the end.'],
        ['One a phase', 'Written as it goes.'],
      ]),
      'decision',
    );
    expect(draft['title']).toBe('One for all — should there be one report a phase or one for all');
  });

  it('stays when the agent tells what it replaced to do what was chosen', () => {
    const question = 'How should the importer handle the stale cache of sheets?';
    const choice = asked(question, 'Replace it by SheetStore', [
      ['Replace it by SheetStore', 'One way to read.'],
      ['Keep it', 'Less work.'],
    ]);
    expect(drafts([...choice, agent('I replaced the stale cache of the importer with SheetStore, the old one is gone.')])).toHaveLength(1);
  });

  it('is named after the plan that follows in its turn, and after a document that writes it down', () => {
    const choice = [user('/plan the import'), ...asked(PLANS, 'Markdown', OPTIONS)];
    const plan = agent('', { toolCalls: [call('ExitPlanMode', { input: '# Plan: Readable imports\n\n## Steps\n- write the plans' })] });
    const written = (text: string): Message => agent('', { toolCalls: [call('Write', { input: `docs/imports.md\n${text}`, files: ['docs/imports.md'] })] });
    const named = {
      title: expect.stringMatching(/^Readable imports: Markdown — Should/) as string,
      content: { context: expect.stringContaining('(asked while working on: Readable imports)') as string },
    };
    expect(only([...choice, plan], 'decision')).toMatchObject(named);
    expect(only([...choice, written('# Phase 4: Readable imports - Context\n\nPlans are stored as Markdown.')], 'decision')).toMatchObject(named);
    for (const other of [[written('# Release notes of May\n\nNothing new.')], [user('now the release'), plan]])
      expect(only([...choice, ...other], 'decision')['title']).toMatch(/^Markdown — Should/);
  });

  it('has the option’s detail where a preview follows it, whatever letter it starts with', () => {
    const asking = call('AskUserQuestion', {
      input: `questions: ${PLANS}\nheader: Plans\noptions: Markdown\nplain text: read in a pull request.\npreview: # A plan\n│ one │\nJSON\nchecked by a schema.\npreview: {}`,
    });
    const answer = tool(`User has answered your questions: "${PLANS}"="Markdown".`, { answers: asking.id });
    expect(only([agent('', { toolCalls: [asking] }), answer], 'decision')['content']).toMatchObject({
      decision: 'Markdown (as offered: plain text: read in a pull request)',
      alternatives: [{ option: 'JSON', rejected_reason: 'Offered and not chosen by the user: checked by a schema' }],
      rationale: ['Chosen by the user among the options offered'],
    });
  });

  it('is not kept beside a question about what happened: both belong to a report', () => {
    const [question, beside] = [PLANS, 'Can you reproduce the crash of the importer?'];
    const asking = call('AskUserQuestion', {
      input: `questions: ${question}\nheader: Plans\noptions: JSON\nA schema.\nMarkdown\nText.\n${beside}\nheader: Crash\noptions: Yes\nAlways.\nNo\nNever.`,
    });
    const answer = tool(`User has answered your questions: "${question}"="Markdown", "${beside}"="Yes".`, { answers: asking.id });
    expect(drafts([agent('', { toolCalls: [asking] }), answer])).toEqual([]);
  });

  it('is not kept when a later finding calls the code that it brings in faulty', () => {
    const question = 'How should the importer ask for the credentials of a mail server?';
    const choice = asked(question, 'Probe first', [
      ['Probe first', 'Adds ensureLogin, which asks the server before the import.'],
      ['Ask always', 'Simple.'],
    ]);
    const finding = (text: string): Message[] => [...choice, agent('Done.'), user(`1. Medium: ${text}`)];
    expect(drafts(finding('ensureLogin can incorrectly accept stale passwords.'))).toEqual([]);
    expect(drafts(finding('ensureLogin has no test.'))).toHaveLength(1);
    expect(drafts(finding('readSheet can incorrectly skip a row.'))).toHaveLength(1);
  });

  it('stays where a later question offers something else of one like word', () => {
    const first = asked('Should issues be sent to the planner in batches of ten or all at once?', 'No batching at all', [
      ['No batching at all', 'One prompt.'],
      ['Keep batches', 'Ten each.'],
    ]);
    const later = asked('There may be more issues than the planner can read: which fallback should there be?', 'None, trust the planner', [
      ['Hard limit, fall back to batching', 'Ten each.'],
      ['None, trust the planner', 'Send everything.'],
    ]);
    expect(drafts([...first, ...later])).toHaveLength(2);
  });

  it('gives way to a later choice that turns it down', () => {
    const first = asked('How should the broken replay of a recorded session be repaired?', 'Overlay the data', [
      ['Overlay the data', 'Run it and then overlay the recorded data.'],
    ]);
    const later = asked('Given the cost of running every segment, how should the repair be shaped?', 'Keep it hermetic', [
      ['Overlay the data, as chosen', 'Run it and then overlay the recorded data, as decided before.'],
      ['Keep it hermetic', 'Never run a segment while a recorded session is replayed.'],
    ]);
    expect(drafts([...first, ...later]).map(({ title }) => title)).toEqual([expect.stringMatching(/^Keep it hermetic/)]);
  });
});

it('a choice that another way overtook later in the session is not kept', () => {
  const choice = asked('How should the one color of a gradient spread over the segment?', 'Symmetric shades', [
    ['Symmetric shades', 'Darker, the color itself, lighter.'],
  ]);
  const done = agent('Done: a gradient with symmetric shades now spreads over the whole segment.');
  expect(drafts([...choice, done])).toHaveLength(1);
  const overtaken = agent('Anchored shades replace the old symmetric shades: the color of the gradient was hidden in the segment.');
  expect(drafts([...choice, done, overtaken])).toEqual([]);
});
