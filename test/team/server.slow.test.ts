import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { PATIENCE } from '../patience.ts';
import { freshDatabase, hasPostgres } from '../postgres/cluster.ts';
import { scratch } from '../scratch.ts';
import { holdfast, startServer } from './program.ts';
import { offeredRecord } from './records.ts';

describe.skipIf(!hasPostgres)('holdfast server as a program', () => {
  test.skipIf(process.platform !== 'linux')(
    '--try starts a PostgreSQL of its own, with a token that works, and leaves no process',
    async () => {
      const folder = scratch();
      // As root, PostgreSQL runs as a user who has to enter the folder for temporary files.
      fs.chmodSync(folder, 0o711);
      const temporary = path.join(folder, 'temporary');
      fs.mkdirSync(temporary);
      fs.chmodSync(temporary, 0o711);
      const server = await startServer(path.join(folder, 'server'), { TMPDIR: temporary }, ['--try']);
      const response = await fetch(new URL('v1/projects', server.url), { headers: { authorization: `Bearer ${String(server.first['token'])}` } });
      expect(await response.json()).toEqual({ projects: [{ key: 'demo', review: false }] });
      const postgresProcesses = (): readonly number[] =>
        fs
          .readdirSync('/proc')
          .filter((name) => /^\d+$/.test(name))
          .filter((name) => {
            try {
              return fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(`postgres\0-D\0${folder}/`);
            } catch {
              return false;
            }
          })
          .map(Number);
      const before = postgresProcesses();
      expect(before).not.toEqual([]);
      // Twice, as an impatient person does.
      server.child.kill('SIGINT');
      server.child.kill('SIGINT');
      expect(await server.ended).toBe(0);
      expect(postgresProcesses().filter((pid) => before.includes(pid))).toEqual([]);
    },
    120_000,
  );

  test('the files that the container gets are all that the server and its page need', async () => {
    const [folder, root] = [scratch(), path.resolve(import.meta.dirname, '../..')];
    const lines = fs.readFileSync(path.join(root, 'deploy/Containerfile'), 'utf8').split('\n');
    for (const line of lines.filter((one) => one.startsWith('COPY '))) {
      const words = line.split(' ').slice(1);
      for (const file of words.slice(0, -1)) fs.cpSync(path.join(root, file), path.join(folder, words.at(-1) ?? '', path.basename(file)));
    }
    const { ownerUrl } = await freshDatabase();
    const home = path.join(folder, 'run/server-home');
    fs.mkdirSync(home, { recursive: true });
    fs.writeFileSync(path.join(home, 'settings.json'), JSON.stringify({ memory: { embed: { provider: 'minilm' } } }));
    const server = await startServer(path.join(folder, 'run'), { HOLDFAST_DATABASE: ownerUrl }, [], path.join(folder, 'dist/cli.js'));
    // The settings beside the server name its embedder; where that cannot be had, the log says so and search goes on.
    await vi.waitUntil(
      () => server.lines.includes(JSON.stringify({ embedding: 'The sentence model is not installed, or its files are incomplete.' })),
      PATIENCE,
    );
    const page = await fetch(server.url, { headers: { accept: 'text/html' } });
    expect([page.status, (await fetch(new URL('readyz', server.url))).status]).toEqual([200, 200]);
    for (const [, asset = ''] of (await page.text()).matchAll(/(?:src|href)="([^"]+\.(?:js|css)[^"]*)"/g))
      expect([asset, (await fetch(new URL(asset, server.url))).status]).toEqual([asset, 200]);
  }, 120_000);

  test('kill -9 under load loses no acknowledged write', async () => {
    const folder = scratch();
    const { ownerUrl } = await freshDatabase();
    const env = { HOLDFAST_DATABASE: ownerUrl };
    const made = await holdfast(folder, path.join(folder, 'h'), ['server', '--add-organisation', 'acme', '--json'], { env });
    expect(made, `${made.out}${made.err}`).toMatchObject({ code: 0 });
    const token = String(made.json['token']);
    const ask = (url: string, method: string, at: string, body?: unknown) =>
      fetch(new URL(at, url), { method, headers: { authorization: `Bearer ${token}` }, ...(body !== undefined && { body: JSON.stringify(body) }) });
    const acknowledged = new Set<string>();
    for (let life = 0; life < 3; life++) {
      const server = await startServer(path.join(folder, 'server'), env);
      await ask(server.url, 'POST', 'v1/projects', { key: 'web' });
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let count = 0; ; count++) {
          const version = offeredRecord(`Life ${life} writer ${writer} count ${count}`);
          try {
            const response = await ask(server.url, 'POST', 'v1/projects/web/shared/versions', { versions: [version] });
            const { outcomes } = (await response.json()) as { outcomes?: { state: string }[] };
            if (outcomes?.[0]?.state === 'accepted') acknowledged.add(version.hash);
            if (acknowledged.size > 30 * (life + 1)) server.child.kill('SIGKILL');
          } catch {
            return;
          }
        }
      });
      await Promise.all(writers);
      await server.ended;
    }
    const server = await startServer(path.join(folder, 'server'), env);
    const stored = new Set<string>();
    for (let [cursor, more] = ['', true]; more;) {
      const page = (await (await ask(server.url, 'GET', `v1/projects/web/shared/changes${cursor === '' ? '' : `?cursor=${cursor}`}`)).json()) as {
        changes: { hash: string }[];
        cursor: string;
        more: boolean;
      };
      for (const { hash } of page.changes) stored.add(hash);
      ({ cursor, more } = page);
    }
    expect(acknowledged.size).toBeGreaterThan(90);
    expect([...acknowledged].filter((hash) => !stored.has(hash))).toEqual([]);
  }, 240_000);
});
