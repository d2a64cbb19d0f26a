import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/bin/finish.ts';
import { runProgram } from '../edges/cli/program.ts';
import { scratch } from '../scratch.ts';

const SESSION = 'aaaaaaaa-0000-4000-8000-00000000000a';

function setUp(settings: object) {
  const folder = scratch();
  const [home, cwd] = [path.join(folder, 'home'), path.join(folder, 'shop')];
  fs.mkdirSync(cwd, { recursive: true });
  fs.mkdirSync(home, { recursive: true });
  fs.writeFileSync(path.join(home, 'settings.json'), JSON.stringify({ memory: { on: true, ...settings } }));
  const line = (type: 'user' | 'assistant', at: number, content: unknown): string =>
    JSON.stringify({
      type,
      sessionId: SESSION,
      uuid: `u${at}`,
      cwd,
      version: '2.1.0',
      timestamp: `2026-03-01T10:0${at}:00.000Z`,
      message: { role: type, content },
    });
  const edit = (id: number, file: string): object => ({
    type: 'tool_use',
    id: `t${id}`,
    name: 'Edit',
    input: { file_path: path.join(cwd, file), old_string: 'a', new_string: 'b' },
  });
  const result = (id: number): object => ({ type: 'tool_result', tool_use_id: `t${id}`, content: 'The file has been updated.' });
  const lines = [
    line('user', 0, 'Add a rate limit to the API, with tests and docs.'),
    line('assistant', 1, [{ type: 'text', text: 'I will add it.' }, edit(1, 'src/limit.ts'), edit(2, 'test/limit.ts'), edit(3, 'docs/limit.md')]),
    line('user', 2, [result(1), result(2), result(3)]),
    line('assistant', 3, [
      {
        type: 'text',
        text: 'Done: the API allows 100 requests a minute; tests and docs are in place. We decided to use a token bucket because it allows bursts.',
      },
    ]),
    line('user', 4, 'Thanks, that works. Never send more than 100 mails a minute, the mail provider blocks us.'),
    line('assistant', 5, [{ type: 'text', text: 'Noted. All tests pass.' }]),
  ];
  const transcript = path.join(folder, `${SESSION}.jsonl`);
  fs.writeFileSync(transcript, `${lines.join('\n')}\n`);
  return { home, cwd, transcript, memoryFile: path.join(home, 'projects', 'shop', 'memory', 'MEMORY.md') };
}

const recordsIn = (root: string): readonly string[] =>
  ['decisions', 'constraints', 'preferences'].flatMap((folder) => (fs.existsSync(path.join(root, folder)) ? fs.readdirSync(path.join(root, folder)) : []));

