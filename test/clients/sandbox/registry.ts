import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A registry on loopback that has one package: the folder, packed as npm packs it. Gives its address. */
export async function registryOf(folder: string, scratch: string): Promise<string> {
  mkdirSync(scratch, { recursive: true });
  const packed = spawnSync('npm', ['pack', folder, '--json', '--pack-destination', scratch, '--cache', path.join(scratch, 'cache')], { encoding: 'utf8' });
  const [{ name, version, filename }] = JSON.parse(packed.stdout) as [{ name: string; version: string; filename: string }];
  const tarball = readFileSync(path.join(scratch, filename));
  const about = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as object;
  const server = createServer((request, response) => {
    const { host } = request.headers;
    if (request.url === `/${filename}`) return response.end(tarball);
    if (request.url !== `/${name}`) return response.writeHead(404).end('{}');
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const dist = { tarball: `http://${host}/${filename}`, integrity };
    return response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { ...about, dist } } }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
