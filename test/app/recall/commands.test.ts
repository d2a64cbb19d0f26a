import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { connectCli } from '../../../src/bin/wiring/cli-host.ts';
import { main } from '../../../src/edges/cli/main.ts';
import { scratch } from '../../scratch.ts';

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The command line on a home of its own, in this process. */
function shell() {
  const folder = scratch();
  const [home, project] = [path.join(folder, 'home'), path.join(folder, 'shop')];
  fs.mkdirSync(project);
  const run = async (...argv: readonly string[]): Promise<Ran> => {
    let [out, err] = ['', ''];
    const closers: (() => Promise<void>)[] = [];
    const terminal = { isTerminal: false, isErrorTerminal: () => false, out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
    const code = await main([...argv, '--home', home], terminal, (options, paint) =>
      connectCli({ env: {}, cwd: project, closers, note: () => {} }, options, paint),
    );
    for (const close of closers) await close();
    return { code, out, err };
  };
  const json = async (...argv: readonly string[]): Promise<Record<string, unknown>> =>
    JSON.parse((await run(...argv, '--json')).out) as Record<string, unknown>;
  return { run, json, folder, home, project };
}

describe('recall', () => {
  test('--json gives prompt, injected, tokens and text', async () => {
    const { run, json } = shell();
    await run('save', 'decision', 'Webhook retries use exponential backoff', '--title', 'Webhook retries back off');
    const said = await json('recall', 'why do webhook retries back off?');
    expect(said).toEqual({
      prompt: 'why do webhook retries back off?',
      injected: [
        {
          id: 'decision/webhook-retries-back-off',
          title: 'Webhook retries back off',
          score: expect.any(Number),
          reasons: expect.arrayContaining([expect.any(String)]),
        },
      ],
      tokens: expect.any(Number),
      text: expect.stringMatching(/^<holdfast-memory [\s\S]*<\/holdfast-memory>$/),
    });
    expect(await json('recall', 'thanks')).toEqual({ prompt: 'thanks', injected: [], tokens: 0, text: '', silence: 'small talk' });
  });

  test('people see the block and the reasons, or why there is none', async () => {
    const { run } = shell();
    await run('save', 'decision', 'Webhook retries use exponential backoff', '--title', 'Webhook retries back off');
    expect((await run('recall', 'why do webhook retries back off?')).out).toMatch(
      /<\/holdfast-memory>\n\nd08e .*\n {2}title or tags share .* \(\+[\d.]+\)\n.*about \d+ tokens\n$/s,
    );
    expect((await run('recall', 'hello')).out).toBe('Nothing is injected: small talk\n');
    expect((await run('recall', 'the webhook of the warehouse robot on the north side of the harbour')).out).toMatch(
      /^<holdfast-memory>Related\? d\w{3} Webhook retries back off<\/holdfast-memory>\n\nd08e .*, named only\n/,
    );
    expect((await run('recall', 'exponential growth of the warehouse robots')).out).toMatch(
      /^Nothing is injected: nothing stored is close enough\nNearest records, all weak:\nd08e {2}Webhook/,
    );
  });

  test('--batch answers each prompt as the first of its session, one line each', async () => {
    const { run, folder } = shell();
    await run('save', 'decision', 'Webhook retries use exponential backoff', '--title', 'Webhook retries back off');
    const file = path.join(folder, 'prompts.jsonl');
    fs.writeFileSync(file, '{"prompt":"why do webhook retries back off?"}\n{"prompt":"thanks"}\n\n{"prompt":"why do webhook retries back off?","id":3}\n');
    const { out, code } = await run('recall', '--batch', file, '--json');
    const rows = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly injected: readonly unknown[] });
    expect([code, ...rows.map(({ injected }) => injected.length)]).toEqual([0, 1, 0, 1]);
    expect((await run('why')).out).toBe('Nothing was injected yet.\n');
  });

  test('--batch answers the call of a subagent with what the subagent starts with', async () => {
    const { run, folder } = shell();
    await run('save', 'decision', 'Webhook retries use exponential backoff', '--title', 'Webhook retries back off');
    const file = path.join(folder, 'calls.jsonl');
    const call = (tool: string): string => JSON.stringify({ tool, input: { prompt: 'Find out why webhook retries back off', subagent_type: 'Explore' } });
    fs.writeFileSync(file, `${call('Task')}\n${call('Agent')}\n${call('WebFetch')}\n`);
    const { out } = await run('recall', '--batch', file, '--json');
    const rows = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly tool: string; readonly text: string });
    expect(rows.map(({ tool, text }) => [tool, /for="subagent"[^]*exponential backoff/.test(text)])).toEqual([
      ['Task', true],
      ['Agent', true],
      ['WebFetch', false],
    ]);
  });

  test.each([
    ['{"prompt":1}', 'Line 1 of FILE has no "prompt" and no "tool".'],
    ['{"prompt":"a"}\nnot json', 'Line 2 of FILE is not JSON'],
  ])('a batch with %j is refused with the line', async (text, message) => {
    const { run, folder } = shell();
    const file = path.join(folder, 'prompts.jsonl');
    fs.writeFileSync(file, text);
    const { code, err } = await run('recall', '--batch', file);
    expect([code, err.replaceAll(file, 'FILE')]).toEqual([1, expect.stringContaining(message)]);
  });

  test('without a prompt it reads master.md and names status and decisions', async () => {
    const { run, json, home } = shell();
    await run('save', 'decision', 'Use SQLite');
    const file = path.join(home, 'projects/shop/master.md');
    fs.writeFileSync(
      file,
      '# Project Memory\n\n## Current Status\nThe queue is live.\n\n## Key Decisions\n- SQLite\n- A table as queue\n\n## Active Questions\n- none\n',
    );
    const { out, err } = await run('recall');
    expect(out).toMatch(/^Status: The queue is live\.\n2 key decisions, written \d{4}-\d\d-\d\d\n\n# Project Memory\n/);
    expect(err).toBe('');
    expect(await json('recall')).toMatchObject({
      prompt: null,
      text: expect.stringContaining('The queue is live.'),
      master: { status: 'The queue is live.', decisions: 2, new_summaries: 0 },
    });
    fs.utimesSync(file, new Date('2020-01-01'), new Date('2020-01-01'));
    expect((await run('recall')).err).toMatch(/master\.md is from 2020-01-01\. Update it with `holdfast synthesize`/);
  });

  test('without a prompt and without master.md it says so, offers synthesis and lists summaries', async () => {
    const { run, json } = shell();
    expect((await run('recall')).out).toMatch(/^There is no master\.md yet\. .*`holdfast synthesize`\.\nThere are no session summaries yet\./);
    await run('save', 'session_summary', 'Designed the queue', '--title', 'Queue design');
    expect((await run('recall')).out).toMatch(/\nSession summaries:\n {2}\d{4}-\d\d-\d\d {2}\S+ {2}Queue design\n$/);
    expect(await json('recall')).toMatchObject({ master: null, text: '', summaries: [{ title: 'Queue design' }] });
  });
});