describe('the end of a session, after the user has gone', () => {
  it('brings MEMORY.md up to date by itself, once', async () => {
    const { memoryFile, home, cwd, transcript } = setUp({ updateThreshold: 0 });
    await run([home, cwd, SESSION, transcript], {});
    const text = fs.readFileSync(memoryFile, 'utf8');
    expect(text).toMatch(/^## Session Summary - /);
    expect(text).toContain('src/limit.ts');
    await run([home, cwd, SESSION, transcript], {});
    expect(fs.readFileSync(memoryFile, 'utf8')).toBe(text);
  });

  it('puts the project on the map, and beside it the project whose files it changed', async () => {
    const { cwd, home, transcript } = setUp({ updateThreshold: 0 });
    const billing = path.join(path.dirname(cwd), 'billing');
    fs.mkdirSync(billing);
    const around = path.join(path.dirname(cwd), '.claude');
    fs.mkdirSync(around);
    fs.writeFileSync(path.join(home, 'workspace.md'), `## Projects\n\n| Project | Path |\n|---|---|\n| billing | ${billing} |\n| own | ${around} |\n`);
    fs.writeFileSync(
      transcript,
      fs
        .readFileSync(transcript, 'utf8')
        .replace(path.join(cwd, 'docs/limit.md'), path.join(billing, 'limit.md'))
        .replace(path.join(cwd, 'test/limit.ts'), path.join(around, 'plan.md')),
    );
    await run([home, cwd, SESSION, transcript], {});
    const map = fs.readFileSync(path.join(home, 'workspace.md'), 'utf8');
    expect(map).toMatch(new RegExp(String.raw`^\\| shop \\| ${cwd} \\|.*active`, 'm'));
    expect(map).toMatch(/^\| shop \| changed-with \| billing \| found \d{4}-\d\d-\d\d: files of both were changed in one session \|$/m);
    expect(map).not.toContain('| changed-with | own |');
    expect(map).toMatch(/^- shop → .*projects\/shop\/_index\.md$/m);
  });

  it('leaves it alone where autoUpdate is off or the session did too little', async () => {
    for (const settings of [{ updateThreshold: 0, autoUpdate: false }, { updateThreshold: 1_000 }, { updateThreshold: 0, on: false }]) {
      const { memoryFile, home, cwd, transcript } = setUp(settings);
      await run([home, cwd, SESSION, transcript], {});
      expect(fs.existsSync(memoryFile)).toBe(false);
    }
  });

  it('goes through triage, draft, verdict and save, and each record says who verified it', async () => {
    const { home, cwd, transcript } = setUp({ model: { drafting: 'none' } });
    await run([home, cwd, SESSION, transcript], {});
    const root = path.join(home, 'projects', 'shop');
    const kept = ['sessions', 'decisions', 'constraints', 'preferences'].flatMap((folder) => {
      const full = path.join(root, folder);
      return fs.existsSync(full) ? fs.readdirSync(full).map((name) => fs.readFileSync(path.join(full, name), 'utf8')) : [];
    });
    expect(kept.length).toBeGreaterThan(1);
    for (const text of kept) expect(text).toMatch(/^ *verified: rules$/m);
    // Said in March, whenever it is drafted.
    for (const text of kept) expect(text).toMatch(/^created_at: "?2026-03-01T10:0\d/m);
  });

  it.each([
    ['nothing was asked during the session', {}, { draftsAtEnd: true }, true],
    ['the agent was asked', {}, { seenTo: 6 }, false],
    ['no Stop hook has run, as in most clients', {}, {}, true],
    ['end-of-turn saving is off', { capture: { flow: 'off' } }, { draftsAtEnd: true }, false],
    ['it is off, whoever drafts', { capture: { flow: 'off' }, model: { drafting: 'none' } }, {}, false],
  ])('drafts records at the end or not, where %s', async (_why, settings, note, drafts) => {
    const { home, cwd, transcript } = setUp(settings);
    const notes = path.join(home, 'holdfast', 'projects', 'shop', 'sessions');
    fs.mkdirSync(notes, { recursive: true });
    fs.writeFileSync(path.join(notes, `${SESSION}.json`), JSON.stringify(note));
    await run([home, cwd, SESSION, transcript], {});
    const root = path.join(home, 'projects', 'shop');
    const kept = recordsIn(root);
    expect(kept.length > 0).toBe(drafts);
    expect(fs.readdirSync(path.join(root, 'sessions'))).toHaveLength(1);
  });

  it.each([
    ['into which the user typed', { typed: { session: SESSION, client: { pid: 1, began: '1' }, at: 0, prompts: ['Add a rate limit'] } }, true],
    ['that no hook has heard of', {}, false],
  ])('that no client reported is noticed at the next start; records are drafted of one %s: %j', async (_which, note, drafts) => {
    const { home, cwd, transcript } = setUp({});
    const notes = path.join(home, 'holdfast', 'projects', 'shop', 'sessions');
    const transcripts = path.join(home, 'projects', cwd.replaceAll(/[^a-z0-9]/gi, '-'));
    for (const folder of [notes, transcripts]) fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(notes, `${SESSION}.json`), JSON.stringify(note));
    fs.renameSync(transcript, path.join(transcripts, `${SESSION}.jsonl`));
    await run([home, cwd], {});
    const root = path.join(home, 'projects', 'shop');
    expect(fs.readdirSync(path.join(root, 'sessions'))).toHaveLength(1);
    const kept = recordsIn(root);
    expect(kept.length > 0).toBe(drafts);
    await run([home, cwd], {});
    expect(recordsIn(root)).toEqual(kept);
  });

  it.each([
    ['claude-code', 'codex'],
    ['codex', 'claude-code'],
  ] as const)('of %s and then of %s, with the same work in both, keeps each record once, and it names the first', async (first, second) => {
    const { home, cwd, transcript } = setUp({ model: { drafting: 'none' } });
    const told = { 'claude-code': [SESSION, transcript], codex: [ROLLOUT, rolloutOf(transcript, cwd)] } as const;
    const root = path.join(home, 'projects', 'shop');
    await run([home, cwd, ...told[first]], {});
    const kept = recordsIn(root);
    expect(kept).not.toEqual([]);
    await run([home, cwd, ...told[second]], {});
    const { clients } = JSON.parse(runProgram(['--home', home, 'status', '--json'], { cwd }).out) as { clients: readonly { client: string }[] };
    expect(clients.map(({ client }) => client).toSorted()).toEqual(['claude-code', 'codex']);
    expect(recordsIn(root)).toEqual(kept);
    const texts = ['decisions', 'constraints', 'preferences']
      .map((folder) => path.join(root, folder))
      .filter((folder) => fs.existsSync(folder))
      .flatMap((folder) => fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name), 'utf8')));
    for (const text of texts) expect(text).toMatch(new RegExp(`^ *client: ${first}$`, 'm'));
  });
});

const ROLLOUT = 'bbbbbbbb-0000-4000-8000-00000000000b';

/** The same work as Codex writes it; the rule in other words. */
function rolloutOf(transcript: string, cwd: string): string {
  const rows = fs
    .readFileSync(transcript, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: 'user' | 'assistant'; timestamp: string; message: { content: string | readonly { text?: string }[] } });
  const items = rows.flatMap(({ type, timestamp, message: { content } }) => {
    const words = typeof content === 'string' ? content : content.map((block) => block.text ?? '').join('');
    const text = words.replace(/Never send.*/, 'We must never send more than 100 mails per minute: the mail provider blocks us then.');
    const block = { type: type === 'user' ? 'input_text' : 'output_text', text };
    return text === '' ? [] : [{ timestamp, type: 'response_item', payload: { type: 'message', role: type, content: [block] } }];
  });
  const file = path.join(path.dirname(transcript), `rollout-2026-03-01T10-00-00-${ROLLOUT}.jsonl`);
  const meta = { timestamp: '2026-03-01T10:00:00.000Z', type: 'session_meta', payload: { id: ROLLOUT, cwd } };
  fs.writeFileSync(file, [meta, ...items].map((row) => `${JSON.stringify(row)}\n`).join(''));
  return file;
}
