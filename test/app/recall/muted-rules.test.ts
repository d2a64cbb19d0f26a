import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { recallForAction } from '../../../src/app/recall/acting.ts';
import { createRecord } from '../../../src/app/write/create.ts';
import { collectGarbage } from '../../../src/app/write/gc.ts';
import { moveRecord } from '../../../src/app/write/status.ts';
import { ruleId } from '../../../src/recall/rules/standing.ts';
import { draftFromText } from '../../../src/core/record/from-text.ts';
import { type Program, program } from '../../edges/cli/program.ts';
import { must } from '../memory.ts';
import { context } from './opened.ts';

interface Brief {
  readonly text: string;
  readonly items: readonly { readonly id: string; readonly title: string }[];
}

const RULE = 'Always squash the fixup commits before a review';
const OTHER = 'Never push to the trunk without asking me first';

/** A session of one prompt that the client wrote down; a copy of one has its messages and their times. */
function say({ home, project, ask }: Program, session: string, day: string, prompt: string, more: readonly string[] = []): void {
  const folder = path.join(home, 'projects', project.replace(/[^A-Za-z0-9]/g, '-'));
  fs.mkdirSync(folder, { recursive: true });
  const texts = [prompt, 'Done with the handler.', ...more.flatMap((text) => [text, 'Done as well.'])];
  const lines = texts.map((text, at) => {
    const role = at % 2 === 0 ? 'user' : 'assistant';
    const content = role === 'user' ? text : [{ type: 'text', text }];
    const timestamp = day.includes('T') ? day : `${day}T10:${String(at).padStart(2, '0')}:00Z`;
    return JSON.stringify({ cwd: project, sessionId: session, version: '2.1.197', type: role, uuid: `${day}-${at}`, timestamp, message: { role, content } });
  });
  fs.writeFileSync(path.join(folder, `${session}.jsonl`), `${lines.join('\n')}\n`);
  ask('import');
}

const briefOf = (cli: Program, ...more: readonly string[]): Brief => cli.ask('brief', ...more) as unknown as Brief;
const quoted = (cli: Program): readonly string[] => briefOf(cli).items.flatMap(({ id, title }) => (id.startsWith('rule:') ? [title] : []));
const before = (cli: Program, command: string): string => {
  const file = path.join(cli.folder, 'rows.jsonl');
  fs.writeFileSync(file, `${JSON.stringify({ tool: 'Bash', input: { command } })}\n`);
  return (cli.ask('recall', '--batch', file) as unknown as { readonly text: string }).text;
};

function withRule(): { readonly cli: Program; readonly id: string } {
  const cli = program();
  say(cli, 'aaaa1111', '2024-02-01', `${RULE}.`, [`${OTHER}.`]);
  say(cli, 'bbbb2222', '2024-02-02', `ok, ${RULE.toLowerCase()}, please`);
  const { id } = cli.ask('save', 'preference', RULE) as { readonly id: string };
  expect(quoted(cli)).toEqual([OTHER.concat('.')]);
  return { cli, id };
}

describe('the sentence that a record was made of', () => {
  test.each([
    ['retired', ['retire'], ['--reason', 'not any more']],
    ['archived', ['archive'], []],
    ['forgotten until gc removes it', ['forget'], []],
    ['forgotten for good', ['forget'], ['--now', '--yes']],
    ['judged wrong and retired', ['feedback'], ['wrong', '--retire']],
  ])('is not quoted once the record is %s', (_, command, more) => {
    const { cli, id } = withRule();
    cli.run(...command, id, ...more);
    expect(quoted(cli)).toEqual([OTHER.concat('.')]);
    expect(before(cli, 'git commit -m x')).not.toContain('squash');
  });

  test('is not quoted once the record is purged, nor after its transcript is read again', () => {
    const { cli, id } = withRule();
    cli.run('forget', id, '--now', '--yes');
    expect(cli.refused('get', id).error).toBe('NOT_FOUND');
    say(cli, 'cccc3333', '2024-02-03', `${RULE}!`);
    expect(quoted(cli)).toEqual([OTHER.concat('.')]);
  });

  test('is not quoted once a draft of it is rejected', () => {
    const cli = program();
    say(cli, 'aaaa1111', '2024-02-01', `Fix the handler. ${RULE}.`, ['And the parser.']);
    cli.ask('drafts', 'aaaa1111', '--save');
    const { items } = cli.ask('inbox') as { readonly items: readonly { readonly id: string }[] };
    expect(items).toHaveLength(1);
    cli.ask('inbox', 'reject', items[0]?.id ?? '');
    expect(quoted(cli)).toEqual([]);
  });

  test('stands again when the record is restored, and is quoted when it is typed anew', async () => {
    const { cli, id } = withRule();
    cli.ask('retire', id, '--reason', 'not any more');
    cli.ask('restore', id);
    expect(briefOf(cli).text).toContain(RULE);
    cli.ask('retire', id, '--reason', 'not any more');
    await new Promise((done) => setTimeout(done, 1_100));
    say(cli, 'dddd4444', new Date().toISOString(), `${RULE}.`);
    expect(quoted(cli)).toContain(`${RULE}.`);
  });
});

test('what gc purges leaves no words behind, and still mutes them', async () => {
  const { at, keep, memory, recallContext } = await context();
  const { record } = await keep('preference', RULE);
  must(await moveRecord(memory, 'retire', { root: 'private', path: memory.index.byId(record.id)[0]?.path ?? '' }, { actor: 'command', reason: 'x' }));
  at('2026-05-01T12:00:00Z');
  expect((await collectGarbage(memory, { actor: 'command' })).deleted).toHaveLength(1);
  expect(recallContext.log.feedback()).toContainEqual(expect.objectContaining({ id: ruleId(`ok, ${RULE.toLowerCase()}, please`) }));
  expect(JSON.stringify(recallContext.log.feedback())).not.toContain('squash');
});