describe('brief, why and feedback', () => {
  test('brief prints the block alone, and nothing where there is no memory', async () => {
    const { run, json } = shell();
    expect(await run('brief')).toEqual({ code: 0, out: '', err: '' });
    expect(await json('brief')).toEqual({ event: 'startup', text: '', tokens: 0, items: [] });
    await run('save', 'constraint', 'At most 100 requests a minute');
    expect((await run('brief')).out).toMatch(/^<holdfast-memory project="shop" for="start">[\s\S]*100 requests[\s\S]*<\/holdfast-memory>\n$/);
    expect((await run('brief', '--event', 'compact')).out).toContain('for="recovery"');
    expect((await run('brief', '--event', 'lunch')).code).toBe(2);
  });

  test('why shows what was injected when and which signals chose it', async () => {
    const { run, json } = shell();
    await run('save', 'decision', 'Webhook retries use exponential backoff', '--title', 'Webhook retries back off');
    await run('brief', '--session', 's1');
    await run('recall', 'why do webhook retries back off?', '--session', 's2');
    const { out } = await run('why');
    expect(out).toMatch(
      /^[-\d]+ [\d:]+ {2}prompt {2}session s2 {2}about \d+ tokens\n {2}d08e {2}Webhook retries back off {2}\d\.\d\d\n {4}title or tags share .* \(\+[\d.]+\)/,
    );
    expect(out).toMatch(/startup {2}session s1/);
    const said = await json('why', '--session', 's2');
    expect(said).toMatchObject({
      session: 's2',
      tokens: expect.any(Number),
      injections: [{ session: 's2', event: 'prompt', items: [{ id: 'decision/webhook-retries-back-off' }] }],
    });
  });

  test('feedback is kept, shown and can retire', async () => {
    const { run, json } = shell();
    await run('save', 'decision', 'Use SQLite', '--title', 'Use SQLite');
    expect(await json('feedback', 'use-sqlite', 'useful')).toEqual({
      ok: true,
      id: 'decision/use-sqlite',
      title: 'Use SQLite',
      verdict: 'useful',
      verdicts: { useful: 1, wrong: 0, outdated: 0 },
      retired: false,
    });
    expect((await run('feedback', 'use-sqlite', 'outdated', '--retire')).out).toBe(
      'marked decision/use-sqlite as outdated, and retired it\n  1 useful, 0 wrong, 1 outdated\n',
    );
    expect((await json('show', 'use-sqlite'))['record']).toMatchObject({ record_status: 'retired' });
    expect((await run('feedback', 'use-sqlite', 'nice')).code).toBe(2);
    expect((await run('feedback', 'nobody', 'wrong')).code).toBe(4);
  });

  test.each(['recall', 'brief', 'why', 'feedback'])('%s has help with examples', async (name) => {
    const { run } = shell();
    expect((await run(name, '--help')).out).toMatch(new RegExp(`^holdfast ${name}[\\s\\S]*Examples\\n {2}holdfast ${name}`));
  });
});
