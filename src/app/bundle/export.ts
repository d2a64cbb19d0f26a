import { utcSeconds } from '../../core/instant.ts';
import { redact } from '../../core/redact/redact.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { type BundledFile, type BundledProject, type Entry, MANIFEST, manifestOf, type Scope } from './manifest.ts';
import { versionsOf } from './versions.ts';

/** A memory that goes into a bundle; the user's own has no project. */
export interface Part {
  readonly memory: Memory;
  readonly project?: BundledProject;
}

export interface Packed {
  readonly entries: readonly Entry[];
  readonly records: number;
  readonly documents: number;
  readonly projects: readonly string[];
  readonly warnings: readonly string[];
}

export interface ExportPorts {
  readonly sha256: (text: string) => string;
  readonly now: number;
}

/** What a memory holds, as one list of files with a manifest. Records that are committed with the code stay with the code. */
export async function collectBundle(parts: readonly Part[], scope: Scope, { sha256, now }: ExportPorts): Promise<Packed> {
  const [files, entries, warnings]: [BundledFile[], Entry[], string[]] = [[], [], []];
  let [records, documents] = [0, 0];
  for (const { memory, project } of parts) {
    await catchUp(memory);
    const known = await versionsOf(memory);
    for (const { root, path, problem } of memory.index.files()) {
      const stored = root === 'shared' ? undefined : await memory.store.read({ root, path });
      if (!stored) continue;
      if (problem !== undefined) {
        warnings.push(`left out, since it cannot be read: ${memory.store.absolute(stored)}`);
        continue;
      }
      const { text } = redact(stored.text);
      const name = `${project ? `projects/${project.key}` : 'user'}/${root}/${path}`;
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
    const left = memory.index.count({ root: 'shared', kind: 'record' });
    if (left > 0) warnings.push(`${left} shared ${left === 1 ? 'record stays' : 'records stay'} with the code of ${memory.key}`);
  }
  const projects = parts.flatMap(({ project }) => project ?? []);
  const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
  const manifest = manifestOf(
    scope,
    utcSeconds(now),
    projects.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    files.toSorted(byName),
  );
  return {
    entries: [{ name: MANIFEST, text: `${JSON.stringify(manifest, null, 2)}\n` }, ...entries.toSorted(byName)],
    records,
    documents,
    projects: projects.map(({ key }) => key),
    warnings,
  };
}
