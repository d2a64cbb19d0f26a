import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tarball } from '../../../../adapters/model/tiny-model.ts';
import { type Program, program, runProgramBeside, spawnProgram } from '../../program.ts';
import { smallDisk } from '../../small-disk.ts';

/** A registry on loopback that serves other bytes under a pinned name, with the hash of what it serves or of something else. */
async function registry(hashed: 'what is served' | 'something else'): Promise<{ readonly url: string; close(): Promise<void> }> {
  const packed = tarball({ 'package.json': '{"name":"@lat.md/embed","version":"0.2.0"}', 'dist/engine.cjs': 'throw 1' });
  const integrity = `sha512-${createHash('sha512')
    .update(hashed === 'what is served' ? packed : 'x')
    .digest('base64')}`;
  const server = createServer(({ url, headers }, response) => {
    if (url?.endsWith('.tgz') === true) return response.end(packed);
    const dist = { tarball: `http://${headers.host}/embed-0.2.0.tgz`, integrity };
    const versions = { '0.2.0': { name: '@lat.md/embed', version: '0.2.0', dist } };
    return response.end(JSON.stringify({ name: '@lat.md/embed', 'dist-tags': { latest: '0.2.0' }, versions }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = (): Promise<void> =>
    new Promise((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  onTestFinished(() => (server.listening ? close() : undefined));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close };
}

/** The user's own npm, which asks this registry and caches nothing outside the scratch folder. */
const npmOf = ({ folder }: Pick<Program, 'folder'>, url: string): Readonly<Record<string, string>> => ({
  npm_config_registry: url,
  npm_config_userconfig: path.join(folder, 'npmrc'),
  npm_config_cache: path.join(folder, 'npm'),
});

const problems = (doctor: string): string[] => doctor.split('\n').filter((line) => line.startsWith('problem'));

function withRecord(cli: Program): Program {
  cli.run('start');
  expect(cli.run('save', 'decision', 'Every automobile gets winter tyres', '--title', 'Winter tyres').code).toBe(0);
  return cli;
}

/** Whatever went wrong: nothing half-installed, words go on, and doctor says why in one line. */
function expectWordsAlone(cli: Program, why: RegExp): void {
  expect(fs.readdirSync(path.join(cli.home, 'holdfast', 'embedder'))).toEqual(['problem.txt']);
  expect(cli.run('search', 'winter tyres').out).toContain('Winter tyres');
  expect(cli.ask('embed', 'status')).toMatchObject({ provider: 'none', installed: false });
  expect(problems(cli.run('doctor').out)).toEqual([expect.stringMatching(why)]);
}

describe("embed setup with the user's npm", () => {
  it.each([
    ['has other bytes than the pinned ones', 'what is served', /SHA-512 differs.*work by words only\.$/],
    ['was damaged on its way', 'something else', /npm could not fetch @lat\.md\/embed 0\.2\.0: .*integrity.*work by words only\.$/],
  ] as const)('installs no package that %s', async (_what, hashed, why) => {
    const cli = withRecord(program());
    const { url } = await registry(hashed);
    const env = { HOME: cli.folder, ...npmOf(cli, url) };
    expect(await runProgramBeside(['--home', cli.home, 'embed', 'setup', '--yes'], { cwd: cli.project, env })).not.toMatchObject({ code: 0 });
    expectWordsAlone(cli, why);
  });

  it('says that no registry answers', async () => {
    const cli = withRecord(program());
    const { url, close } = await registry('what is served');
    await close();
    const env = { HOME: cli.folder, ...npmOf(cli, url) };
    expect(spawnProgram(['--home', cli.home, 'embed', 'setup', '--yes'], { cwd: cli.project, env })).toMatchObject({
      code: 5,
      err: expect.stringMatching(/ECONNREFUSED[^]*check the network/) as string,
    });
    expectWordsAlone(cli, /ECONNREFUSED.*work by words only\.$/);
  });

  it('says how much room it needs on a disk that has less', async ({ skip }) => {
    const disk = await smallDisk(20_000);
    if (typeof disk === 'string') return skip(disk);
    const { program: cli, seen } = disk;
    withRecord(cli);
    expect(cli.run('embed', 'setup', '--yes')).toMatchObject({ code: 5, err: expect.stringMatching(/has \d+ MB left; 120 MB are needed/) as string });
    expect(cli.run('search', 'winter tyres').out).toContain('Winter tyres');
    expect(problems(cli.run('doctor').out)).toEqual([expect.stringMatching(/120 MB are needed\. .*words only\.$/)]);
    expect(fs.readdirSync(path.join(seen, 'home', 'holdfast', 'embedder'))).toEqual(['problem.txt']);
  });
});
