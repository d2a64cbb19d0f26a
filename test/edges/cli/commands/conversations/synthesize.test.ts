import fs from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { draftFile, program, type Program } from '../../program.ts';

const HEADINGS = ['# Project Memory', '## Current Status', '## Key Decisions', '## Learnings & Discoveries', '## Evolution & Changes', '## Active Questions'];
const idOf = (number: number): string => `7d1c0a5${number}-6f1e-4d0e-9b1a-1f6f3d1c2a10`;

interface Made {
  readonly status: string;
  readonly text: string;
  readonly diff: string;
  readonly fresh: number;
  readonly conversations: number;
  readonly docs: number;
  readonly pruned: number;
  readonly drift: readonly string[];
}

const synthesize = (cli: Program, ...argv: string[]): Made => cli.ask('synthesize', ...argv) as unknown as Made;
const master = (cli: Program): string => fs.readFileSync(path.join(cli.records, 'master.md'), 'utf8');
const under = (text: string, heading: string): string => text.split(`\n${heading}\n`)[1]?.split('\n## ')[0] ?? '';

function session(cli: Program, number: number, content: object, more: object = {}): void {
  const id = idOf(number);
  const full = { goal: `Work of day ${number}`, outcome: 'success', completed: [`Finished part ${number}`], next_actions: [], ...content };
  const draft = { title: `Session ${number}`, tags: ['tide'], origin: { channel: 'capture', session_id: id }, content: full, ...more };
  cli.ask('save', 'session_summary', '--input', draftFile(cli, `session-${number}.json`, draft));
}

/** A decision by name, replacing another. */
function decide(cli: Program, title: string, more: object = {}): void {
  const content = { status: 'accepted', context: '', decision: `${title} it is`, rationale: ['it is simpler'], alternatives: [], consequences: [] };
  cli.ask('save', 'decision', '--input', draftFile(cli, 'decision.json', { title, tags: ['storage'], content, ...more }));
}