describe('a sentence that no record holds', () => {
  test('is muted by the id that why and brief print, and comes back when it is called useful', () => {
    const cli = program();
    say(cli, 'aaaa1111', '2024-02-01', `${RULE}.`, [`${OTHER}.`]);
    say(cli, 'bbbb2222', '2024-02-02', `${RULE} please.`);
    expect(before(cli, 'git commit -m x')).toContain('Asked for in 2 earlier sessions');
    briefOf(cli, '--session', 's1');
    const { injections } = cli.ask('why') as { readonly injections: readonly { readonly items: Brief['items'] }[] };
    const id = injections.flatMap(({ items }) => items).find(({ title }) => title.includes('squash'))?.id ?? '';
    for (const command of ['why', 'brief']) {
      const { out } = cli.run(command);
      expect(out).toContain(id);
      expect(out).toMatch(/holdfast feedback \S+ wrong/);
    }
    cli.ask('feedback', id, 'wrong');
    expect(quoted(cli)).toEqual([OTHER.concat('.')]);
    expect(before(cli, 'git commit -m x')).toBe('');
    cli.ask('feedback', id, 'outdated');
    cli.ask('feedback', id, 'useful');
    expect(quoted(cli)).toHaveLength(2);
    expect(before(cli, 'git commit -m x')).toContain('squash');
  });

  test('can be muted before it was ever logged; retire and forget say how', () => {
    const cli = program();
    say(cli, 'aaaa1111', '2024-02-01', `${RULE}.`);
    const id = briefOf(cli).items.find(({ title }) => title.includes('squash'))?.id ?? '';
    for (const command of ['retire', 'forget'])
      expect(cli.refused(command, id, '--reason', 'x')).toMatchObject({ error: 'NOT_FOUND', hint: expect.stringContaining(`feedback ${id} wrong`) as string });
    cli.ask('feedback', id, 'outdated');
    expect(quoted(cli)).toEqual([]);
    expect(cli.refused('feedback', 'rule:0000000000', 'wrong').error).toBe('NOT_FOUND');
  });
});

describe('what was asked for at the moment', () => {
  test('is not quoted at a start, nor before the command that it names', () => {
    const cli = program();
    const requests = ["Merge it whenever you like, I'm off for lunch.", 'can you look at the comments on the PR', 'please push the fixes up'];
    for (const [nth, session] of ['aaaa1111', 'bbbb2222', 'cccc3333'].entries())
      say(cli, session, `2024-02-0${nth + 1}`, requests[0] as string, requests.slice(1));
    expect(quoted(cli)).toEqual([]);
    for (const command of ['gh pr create', 'git push', 'gh pr merge 4']) expect(before(cli, command)).toBe('');
  });

  test('a fork of a session counts with it', () => {
    const cli = program();
    say(cli, 'aaaa1111', '2024-02-01', `${RULE}.`);
    say(cli, 'bbbb2222', '2024-02-01', `${RULE}.`, ['Go on with the parser.', `${RULE}, as I said.`]);
    expect(briefOf(cli).text).not.toMatch(/in \d+ sessions/);
    expect(before(cli, 'git commit -m x')).toBe('');
  });
});

test('after a compaction a saved decision comes before what was quoted', async () => {
  const cli = program();
  for (const day of [1, 2, 3, 4, 5, 6, 7, 8, 9])
    say(
      cli,
      `aaaa111${day}`,
      `2024-02-0${day}`,
      `Never change the ${'queue parser ledger invoice socket cache token schema report'.split(' ')[day - 1]} tables without a migration and a second pair of eyes on it.`,
    );
  cli.ask('save', 'decision', 'Use the harbour ledger for the berths because it is audited');
  const { text } = briefOf(cli, '--event', 'compact');
  expect(text.indexOf('harbour ledger')).toBeGreaterThan(0);
  expect(text.indexOf('harbour ledger')).toBeLessThan(text.indexOf('Asked for in earlier prompts'));
});

describe('a record of the repository', () => {
  const about = async (appliesTo: readonly string[]): Promise<readonly number[]> => {
    const { memory, recallContext, project } = await context();
    const draft = { ...draftFromText('constraint', 'Send the plans to the other harbour first'), tags: [], applies_to: [...appliesTo] };
    must(await createRecord(memory, { category: 'constraint', draft, root: 'shared', actor: 'command' }));
    const calls = [{ command: 'git commit -m x' }, { file: path.join(project, 'src/main.ts') }, { file: path.join(project, 'docs/plans/a.md') }];
    const shown: number[] = [];
    for (const call of calls) shown.push((await recallForAction(memory, recallContext, call)).injected.length);
    return shown;
  };

  test.each([[['*', '**/*']], [['**']], [['**/*.*', '?*', '.*']], [['[a-z]*', '{a,*}']], [['*/*', './**', '/**']]])(
    'speaks before nothing where it names everything: %j',
    async (appliesTo) => {
      expect(await about(appliesTo)).toEqual([0, 0, 0]);
    },
  );

  test('speaks where it names an action, a command or some files', async () => {
    expect(await about(['commit'])).toEqual([1, 0, 0]);
    expect(await about(['git commit', 'docs/plans/**'])).toEqual([1, 0, 1]);
    expect(await about(['*.ts'])).toEqual([0, 1, 0]);
  });
});
