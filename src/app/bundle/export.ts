import type { RegistryEntry } from '../../core/project/registry.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { USER_OBJECT } from '../config/load.ts';
import type { BundleExportOptions, Exported } from './bundles.ts';
import { type BundlePart, collectBundle } from './collect.ts';
import type { BundledMemory, BundleHost } from './host.ts';
import type { BundledProject, BundleScope } from './manifest.ts';
import { settingsText } from './settings.ts';

export const bundled = ({ key, identity, hash, path, paths, remote, firstCommit }: RegistryEntry): BundledProject => ({
  key,
  identity,
  hash,
  path,
  paths,
  ...(remote !== undefined && { remote }),
  ...(firstCommit !== undefined && { firstCommit }),
});

/** Packs this project, the user's own memory or everything into one file. */
export async function exportBundle(host: BundleHost, name: string, scope: BundleScope, options: BundleExportOptions = {}): Promise<Result<Exported>> {
  const file = host.resolve(name);
  const episodes = (options.conversations ?? scope === 'all') ? await host.episodes() : undefined;
  const known = host.registry.read().projects;
  const projects = scope === 'user' ? [] : scope === 'all' ? known : known.filter(({ key }) => key === host.current().project.key);
  if (scope === 'project' && projects.length === 0)
    return refuse('NOT_FOUND', 'this project has no memory yet', { missing: true, hint: 'holdfast save keeps a record' });
  const opened: BundledMemory[] = [];
  try {
    const parts: BundlePart[] = [];
    for (const entry of projects) {
      const one = host.openProject(entry.key);
      if (!one.ok) return one;
      opened.push(one.value);
      parts.push({
        memory: one.value.memory,
        project: bundled(entry),
        ...(scope === 'all' && { settings: settingsText(one.value.config.read('project'), []) }),
        ...(episodes && { conversations: episodes.conversationTexts(entry.key) }),
      });
    }
    if (scope !== 'project') {
      const user = host.openUser();
      opened.push(user);
      parts.push({ memory: user.memory, settings: settingsText(host.userConfig.read('user'), [USER_OBJECT]) });
    }
    const { entries, ...packed } = await collectBundle(parts, scope, { sha256: host.sha256, now: host.now() });
    return ok({ ...packed, file, bytes: host.writeFile(file, entries) });
  } finally {
    for (const one of opened) await one.close();
  }
}
