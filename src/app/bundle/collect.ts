import { utcSeconds } from '../../core/instant.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { textWithoutSecrets } from '../read/without-secrets.ts';
import { type BundledExtra, type BundledFile, type BundledProject, type BundleFile, MANIFEST, manifestOf, type BundleScope } from './manifest.ts';
import { versionsOf } from './versions.ts';

/** A memory that goes into a bundle; the user's own has no project. */
export interface BundlePart {
  readonly memory: Memory;
  readonly project?: BundledProject;
  /** Its settings as JSON text. */
  readonly settings?: string | undefined;
  /** Its conversations, newest first, each with the name of its session. */
  readonly conversations?: Iterable<{ readonly session: string; readonly text: string }>;
}

export interface PackedBundle {
  readonly entries: readonly BundleFile[];
  readonly records: number;
  readonly documents: number;
  readonly conversations: number;
  readonly settings: number;
  readonly projects: readonly string[];
  readonly warnings: readonly string[];
}

export interface ExportPorts {
  readonly sha256: (text: string) => string;
  readonly now: number;
}

/** Size limits for all conversations of a bundle and for each of them. */
const MOST_CHARACTERS = 180 * 1024 * 1024;
const LONGEST = 15 * 1024 * 1024;

/** The files of a memory with a manifest. Leaves out records that are committed with the code. */
export async function collectBundle(parts: readonly BundlePart[], scope: BundleScope, { sha256, now }: ExportPorts): Promise<PackedBundle> {
  const [files, entries, warnings]: [BundledFile[], BundleFile[], string[]] = [[], [], []];
  const [settings, conversations]: [BundledExtra[], BundledExtra[]] = [[], []];
  let [records, documents, room, skipped] = [0, 0, MOST_CHARACTERS, 0];
  const put = (list: BundledExtra[], name: string, text: string, project?: string): void => {
    list.push({ name, ...(project !== undefined && { project }), sha256: sha256(text) });
    entries.push({ name, text });
  };
  for (const { memory, project, settings: set, conversations: sessions = [] } of parts) {
    const folder = project ? `projects/${project.key}` : 'user';
    if (set !== undefined) put(settings, `${folder}/settings.json`, set, project?.key);
    for (const { session, text } of sessions) {
      if (text.length > LONGEST || text.length * 2 > room) skipped += 1;
      else {
        room -= text.length;
        put(conversations, `${folder}/conversations/${session}.jsonl`, text, project?.key);
      }
    }
    await catchUp(memory);
    const known = await versionsOf(memory);
    for (const { root, path, problem } of memory.index.files()) {
      const stored = root === 'shared' ? undefined : await memory.store.read({ root, path });
      if (!stored) continue;
      if (problem !== undefined) {
        warnings.push(`left out because it cannot be read: ${memory.store.absolute(stored)}`);
        continue;
      }
      const text = textWithoutSecrets(stored);
      const name = `${folder}/${root}/${path}`;
      const hash = memory.md5(text);
      files.push({
        name,
        ...(project && { project: project.key }),
        root,
        path,
        sha256: sha256(text),
        versions: [...known({ root, path }).filter((version) => version !== hash), hash],
      });
      entries.push({ name, text });
      if (memory.index.items({ root }).some((item) => item.path === path && item.kind === 'record')) records += 1;
      else documents += 1;
    }
    const shared = memory.index.count({ root: 'shared', kind: 'record' });
    if (shared > 0) warnings.push(`${shared} shared ${shared === 1 ? 'record stays' : 'records stay'} with the code of ${memory.key}`);
  }
  if (skipped > 0) warnings.push(`${skipped} ${skipped === 1 ? 'conversation is' : 'conversations are'} too long for a bundle and left out`);
  const projects = parts.flatMap(({ project }) => project ?? []);
  const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
  const manifest = manifestOf(scope, utcSeconds(now), {
    projects: projects.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    files: files.toSorted(byName),
    settings: settings.toSorted(byName),
    conversations: conversations.toSorted(byName),
  });
  return {
    entries: [{ name: MANIFEST, text: `${JSON.stringify(manifest, null, 2)}\n` }, ...entries.toSorted(byName)],
    records,
    documents,
    conversations: conversations.length,
    settings: settings.length,
    projects: projects.map(({ key }) => key),
    warnings,
  };
}
