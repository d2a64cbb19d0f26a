import { existsSync } from 'node:fs';
import { textOutside } from '../../adapters/files/outside/read.ts';
import { remoteUrls } from '../../adapters/git/refs.ts';
import { realGitPath, repositoryHolding } from '../../adapters/git/repository.ts';
import { relationsOf, type FoundRelation, type Surveyed } from '../../app/workspace/discover.ts';
import { MANIFESTS } from '../../app/workspace/manifest.ts';
import { FILE_BYTES } from '../../core/limits.ts';
import { tidyPath, normalRemote } from '../../core/project/folder.ts';

/** More projects than this are not looked into in the time there is. */
const MOST = 200;

interface Mapped {
  readonly project: string;
  readonly path: string;
}

function surveyed(key: string, path: string): Surveyed {
  const folder = realGitPath(path);
  const repository = repositoryHolding(folder);
  const urls = repository ? [...remoteUrls(repository)].flatMap(([name, url]) => [[name, normalRemote(url) ?? url] as const]) : [];
  return {
    key,
    path: tidyPath(folder),
    manifests: MANIFESTS.flatMap((file) => {
      const found = textOutside(folder, file, FILE_BYTES.manifest);
      return found ? [{ file, text: found.text }] : [];
    }),
    remotes: new Map(urls),
  };
}

/** How a project relates to the others on the map, as far as files can tell. */
export function relationsAround(
  project: { readonly key: string; readonly worktree: string },
  map: readonly Mapped[],
  edited: readonly string[],
): readonly FoundRelation[] {
  const others = map.filter((other) => other.project.toLowerCase() !== project.key.toLowerCase() && other.path !== '' && existsSync(other.path)).slice(0, MOST);
  if (others.length === 0) return [];
  return relationsOf(
    surveyed(project.key, project.worktree),
    others.map((other) => surveyed(other.project, other.path)),
    edited,
  );
}
