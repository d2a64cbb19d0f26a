import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopback, type Loopback, type Seen } from '../../adapters/model/loopback.ts';
import { PROTOCOLS } from '../../adapters/model/protocols.ts';
import { answered, called, replied, said, text } from '../../capture/transcripts/reading.ts';
import { program, PROGRAM, setByHand, type Program, runProgramBeside } from '../../edges/cli/program.ts';

const at = (minute: number): { readonly timestamp: string } => ({ timestamp: `2026-01-02T10:${String(minute).padStart(2, '0')}:00.000Z` });

/** A session that decides something, finds a page that wants something, and changes a file. */
function transcript(cli: Program, name = 'session-1'): string {
  const here = { sessionId: name, cwd: cli.project };
  const answer = (id: string, words: string, uuid: string, minute: number): string =>
    JSON.stringify({ ...(JSON.parse(answered(id, words)) as object), uuid, ...here, ...at(minute) });
  const lines = [
    said('We need somewhere to keep the orders. What should we use?', { uuid: 'u1', ...here, ...at(0) }),
    replied('m1', [text('We decided to use SQLite because it needs no server and one file is easy to back up.')], { uuid: 'a1', ...here, ...at(1) }),
    said('Good, add the table then. Always use single quotes in SQL files.', { uuid: 'u2', ...here, ...at(2) }),
    replied('m2', [text('Added.'), called('c1', 'Write', { file_path: path.join(cli.project, 'orders.sql'), content: 'create table orders (id);' })], {
      uuid: 'a2',
      ...here,
      ...at(3),
    }),
    answer('c1', 'File created successfully', 't1', 4),
    said('What do the docs of the driver say?', { uuid: 'u3', ...here, ...at(5) }),
    replied('m3', [called('c2', 'WebFetch', { url: 'https://example.com', prompt: 'rules' })], { uuid: 'a3', ...here, ...at(6) }),
    answer('c2', 'LevelDB does not allow two handles in one process, because the second handle corrupts the file.', 't2', 7),
    replied('m4', [text('LevelDB does not allow two handles in one process, because the second handle corrupts the file.')], {
      uuid: 'a4',
      ...here,
      ...at(8),
    }),
    replied('m5', [text('The table is in orders.sql, and all tests pass. Next step: index the customer column.')], { uuid: 'a5', ...here, ...at(9) }),
  ];
  const file = path.join(cli.folder, `${name}.jsonl`);
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

interface Ran {
  readonly code: number | null;
  readonly err: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Runs the program beside this process, which is the model's server meanwhile. */
async function ask(cli: Program, env: Readonly<Record<string, string>>, ...argv: string[]): Promise<Ran> {
  const { code, out, err } = await runProgramBeside(['--home', cli.home, ...argv, '--json'], {
    cwd: cli.project,
    env: { HOME: path.join(cli.folder, 'none'), ...env },
  });
  return { code, err, json: JSON.parse(out) as Ran['json'] };
}

const MODELS = { json: { data: ['claude-haiku-x', 'claude-sonnet-x'].map((id) => ({ id, created_at: '2026-01-01T00:00:00Z' })) } };
const words = (seen: Seen): string => (seen.body['messages'] as [{ content: string }])[0].content;
const says = (value: object): object => ({ json: PROTOCOLS[0]?.says(JSON.stringify(value), 900, 100) });

const CONTENT = { goal: 'Keep the orders in a database', outcome: 'success', completed: ['SQLite chosen'], next_actions: ['Index the customer column'] };
const SUMMARY = { action: 'create', justification: 'a session', record: { title: 'Orders go to SQLite', tags: ['orders'], content: CONTENT } };

async function model(cli: Program, reply: (prompt: string) => object): Promise<Loopback> {
  const server = await loopback((seen) => (seen.path.startsWith('/v1/models') ? MODELS : reply(words(seen))));
  setByHand(cli.home, { 'model.drafting': 'api', 'model.endpoint': server.url, 'model.keyVariable': 'MY_KEY' });
  return server;
}

const ENV = { MY_KEY: 'sk-test-4f8b1c9d2e7a6053f1' };

describe('summarize --model', () => {
  it('is written by the model that the settings name, verified, and what was done stays as the tools tell it', async () => {
    const cli = program();
    const file = transcript(cli);
    const invented = { ...SUMMARY, record: { ...SUMMARY.record, content: { ...SUMMARY.record.content, key_changes: ['never-touched.ts'] } } };
    const server = await model(cli, (prompt) => says(prompt.startsWith('Draft') ? invented : { result: 'PASS', issues: [] }));
    const { code, json, err } = await ask(cli, ENV, 'summarize', '--transcript', file, '--model', 'auto');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(json).toMatchObject({ by: 'model', session_id: 'session-1', title: 'Orders go to SQLite' });
    const kept = fs.readFileSync(String(json['file']), 'utf8');
    expect(kept).toContain('Keep the orders in a database');
    expect(kept).toMatch(/^(?![^]*never-touched\.ts)[^]*orders\.sql/);
    expect(server.seen.map(({ headers }) => headers['x-api-key'])).toContain(ENV.MY_KEY);
    expect(cli.ask('status')).toMatchObject({ tokens_today: 2000, tokens_limit: 200_000 });
    expect(cli.run('status').out).toContain('model tokens today: 2000 of 200000');
  });

  it.each([
    ['the model fails', {}, { status: 400, json: { error: { message: 'no such model' } } }, /made without a model: .*no such model/],
    ['what it says is no summary', {}, says({ hello: 1 }), /made without a model/],
    ['the daily tokens are spent', { 'model.dailyTokens': '10' }, says(SUMMARY), /made without a model: the daily token budget is used up/],
  ])('is made without one when %s, and says so', async (_, settings, reply, note) => {
    const cli = program();
    const file = transcript(cli);
    await model(cli, () => reply);
    for (const [key, value] of Object.entries(settings)) cli.ask('config', 'set', key, value, '--user');
    const { code, json, err } = await ask(cli, ENV, 'summarize', '--transcript', file, '--model', 'auto');
    expect(code).toBe(0);
    expect(err).toMatch(note);
    expect(json).toMatchObject({ by: 'extract', note: expect.stringMatching(note) });
    expect(fs.readFileSync(String(json['file']), 'utf8')).toContain('orders.sql');
  });

  it('is written by a headless client, whose own session Holdfast’s hooks leave alone', async () => {
    const cli = program();
    const file = transcript(cli);
    const script = path.join(cli.folder, 'client.mjs');
    const hook = path.join(path.dirname(PROGRAM), 'hook.js');
    // The client starts a session of its own, and with it the hook that would brief and capture it.
    fs.writeFileSync(
      script,
      `import fs from 'node:fs'; import { spawnSync } from 'node:child_process';
const input = fs.readFileSync(0, 'utf8');
const event = JSON.stringify({ session_id: 'child', cwd: ${JSON.stringify(cli.project)}, hook_event_name: 'SessionStart', source: 'startup' });
const hook = spawnSync(process.execPath, [${JSON.stringify(hook)}, 'SessionStart'], { input: event, encoding: 'utf8' });
fs.appendFileSync(${JSON.stringify(path.join(cli.folder, 'seen.jsonl'))}, JSON.stringify({ mark: process.env.HOLDFAST_CHILD, cwd: process.cwd(), hook: hook.stdout }) + '\\n');
console.log(input.includes('Draft a session_summary') ? ${JSON.stringify(JSON.stringify(SUMMARY))} : '{"result":"PASS","issues":[]}');`,
    );
    setByHand(cli.home, { 'model.drafting': 'command', 'model.command': `${process.execPath} ${script}` });
    cli.ask('config', 'set', 'on', 'true', '--user');
    cli.ask('save', 'decision', 'Use SQLite because it needs no server');
    const env = { HOLDFAST_HOME: cli.home };
    const { code, json } = await ask(cli, env, 'summarize', '--transcript', file, '--model', 'auto');
    expect({ code, by: json['by'] }).toEqual({ code: 0, by: 'model' });
    const seen = fs
      .readFileSync(path.join(cli.folder, 'seen.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(seen).toEqual(Array.from({ length: 2 }, () => ({ mark: '1', cwd: path.join(cli.home, 'holdfast', 'client'), hook: '' })));
    const event = JSON.stringify({ session_id: 'grown', cwd: cli.project, hook_event_name: 'SessionStart', source: 'startup' });
    const alone = spawnSync(process.execPath, [hook, 'SessionStart'], { input: event, encoding: 'utf8', env: { PATH: '', ...env } });
    expect(alone.stdout).toContain('Use SQLite');
  });

  it('is refused where no model is set up', () => {
    const cli = program();
    expect(cli.refused('summarize', '--transcript', transcript(cli), '--model', 'auto')).toMatchObject({ exit: 1, error: 'CONFIG_ERROR' });
    expect(cli.ask('summarize', '--transcript', transcript(cli))).toMatchObject({ by: 'extract', status: 'created' });
  });
});

describe('summarize', () => {
  it('asks for a session where there is none, and invents no id', () => {
    const [cli, none] = [program(), { exit: 4, error: 'NOT_FOUND' }];
    expect(cli.refused('summarize')).toMatchObject({ ...none, message: 'This project has no sessions yet.', hint: expect.stringContaining('import') });
    expect(cli.refused('summarize', 'no-such-session')).toMatchObject(none);
    expect(cli.ask('status')).toMatchObject({ writes: 0 });
  });
});

describe('drafts', () => {
  it('are shown, then kept once, with where they come from; what the web said is quarantined', () => {
    const cli = program();
    const file = transcript(cli);
    const shown = cli.ask('drafts', '--transcript', file)['drafts'] as readonly Record<string, unknown>[];
    expect(shown.map(({ category, trust }) => [category, trust])).toEqual([
      ['preference', 'observed'],
      ['constraint', 'quarantined'],
    ]);
    expect(cli.ask('status')).toMatchObject({ writes: 0 });
    const saved = cli.ask('drafts', '--transcript', file, '--save')['outcomes'] as readonly Record<string, unknown>[];
    expect(saved.map(({ status, action }) => [status, action])).toEqual(Array.from({ length: 2 }, () => ['saved', 'CREATE']));
    const record = cli.ask('get', String(saved[0]?.['id']));
    expect(JSON.stringify(record)).toContain('"session_id":"session-1"');
    expect(JSON.stringify(record)).toContain('"message_ids":["u2"]');
    const again = cli.ask('drafts', '--transcript', file, '--save')['outcomes'] as readonly Record<string, unknown>[];
    expect(again.map(({ status }) => status)).toEqual(['nothing', 'nothing']);
    expect(cli.ask('status')).toMatchObject({ writes: 2, quarantined: 1 });
  });

  it('that a person retired do not come back', () => {
    const cli = program();
    const file = transcript(cli);
    const saved = cli.ask('drafts', '--transcript', file, '--save')['outcomes'] as readonly Record<string, unknown>[];
    cli.ask('retire', `preference/${String(saved[0]?.['id'])}`, '--reason', 'not true');
    const again = cli.ask('drafts', '--transcript', file, '--save')['outcomes'] as readonly Record<string, unknown>[];
    expect(again.map(({ status }) => status)).toEqual(['nothing', 'nothing']);
  });

  it('are drafted, verified and saved by a model in one command', async () => {
    const cli = program();
    const file = transcript(cli);
    const decision = {
      action: 'create',
      justification: 'a storage engine was chosen',
      record: { title: 'Use SQLite for orders', tags: ['storage'], content: { status: 'accepted', context: '', decision: 'SQLite', rationale: ['no server'] } },
    };
    await model(cli, (prompt) =>
      says(
        prompt.startsWith('Draft a decision')
          ? decision
          : prompt.startsWith('Draft')
            ? { action: 'noop', justification: 'nothing' }
            : { result: 'PASS', issues: [] },
      ),
    );
    const { code, json } = await ask(cli, ENV, 'drafts', '--transcript', file, '--save', '--model', 'auto');
    expect(code).toBe(0);
    expect(json['said']).toEqual(['CREATE decision: a storage engine was chosen']);
    expect((json['outcomes'] as readonly { status: string }[]).filter(({ status }) => status === 'saved')).toHaveLength(1);
  });

  it('end with 5 and MODEL_ERROR when no model answers, and keep nothing', async () => {
    const cli = program();
    const file = transcript(cli);
    await model(cli, () => ({ status: 400, json: { error: { message: 'no such model' } } }));
    const { code, json } = await ask(cli, ENV, 'drafts', '--transcript', file, '--save', '--model', 'auto');
    expect({ code, error: json['error'] }).toEqual({ code: 5, error: 'MODEL_ERROR' });
    expect(cli.ask('status')).toMatchObject({ writes: 0 });
  });

  it.each([
    ['--save', '--stage'],
    ['--model', 'auto'],
    ['--draft', 'x'],
    ['--staged', '--transcript', 'x'],
  ])('refuse %s with %s', (...argv) => {
    expect(program().refused('drafts', ...argv)).toMatchObject({ exit: 2, error: 'USAGE_ERROR' });
  });
});

describe('an agent that drafts by itself', () => {
  const DRAFT = {
    title: 'Use SQLite for orders',
    tags: ['storage'],
    content: { status: 'accepted', context: '', decision: 'SQLite', rationale: ['no server'] },
  };

  it('is told where everything lies, and one command saves what passed', () => {
    const cli = program();
    const file = transcript(cli);
    const staged = cli.ask('drafts', '--transcript', file, '--stage');
    const folder = path.join(cli.home, 'holdfast', 'staging', 'session-1');
    expect(staged).toMatchObject({ folder, verification_model: 'sonnet', parallel: true });
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
    const categories = staged['categories'] as readonly Record<string, string>[];
    const decision = categories.find(({ category }) => category === 'decision') ?? {};
    expect(decision).toMatchObject({ model: 'sonnet', pre_action: 'CREATE', structural_cud: 'CREATE', vetoes: [] });
    expect(fs.readFileSync(String(decision['context_file']), 'utf8')).toMatch(/<transcript_data>[\s\S]*SQLite/);
    expect(path.basename(String(decision['draft_file']))).toMatch(/^\.memory-draft-decision-\d+\.json$/);
    fs.writeFileSync(String(decision['draft_file']), `\`\`\`json\n${JSON.stringify(DRAFT)}\n\`\`\``);
    fs.writeFileSync(String(decision['verdict_file']), JSON.stringify({ result: 'PASS', issues: [] }));
    const constraint = categories.find(({ category }) => category === 'constraint') ?? {};
    const rule = { kind: 'technical', rule: 'Open the driver once', impact: ['the file'], severity: 'high', active: true };
    fs.writeFileSync(String(constraint['draft_file']), JSON.stringify({ title: 'Open the driver once', tags: ['db'], content: rule }));
    fs.writeFileSync(String(constraint['verdict_file']), JSON.stringify({ result: 'PASS', issues: [] }));
    const saved = cli.ask('drafts', 'session-1', '--staged');
    expect(saved['outcomes']).toMatchObject([
      { category: 'constraint', status: 'saved' },
      { category: 'decision', status: 'saved', action: 'CREATE', id: 'use-sqlite-for-orders' },
    ]);
    const { origin, trust } = (cli.ask('get', 'use-sqlite-for-orders')['records'] as readonly { record: Record<string, unknown> }[])[0]?.record ?? {};
    expect({ origin, trust }).toEqual({
      origin: { channel: 'capture', client: 'claude-code', session_id: 'session-1', message_ids: ['a1'], verified: 'agent' },
      trust: 'observed',
    });
    expect(cli.ask('status')).toMatchObject({ quarantined: 1 });
    expect(fs.existsSync(String(decision['draft_file']))).toBe(false);
    expect(cli.ask('drafts', 'session-1', '--staged')['outcomes']).toEqual([]);
  });

  it('cannot hand in a draft from somewhere else', () => {
    const cli = program();
    transcript(cli);
    const file = path.join(cli.project, '.memory-draft-decision-1.json');
    fs.writeFileSync(file, JSON.stringify(DRAFT));
    expect(cli.refused('drafts', 'session-1', '--staged', '--draft', file)).toMatchObject({ exit: 1, error: 'SECURITY_ERROR' });
    const detour = path.join(cli.home, 'holdfast', 'staging', 'session-1') + '/../../../../.memory-draft-decision-1.json';
    expect(cli.refused('drafts', 'session-1', '--staged', '--draft', detour)).toMatchObject({ exit: 1, error: 'SECURITY_ERROR' });
  });
});

describe('synthesize --model', () => {
  const better = (prompt: string): string =>
    prompt.replace(/^<<<MEMORY\n|\nMEMORY>>>$/g, '').replace('## Key Decisions\n\n', '## Key Decisions\n\n- Said better *(session one)*\n');
  const saysText = (answer: string): object => ({ json: PROTOCOLS[0]?.says(answer, 900, 100) });

  it('lets the model write it better, and keeps the extract when the answer is of no use', async () => {
    const cli = program();
    cli.ask('summarize', '--transcript', transcript(cli));
    let answer: (prompt: string) => string = better;
    await model(cli, (prompt) => saysText(answer(prompt)));
    const good = await ask(cli, ENV, 'synthesize', '--model', 'auto');
    expect({ code: good.code, err: good.err }).toEqual({ code: 0, err: '' });
    expect(fs.readFileSync(path.join(cli.records, 'master.md'), 'utf8')).toContain('Said better');
    answer = () => 'I would rather not.';
    const bad = await ask(cli, ENV, 'synthesize', '--full', '--model', 'auto');
    expect(bad).toMatchObject({ code: 0, err: expect.stringContaining('this is the extract') });
    expect(fs.readFileSync(path.join(cli.records, 'master.md'), 'utf8')).toMatch(/## Active Questions[\s\S]*\*Last synthesized/);
  });
});
