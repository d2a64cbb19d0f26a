import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { PATIENCE } from '../../patience.ts';
import { rounds } from '../../rounds.ts';
import { program, type Program } from '../cli/program.ts';
import { type Place, talkTo } from './talk.ts';

/** The user's npm configuration says where packages come from; what npm caches goes into the scratch folder. */
const npm = (folder: string): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (/^npm_config_|^NODE_EXTRA_CA|_proxy$/i.test(name) && value ? [[name, value]] : [])),
  ),
  npm_config_userconfig: path.join(os.homedir(), '.npmrc'),
  npm_config_cache: path.join(folder, 'npm'),
});

function isReachable(): boolean {
  try {
    execFileSync('npm', ['view', '@lat.md/embed@0.2.0', 'version', '--fetch-retries=0'], { stdio: 'pipe', timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}

const reason = rounds(0, 1) === 0 ? 'fetches 43 MB: npm run test:long' : isReachable() ? undefined : 'no npm registry can be reached';

const QUESTION = 'which vehicle needs grip on snow and ice?';
const PROMPT = 'when do the cars get their snow tires?';

interface Count {
  readonly projects: readonly { readonly complete: boolean; readonly embedded: number; readonly texts: number }[];
}

/** As a person does who has used memory for a while. */
function furnished(): Program {
  const cli = program();
  cli.run('start');
  const records = [
    ['Winter tyres', 'Every automobile gets winter tyres in October'],
    ['Invoices', 'Each invoice is sent twice, by post and by mail'],
    ['Soup', 'The canteen serves soup on Mondays'],
  ] as const;
  for (const [title, text] of records) expect(cli.run('save', 'decision', text, '--title', title).code).toBe(0);
  return cli;
}

it.skipIf(reason !== undefined)(
  `embed setup in a clean home: installed, tested, embedded in the background, used by search, recall and prompts, gone after remove${reason === undefined ? '' : ` (${reason})`}`,
  async () => {
    const cli = furnished();
    const found = (): string => cli.run('search', QUESTION).out;
    const recalled = (): readonly unknown[] => cli.ask('recall', PROMPT)['injected'] as unknown[];
    expect([found(), recalled()]).toEqual([expect.not.stringContaining('Winter tyres'), []]);

    const answer = cli.askIn({ env: npm(cli.folder) }, 'embed', 'setup', '--yes');
    expect(answer).toMatchObject({ done: true, chosen: { provider: 'minilm' }, test: { works: true } });
    const { loadMs, textMs, megabytes } = answer['test'] as { loadMs: number; textMs: number; megabytes: number };
    console.log(`loaded in ${loadMs} ms, ${textMs} ms a sentence, ${megabytes} MB`);

    await vi.waitUntil(() => {
      const { projects } = cli.ask('embed', 'status') as unknown as Count;
      return projects.length === 1 && projects.every(({ complete, embedded, texts }) => complete && embedded === texts);
    }, PATIENCE);
    expect(found()).toContain('Winter tyres');
    expect(recalled()).toEqual([expect.objectContaining({ id: 'decision/winter-tyres' })]);
    expect(cli.run('doctor').out).not.toContain('embedded');

    // Two sessions, each with a server of its own: both find model and vectors in place.
    const place: Place = { home: cli.home, project: cli.project, privateRoot: cli.records };
    for (const session of ['first', 'second']) {
      const server = talkTo(place);
      let turn = 0;
      const isRecalled = async (): Promise<boolean> => (await server.says(PROMPT, { session_id: `${session}-${turn++}` })).includes('Winter tyres');
      await vi.waitUntil(isRecalled, PATIENCE);
      expect((await server.call('memory_search', { query: QUESTION })).text).toContain('decision/winter-tyres');
      server.child.stdin?.end();
      expect(await server.ended).toBe(0);
    }

    // A file that was damaged on disk is not loaded: words alone, and one line in doctor.
    const weights = path.join(cli.home, 'holdfast', 'embedder', 'minilm', 'config.json');
    const kept = fs.readFileSync(weights);
    fs.writeFileSync(weights, kept.toString().replace('12', '13'));
    expect(cli.run('search', 'winter tyres').out).toContain('Winter tyres');
    expect(
      cli
        .run('doctor')
        .out.split('\n')
        .filter((line) => line.startsWith('problem')),
    ).toEqual([expect.stringContaining('config.json is damaged')]);
    fs.writeFileSync(weights, kept);

    expect(cli.run('embed', 'remove').code).toBe(0);
    expect(fs.existsSync(path.join(cli.home, 'holdfast', 'embedder'))).toBe(false);
    expect(fs.readdirSync(path.join(cli.home, 'holdfast', 'projects', 'webshop')).filter((name) => name.startsWith('vectors'))).toEqual([]);
    expect([found(), recalled()]).toEqual([expect.not.stringContaining('Winter tyres'), []]);
    expect(await talkTo(place).says(PROMPT)).not.toContain('Winter tyres');
    expect(cli.ask('embed', 'status')).toMatchObject({ provider: 'none', installed: false });
    expect(cli.run('doctor').out).not.toMatch(/^problem/m);
  },
  300_000,
);