describe('synthesize', () => {
  it('writes the six headings, the date and the counts of its sources', () => {
    const cli = program();
    const decided = [{ label: 'Decision', text: 'Warnings go by radio, because flags freeze' }];
    session(cli, 1, { goal: 'Work of day 1.', tracking_points: decided, blockers: ['The mast is down'] });
    fs.mkdirSync(path.join(cli.project, '_docs'));
    fs.writeFileSync(path.join(cli.project, '_docs', 'tides.md'), '# Tides\n\nSpring tides come twice a month and flood the lower pier.\n');
    const made = synthesize(cli);
    expect(made).toMatchObject({ status: 'created', conversations: 1, fresh: 1, docs: 1 });
    const text = master(cli);
    expect(text.split('\n').filter((line) => /^##? /.test(line))).toEqual(HEADINGS);
    expect(under(text, '## Current Status')).toContain('Last session (success): Work of day 1; done: Finished part 1');
    expect(under(text, '## Key Decisions')).toContain('Warnings go by radio, because flags freeze *(');
    expect(under(text, '## Learnings & Discoveries')).toContain('Tides: Spring tides come twice a month');
    expect(under(text, '## Active Questions')).toContain('Blocked: The mast is down');
    expect(text).toMatch(/\n---\n\n\*Last synthesized: \d{4}-\d{2}-\d{2}\*\n\*Source: 1 conversations, 1 docs\*\n$/);
  });

  it('goes by what is remembered where the folder of the project is not on this machine, and calls none of its files gone', () => {
    const cli = program();
    session(cli, 1, {}, { related_files: ['src/gauge/read.ts'] });
    decide(cli, 'Radio', { related_files: ['src/radio.ts'] });
    fs.renameSync(cli.project, `${cli.project}-moved`);
    const elsewhere = path.join(cli.folder, 'elsewhere');
    fs.mkdirSync(elsewhere);
    const made = cli.askIn({ cwd: elsewhere }, 'synthesize', '--project', 'webshop') as unknown as Made & { readonly warnings: readonly string[] };
    expect(made).toMatchObject({ status: 'created', conversations: 1, docs: 0, drift: [] });
    expect(made.warnings).toEqual([expect.stringContaining('is not on this machine')]);
    expect(under(made.text, '## Key Decisions')).toContain('Radio');
  });

  it('orders by theme, whatever the day', () => {
    const cli = program();
    const point = (text: string): object => ({ tracking_points: [{ label: 'Decision', text }] });
    session(cli, 1, point('The gauge is read every minute'), { tags: ['gauge'], related_files: ['src/gauge/read.ts'] });
    session(cli, 2, point('Warnings carry the harbour first'), { tags: ['warning'], related_files: ['src/warning/text.ts'] });
    session(cli, 3, point('The gauge is heated in frost'), { tags: ['gauge'], related_files: ['src/gauge/heat.ts'] });
    session(cli, 4, point('A warning is sent twice'), { tags: ['warning'], related_files: ['src/warning/send.ts'] });
    synthesize(cli);
    const [gauge, warning] = ['### Gauge', '### Warnings'].map((name) => under(master(cli), '## Key Decisions').split(`${name}\n`)[1]?.split('###')[0] ?? '');
    expect(gauge?.match(/^- .*/gm)?.map((line) => line.slice(2, 20))).toEqual(expect.arrayContaining(['The gauge is heate', 'The gauge is read ']));
    expect(warning?.match(/^- /gm)).toHaveLength(2);
  });

  it('shows how a decision came to be what it is, and only the last as decided', () => {
    const cli = program();
    decide(cli, 'Flat files');
    decide(cli, 'One JSON file', { supersedes: ['flat-files'] });
    decide(cli, 'SQLite', { supersedes: ['one-json-file'] });
    synthesize(cli);
    const day = new Date().toISOString().slice(0, 10);
    expect(under(master(cli), '## Evolution & Changes')).toContain(`Flat files (${day}) → tried One JSON file (${day}) → settled on SQLite (${day})`);
    expect(under(master(cli), '## Key Decisions').match(/^- .*/gm)).toHaveLength(1);
  });

  it('names what no longer agrees with the code', () => {
    const cli = program();
    fs.mkdirSync(path.join(cli.project, 'src'));
    for (const name of ['store.ts', 'clock.ts']) fs.writeFileSync(path.join(cli.project, 'src', name), 'one');
    spawnSync('git', ['init', '-q'], { cwd: cli.project });
    cli.ask('save', 'decision', 'Use SQLite because it needs no server', '--file', 'src/store.ts');
    cli.ask('save', 'decision', 'Keep UTC because piers have no zone', '--file', 'src/clock.ts');
    fs.rmSync(path.join(cli.project, 'src', 'store.ts'));
    fs.writeFileSync(path.join(cli.project, 'src', 'clock.ts'), 'two');
    expect(synthesize(cli).drift).toEqual(
      expect.arrayContaining([expect.stringContaining('src/store.ts is gone'), expect.stringContaining('src/clock.ts changed since')]),
    );
    expect(under(master(cli), '## Current Status')).toContain('Drift: Use SQLite because it needs no server: src/store.ts is gone');
  });

  it('reads commits where there is a repository, and code where there is code', () => {
    const cli = program();
    const git = (...words: string[]): void => {
      spawnSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.com', ...words], { cwd: cli.project });
    };
    fs.writeFileSync(path.join(cli.project, 'gauge.py'), 'print(1)\n');
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'Read the gauge twice');
    const { text } = synthesize(cli);
    expect(under(text, '## Current Status')).toContain('Committed: Read the gauge twice *(');
    expect(under(text, '## Current Status')).toContain('Code: 1 Python file');
  });

  it('takes up only what is new, keeps what it knew and what a person added', () => {
    const cli = program();
    session(cli, 1, { tracking_points: [{ label: 'Learning', text: 'Frost holds the float' }] });
    synthesize(cli);
    const file = path.join(cli.records, 'master.md');
    fs.writeFileSync(file, master(cli).replace('## Learnings & Discoveries\n\n', '## Learnings & Discoveries\n\n- The harbour master knows best\n'));
    const ahead = new Date(Date.now() + 5000);
    fs.utimesSync(file, ahead, ahead);
    expect(synthesize(cli)).toMatchObject({ fresh: 0, conversations: 1 });
    const old = new Date(Date.now() - 60_000);
    fs.utimesSync(file, old, old);
    const summary = path.join(cli.records, 'sessions', `${idOf(1)}.md`);
    fs.writeFileSync(summary, fs.readFileSync(summary, 'utf8').replaceAll(/updated_at: .*/g, 'updated_at: 2020-01-01T00:00:00Z'));
    session(cli, 2, { tracking_points: [{ label: 'Learning', text: 'Salt eats the mast' }] });
    expect(synthesize(cli)).toMatchObject({ fresh: 1, conversations: 2 });
    const learnings = under(master(cli), '## Learnings & Discoveries');
    for (const said of ['Frost holds the float', 'Salt eats the mast', 'The harbour master knows best']) expect(learnings).toContain(said);
    synthesize(cli, '--full');
    expect(under(master(cli), '## Learnings & Discoveries')).not.toContain('harbour master');
  });

  it('replaces the master, shows what changed, deletes no summary, and can be undone', () => {
    const cli = program();
    session(cli, 1, { tracking_points: [{ label: 'Learning', text: 'Frost holds the float' }] });
    const summaries = (): ReadonlyMap<string, string> => {
      const folder = path.join(cli.records, 'sessions');
      return new Map(fs.readdirSync(folder).map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')]));
    };
    const before = summaries();
    expect(before.size).toBe(1);
    synthesize(cli);
    const first = master(cli);
    expect(summaries()).toEqual(before);
    session(cli, 2, { tracking_points: [{ label: 'Learning', text: 'Salt eats the mast' }] });
    const both = summaries();
    const { diff } = synthesize(cli, '--full');
    expect(diff).toMatch(/^\+- Salt eats the mast/m);
    for (const once of [/^# Project Memory$/gm, /^\*Last synthesized: /gm, /^- Frost holds the float/gm]) expect(master(cli).match(once)).toHaveLength(1);
    expect(summaries()).toEqual(both);
    cli.ask('undo');
    expect(master(cli)).toBe(first);
  });

  it('says what is being worked on and what holds it up, until it does not', () => {
    const cli = program();
    session(cli, 1, { tracking_points: [{ label: 'Learning', text: 'Frost holds the float' }] });
    cli.ask('task', 'Move the mooring to the north quay');
    cli.ask('block', 'The crane is not there yet');
    synthesize(cli);
    expect(master(cli)).toMatch(/## Current Status\n\n[^#]*- Working on: Move the mooring to the north quay \*\([^)]*context\/current-task\)\*/);
    expect(master(cli)).toMatch(/## Active Questions\n\n[^#]*- Blocked: The crane is not there yet/);
    expect(synthesize(cli).diff).toBe('');
    cli.ask('unblock', '1');
    synthesize(cli);
    expect(master(cli)).toContain('Move the mooring');
    expect(master(cli)).not.toContain('crane');
  });

  it('says the same thing once, and prunes to its size, eldest and least first', () => {
    const cli = program();
    cli.ask('config', 'set', 'synthesis.maxChars', '2000', '--user');
    cli.ask('config', 'set', 'categories.session_summary.max_retained', '50', '--user');
    for (let day = 1; day <= 8; day += 1) {
      const points = Array.from({ length: 6 }, (_, index) => ({
        label: 'Learning',
        text: `Finding ${day}.${index} about ${'pier'.repeat(day)} number ${index * 7}`,
      }));
      session(cli, day, { tracking_points: [{ label: 'Decision', text: 'Warnings go by radio, because flags freeze' }, ...points] });
    }
    const made = synthesize(cli);
    expect(made.text.length).toBeLessThanOrEqual(2000);
    expect(made.pruned).toBeGreaterThan(10);
    expect(made.text).toContain(`*${made.pruned} older items were left out`);
    expect(made.text.match(/Warnings go by radio/g)).toHaveLength(1);
  });

  it('leaves out what its user has retired, and what nobody has confirmed of a tool or page', () => {
    const cli = program();
    decide(cli, 'Retired idea');
    cli.ask('retire', 'retired-idea', '--reason', 'wrong');
    decide(cli, 'Poisoned idea', { trust: 'quarantined' });
    decide(cli, 'Good idea');
    const { text } = synthesize(cli);
    expect(text).toContain('Good idea');
    expect(text).not.toMatch(/Retired idea|Poisoned idea/);
  });

  it('can take its sections from the themes it finds', () => {
    const cli = program();
    cli.ask('config', 'set', 'synthesis.structure', 'dynamic', '--user');
    for (const [number, text] of [
      [1, 'The gauge is heated'],
      [2, 'The gauge is read twice'],
    ] as const)
      session(cli, number, { tracking_points: [{ label: 'Decision', text }] }, { tags: ['gauge'] });
    const headings = synthesize(cli)
      .text.split('\n')
      .filter((line) => line.startsWith('## '));
    expect(headings).toEqual(['## Current Status', '## Gauge', '## Active Questions']);
  });

  it('keeps a master of its own for a part of the project', () => {
    const cli = program();
    session(cli, 1, { tracking_points: [{ label: 'Decision', text: 'Red means flood' }] }, { related_files: ['frontend/colours.ts'] });
    session(cli, 2, { tracking_points: [{ label: 'Decision', text: 'One queue for all' }] }, { related_files: ['backend/queue.ts'] });
    expect(synthesize(cli, '--scope', 'frontend')).toMatchObject({ conversations: 1 });
    const text = fs.readFileSync(path.join(cli.records, 'memory', 'master-frontend.md'), 'utf8');
    expect(text).toContain('Red means flood');
    expect(text).not.toContain('One queue for all');
    expect(fs.existsSync(path.join(cli.records, 'master.md'))).toBe(false);
  });

  it('runs by itself only after as many summaries as the settings say', () => {
    const cli = program();
    const transcript = (id: string): string =>
      draftFile(
        cli,
        `${id}.jsonl`,
        JSON.stringify({
          project: 'webshop',
          session_id: id,
          message_id: 'm1',
          role: 'user',
          timestamp: '2026-01-05T10:00:00Z',
          text: 'Send the warnings by radio',
        }),
      );
    cli.ask('summarize', '--transcript', transcript('one'));
    expect(fs.existsSync(path.join(cli.records, 'master.md'))).toBe(false);
    cli.ask('config', 'set', 'synthesis.autoAfter', '2', '--user');
    cli.ask('summarize', '--transcript', transcript('two'));
    expect(master(cli)).toContain('*Source: 2 conversations');
  });

  it('becomes the text that its user approved, in its form, which undo takes back and nothing automatic replaces', () => {
    const cli = program();
    session(cli, 1, { tracking_points: [{ label: 'Decision', text: 'Warnings go by radio, because flags freeze' }] });
    const extract = synthesize(cli).text;
    const own = `${HEADINGS.join('\n\nMine.\n\n')}\n\nMine.\n`;
    fs.writeFileSync(path.join(cli.folder, 'own.md'), own);
    fs.writeFileSync(path.join(cli.folder, 'bad.md'), '# Project Memory\n\nNo sections.\n');
    expect(cli.refused('synthesize', '--from', path.join(cli.folder, 'bad.md'))).toMatchObject({ error: 'INPUT_ERROR' });
    expect(cli.runIn({ env: { CLAUDECODE: '1' } }, 'synthesize', '--from', path.join(cli.folder, 'own.md')).code).toBe(1);
    expect(master(cli)).toBe(extract);
    expect(cli.ask('synthesize', '--from', path.join(cli.folder, 'own.md'))).toMatchObject({ status: 'updated' });
    expect(master(cli)).toMatch(/## Key Decisions\n\nMine\.[\s\S]*\*Last synthesized: [\d-]+\*\n\*Source: 1 conversations, 0 docs\*\n$/);
    cli.ask('undo');
    expect(master(cli)).toBe(extract);
  });

  it('says that there is nothing yet, in a folder that is neither code nor a repository', () => {
    const cli = program();
    expect(cli.refused('synthesize')).toMatchObject({ exit: 4, error: 'NOT_FOUND', hint: expect.stringContaining('summarize') });
    session(cli, 1, { goal: 'Plan the summer fair' });
    expect(synthesize(cli).text).toContain('Plan the summer fair');
  });

  it('is what a recall without a prompt reads, with its status and age; without it, summaries are listed', () => {
    const cli = program();
    session(cli, 1, { goal: 'Send warnings by radio' });
    expect(cli.run('recall').out).toMatch(/no master|synthesize/i);
    expect(cli.run('recall').out).toContain('Session 1');
    synthesize(cli);
    expect(cli.run('recall').out).toContain('Last session (success): Send warnings by radio');
    const old = new Date(Date.now() - 40 * 86_400_000);
    fs.utimesSync(path.join(cli.records, 'master.md'), old, old);
    const answer = cli.run('recall');
    expect(answer.out + answer.err).toMatch(/old|days|since/i);
  });

  it('is found by a search, as are the summaries', () => {
    const cli = program();
    session(cli, 1, { tracking_points: [{ label: 'Decision', text: 'Warnings go by radio, because flags freeze' }] });
    synthesize(cli);
    const ids = (cli.ask('search', 'when did we decide on radio')['hits'] as { id: string }[]).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['master', `session_summary/${idOf(1)}`]));
  });
});
