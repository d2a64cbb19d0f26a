import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { serverCommand } from '../../src/edges/cli/commands/team/server.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Containers cannot run where this is tested: their files are read as a builder would read them. */
describe('deploy/Containerfile', () => {
  const lines = read('deploy/Containerfile')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const named = (word: string): readonly string[] => lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

  test('passes a linter, which finds what is wrong in another', () => {
    expect(validate(read('deploy/Containerfile'))).toEqual([]);
    const found = validate('FROM node:22\nMAINTAINER holdfast\nCMD node a.js\nCMD node b.js\nENTRYPONT ["node"]\n');
    expect(found.map(({ range }) => range.start.line)).toEqual(expect.arrayContaining([1, 4]));
  });

  test('knows its instructions, and names one base with its version', () => {
    const known = new Set(['FROM', 'ENV', 'WORKDIR', 'COPY', 'RUN', 'USER', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD']);
    expect(lines.filter((line) => !known.has(line.split(' ')[0] ?? ''))).toEqual([]);
    expect(named('FROM')).toEqual([expect.stringMatching(/^docker\.io\/library\/node:\d+\.\d+-[a-z-]+$/)]);
  });

  test('copies files that there are, installs nothing, and runs as nobody in particular', () => {
    const copied = named('COPY').flatMap((line) => line.split(' ').slice(0, -1));
    expect(copied.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    expect(named('RUN').join(' ')).not.toMatch(/npm|apt|curl|wget/);
    const user = lines.findIndex((line) => line.startsWith('USER '));
    expect(user).toBeGreaterThan(lines.findLastIndex((line) => line.startsWith('RUN ')));
    expect(named('USER')).not.toContain('root');
  });

  test('starts the server in the exec form, with options that it has', () => {
    const words = [...named('ENTRYPOINT'), ...named('CMD')].flatMap((line) => JSON.parse(line) as string[]);
    expect(words.slice(0, 3)).toEqual(['node', 'dist/cli.js', 'server']);
    const options = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2));
    expect(options.filter((option) => !serverCommand.options.some(({ name }) => name === option))).toEqual([]);
    expect(named('HEALTHCHECK')[0]).toContain('/readyz');
  });
});

describe('deploy/compose.yaml', () => {
  interface Service {
    readonly image?: string;
    readonly ports?: readonly string[];
    readonly environment: Readonly<Record<string, string>>;
    readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
    readonly healthcheck?: object;
    readonly volumes?: readonly string[];
    readonly build?: { readonly context: string; readonly dockerfile: string };
    readonly cap_drop?: readonly string[];
  }
  const { services, volumes } = parse(read('deploy/compose.yaml')) as { services: Record<'server' | 'database', Service>; volumes: object };

  test('builds what is here, waits for the database, and publishes the server to this machine only', () => {
    const { server, database } = services;
    expect(existsSync(path.join(root, 'deploy', server.build?.context ?? '', server.build?.dockerfile ?? ''))).toBe(true);
    expect(server.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    expect(database.healthcheck).toBeDefined();
    expect(server.ports?.every((port) => port.startsWith('127.0.0.1:'))).toBe(true);
    expect([database.ports, server.cap_drop]).toEqual([undefined, ['ALL']]);
    expect(database.image).toMatch(/^docker\.io\/library\/postgres:\d+\.\d+/);
  });

  test('holds no password, and keeps the data in a volume', () => {
    const passwords = [services.server.environment['HOLDFAST_DATABASE'], services.database.environment['POSTGRES_PASSWORD']];
    for (const password of passwords) expect(password).toContain('${HOLDFAST_DB_PASSWORD:?');
    expect(Object.keys(volumes)).toEqual(services.database.volumes?.map((volume) => volume.split(':')[0]));
  });
});
