import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { remoteUrls } from '../../adapters/git/refs.ts';
import { realPath, repositoryHolding } from '../../adapters/git/repository.ts';
import { relationsOf, type FoundRelation, type Surveyed } from '../../app/workspace/discover.ts';
import { MANIFESTS } from '../../app/workspace/manifest.ts';
import { tidyPath } from '../../core/project/hash.ts';
import { normalRemote } from '../../core/project/remote.ts';

const LONGEST = 1_000_000;
/** More projects than this are not looked into in the time there is. */
const MOST = 200;

interface Mapped {
  readonly project: string;
  readonly path: string;
}

function textOf(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size <= LONGEST ? readFileSync(file, 'utf8') : undefined;
}

function surveyed(key: string, path: string): Surveyed {
  const folder = realPath(path);
  const repository = repositoryHolding(folder);
  const urls = repository ? [...remoteUrls(repository)].flatMap(([name, url]) => [[name, normalRemote(url) ?? url] as const]) : [];
  return {
    key,
    path: tidyPath(folder),
    manifests: MANIFESTS.flatMap((file) => {
      const text = textOf(join(folder, file));
      return text === undefined ? [] : [{ file, text }];
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
