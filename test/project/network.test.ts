import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/bundle.js';

/** Names by which a program of Node opens a connection. */
const CONNECTS =
  /\bfetch\b\s*[(=:,)]|globalThis\.fetch|\b(?:WebSocket|EventSource|XMLHttpRequest)\b|node:(?:https?|http2|net|tls|dgram|dns)\b|createConnection|\.connect\(/;

/** Layers with Node in them; the pure layers are compiled without any way to connect (tsconfig.pure.json). */
const LAYERS = /^(?:adapters|edges|bin)\//;
/** Reads standard input through a socket over descriptor 0, because only that can be given up. */
const STDIN = 'adapters/process/stdin.ts';
/** The web page listens on loopback, and a second start asks the first there; it names no other host. */
const PAGE = 'edges/http/server.ts';

/** `holdfast server` connects to the database that its user names; the cluster of `--try` and of tests listens on loopback. */
const POSTGRES = ['adapters/postgres/connect.ts', 'adapters/postgres/migrate.ts', 'adapters/postgres/cluster/cluster.ts'];

/** `holdfast sync`, `review` and `team` ask the server that a person connected the project to; `holdfast server` listens where it is told to, and asks the issuer that it was given. */
const TEAM = ['adapters/team/oidc.ts', 'adapters/team/remote.ts', 'edges/team/serve.ts'];

const source = (file: string): string => readFileSync(path.join(root, 'src', file), 'utf8');

test('only the adapters of models, of PostgreSQL and of a team’s server can open a connection', () => {
  const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll(path.sep, '/'));
  const found = files.filter((file) => LAYERS.test(file) && file.endsWith('.ts') && CONNECTS.test(source(file)));
  expect(found.filter((file) => !file.startsWith('adapters/model/')).toSorted()).toEqual([...POSTGRES, ...TEAM, STDIN, PAGE].toSorted());
  expect(found.length).toBeGreaterThan(1);
  expect(source(STDIN)).not.toMatch(/connect/i);
  const hosts = [...source(PAGE).matchAll(/(?:\{ host: |listen\(port, )(\w+)/g)].map(([, name]) => name);
  expect(hosts).toEqual(['LOOPBACK', 'LOOPBACK']);
});
