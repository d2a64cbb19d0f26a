import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished } from 'vitest';
import { packTar, unpackTar, type TarFile } from '../../../src/adapters/files/tar.ts';
import type { Bundles, Exported, BundleImportOptions, BundleImport } from '../../../src/app/bundle/bundles.ts';
import type { BundleScope } from '../../../src/app/bundle/manifest.ts';
import type { Episodes } from '../../../src/app/episodes/episodes.ts';
import { openEpisodes } from '../../../src/bin/wiring/episodes.ts';
import { bundlesOf } from '../../../src/app/bundle/bundles.ts';
import { bundleHost } from '../../../src/bin/wiring/bundles.ts';
import { openProject, openUser } from '../../open.ts';
import type { OpenProject } from '../../../src/app/project/open.ts';
import type { Result } from '../../../src/core/result.ts';
import { scratch } from '../../scratch.ts';
import { must } from '../memory.ts';

/** A home of its own, with a project in it. */
export interface Machine {
  readonly home: string;
  readonly folder: string;
  readonly now: { ms: number };
  open(): OpenProject;
  user(): ReturnType<typeof openUser>;
  export(file: string, scope?: BundleScope): Promise<Result<Exported>>;
  import(file: string, asked?: BundleImportOptions): Promise<Result<BundleImport>>;
  readonly episodes: Episodes;
  readonly bundles: Bundles;
}

/** Two machines of one person share the folder of the project, as two homes on one disk do. */
export function machine(folder = scratch(), home = path.join(folder, 'home')): Machine {
  const project = path.join(folder, 'webshop');
  fs.mkdirSync(project, { recursive: true });
  const now = { ms: Date.parse('2026-03-01T12:00:00Z') };
  const clock = (): number => now.ms;
  const closers: (() => Promise<void>)[] = [];
  onTestFinished(async () => {
    for (const close of closers) await close();
  });
  const keep = <T extends { close(): Promise<void> }>(opened: T): T => {
    closers.push(() => opened.close());
    return opened;
  };
  const open = (): OpenProject => keep(must(openProject({ home, cwd: project, now: clock })));
  const episodes = keep(
    openEpisodes({ home, homeNamed: true, projectNamed: false, env: {}, now: clock, current: async () => ({ key: 'webshop', path: project }) }),
  );
  const bundles = bundlesOf(bundleHost({ home, cwd: folder, now: clock, current: open, episodes: async () => episodes }));
  return {
    home,
    folder,
    now,
    open,
    user: () => keep(openUser({ home, now: clock })),
    export: (file, scope = 'all') => bundles.export(file, scope),
    import: bundles.import,
    episodes,
    bundles,
  };
}

export const entriesOf = (file: string): readonly TarFile[] => must(unpackTar(gunzipSync(fs.readFileSync(file))));

/** The bundle without what says when it was made. */
export const timeless = (file: string): readonly TarFile[] =>
  entriesOf(file).map(({ name, text }) => ({ name, text: text.replace(/"created_at": "[^"]*"/, '') }));

export function rewrite(file: string, change: (entries: TarFile[]) => readonly TarFile[]): void {
  fs.writeFileSync(file, gzipSync(packTar(change([...entriesOf(file)]))));
}

/** Files of a memory that a person would miss; views, databases and locks are made again. */
export const isTruth = (name: string): boolean => /\.(?:md|json)$/.test(name) && !/(?:^|\/)(?:_[^/]*|index\.md|registry\.json|context\.json)$/.test(name);

export function mustRefuse<T>(result: Result<T>): string {
  expect(result.ok).toBe(false);
  return result.ok ? '' : `${result.error.code} ${result.error.message}`;
}
