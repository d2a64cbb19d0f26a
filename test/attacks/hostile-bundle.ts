import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { sha256 } from '../../src/adapters/process/environment.ts';
import { packTar, type TarFile } from '../../src/adapters/files/tar.ts';
import { machine, type Machine } from '../app/bundle/machine.ts';
import { filesUnder } from '../scratch.ts';

export type Json = Record<string, unknown>;
export interface Bundle {
  readonly manifest: Json & { projects: Json[]; files: Json[]; settings: Json[]; conversations: Json[] };
  readonly texts: Record<string, string>;
}

export const RECORD = '---\nschema_version: "1.0"\n---\n# Use SQLite\n\n## Decision\nSQLite\n';
const SESSION = 'aaaaaaaa-0000-4000-8000-00000000000a';
export const FACTS = { sessionId: SESSION, client: 'claude-code' };
export const MESSAGE = { id: 'u1', sessionId: SESSION, role: 'user', text: 'Where do the orders go?', at: '2026-01-02T10:00:00.000Z' };
export const CONVERSATION = `projects/webshop/conversations/${SESSION}.jsonl`;
export const lines = (...rows: readonly unknown[]): string => rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join('');

/** A bundle that is in order: one record, one conversation, settings of the user. */
export function sound(): Bundle {
  const texts: Record<string, string> = {
    'projects/webshop/private/decisions/use-sqlite.md': RECORD,
    'user/settings.json': '{"updateThreshold": 7}',
    [CONVERSATION]: lines({ session: FACTS }, MESSAGE),
  };
  return {
    texts,
    manifest: {
      format: 'holdfast-bundle',
      version: 1,
      created_at: '2026-01-01T00:00:00Z',
      scope: 'all',
      projects: [{ key: 'webshop', identity: 'path:/x/webshop', hash: 'abcdef0123456789', path: '/x/webshop', paths: ['/x/webshop'] }],
      files: [
        {
          name: 'projects/webshop/private/decisions/use-sqlite.md',
          project: 'webshop',
          root: 'private',
          path: 'decisions/use-sqlite.md',
          versions: ['0'.repeat(32)],
        },
      ],
      settings: [{ name: 'user/settings.json' }],
      conversations: [{ name: CONVERSATION, project: 'webshop' }],
    },
  };
}

/** Hashes follow the texts, unless an attack gives one of its own. */
export function write({ folder }: Machine, { manifest, texts }: Bundle, raw?: string): string {
  for (const list of [manifest.files, manifest.settings, manifest.conversations])
    if (Array.isArray(list)) for (const one of list) if (typeof one === 'object' && one !== null) one['sha256'] ??= sha256(texts[String(one['name'])] ?? '');
  const entries: TarFile[] = [
    { name: 'manifest.json', text: raw ?? JSON.stringify(manifest) },
    ...Object.entries(texts).map(([name, text]) => ({ name, text })),
  ];
  const file = path.join(folder, 'in.tar.gz');
  fs.writeFileSync(file, gzipSync(packTar(entries)));
  return file;
}

/** What may be in a home after an import: the memory of the projects and of the user, and Holdfast's own state. */
const OWN = /^(?:holdfast\/|projects\/[a-z0-9][a-z0-9._-]*\/(?:[a-z][\w-]*\/)?[^/]+$|user\/|MEMORY\.md$|workspace\.md$|settings\.json$)/;
const isTruth = (name: string): boolean => /\.(?:md|jsonl?|gz)$/.test(name) && !name.startsWith('holdfast/');

/** Imports it into an empty home and says what became of it; nothing outside the home is ever touched. */
export async function take(
  change: (bundle: Bundle) => string | void,
  settings = true,
): Promise<{ readonly ok: boolean; readonly files: Readonly<Record<string, string>>; readonly home: string }> {
  const victim = machine();
  const bundle = sound();
  const file = write(victim, bundle, change(bundle) ?? undefined);
  const outside = (): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(filesUnder(victim.folder)).filter(([name]) => !name.startsWith('home/')));
  const before = outside();
  const { ok } = await victim.import(file, { settings });
  expect(outside()).toEqual(before);
  expect(({} as Json)['polluted']).toBeUndefined();
  const files = fs.existsSync(victim.home) ? filesUnder(victim.home) : {};
  expect(Object.keys(files).filter((name) => !OWN.test(name))).toEqual([]);
  return { ok, files, home: victim.home };
}

export async function refused(change: (bundle: Bundle) => string | void): Promise<void> {
  const { ok, files } = await take(change);
  expect(ok).toBe(false);
  expect(Object.keys(files).filter(isTruth)).toEqual([]);
}
