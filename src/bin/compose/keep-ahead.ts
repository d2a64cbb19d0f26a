import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder, replaceFile } from '../../adapters/files/durable.ts';
import { realPath, repositoryHolding } from '../../adapters/git/repository.ts';
import { feedbackMark, pendingFolder } from '../../adapters/sqlite/pending.ts';
import { daysInMs } from '../../core/instant.ts';
import { type Ahead, aheadFile, type BriefAhead, hasRoom, programMark } from './ahead.ts';
import { clearOld } from './clear-old.ts';
import { LAYER_FILES } from './hash-folder.ts';
import { CONFIG_NAME, EPISODES_FILE, placesIn, sharedRootIn } from './places.ts';
import type { ProjectMemory } from './project.ts';
import { isSettled, type Stamp, stampOf } from './stamp.ts';
import type { Trace } from './traced.ts';

/** A file written within this time before an answer was begun may have been read half way. */
const UNSETTLED_MS = 1_000;
/** More than this is not looked at in the time there is. */
const MOST_STAMPS = 500;
/** Folders that nobody works in any more. */
const KEPT_MS = daysInMs(14);
/** Time alone changes what is chosen only slowly: a weekend is no reason to look through everything again. */
const GOOD_MS = daysInMs(3);

export interface Made {
  readonly home: string;
  readonly cwd: string;
  readonly project: ProjectMemory['project'];
  /** When the answer was begun. */
  readonly since: number;
  readonly folder: string;
  readonly said?: Said;
}

interface Said {
  readonly text: string;
  readonly session: string;
  readonly trace: Trace;
}

const file = (path: string): Stamp => stampOf(path, 'file');
const same = (path: string): Stamp => stampOf(path, 'same');

/** Whatever tells which project a folder belongs to, and whether memory is on for it. */
function placeStamps({ home, cwd, project }: Made): readonly Stamp[] {
  const { settings, registry } = placesIn(home);
  const real = realPath(cwd);
  const repository = repositoryHolding(real);
  const stamps = [same(cwd), same(real)];
  for (let folder = real; ; folder = dirname(folder)) {
    const dotGit = join(folder, '.git');
    const isFile = statSync(dotGit, { throwIfNoEntry: false })?.isFile() === true;
    stamps.push(isFile ? file(dotGit) : same(dotGit), ...['HEAD', 'objects', 'refs'].map((name) => stampOf(join(folder, name), 'same')));
    if (folder === repository?.worktree || dirname(folder) === folder) break;
  }
  if (repository) {
    const { gitDir, commonDir } = repository;
    stamps.push(same(join(commonDir, 'objects')), ...['commondir', 'gitdir'].map((name) => file(join(gitDir, name))), file(join(commonDir, 'config')));
  }
  const shared = sharedRootIn(project.worktree);
  const files = [settings, registry, ...[project.privateRoot, shared].flatMap((root) => [join(root, CONFIG_NAME), join(root, '_session.json')])];
  return [...stamps, same(project.path), same(dirname(shared)), same(shared), ...files.map(file)];
}

/** Whatever an answer was made from. */
function madeFrom({ home, cwd, project }: Made, { paths }: Trace): readonly Stamp[] {
  const { state, userState, userRoot, privateRoot } = placesIn(home);
  const own = state(project.key);
  const gitDir = repositoryHolding(realPath(cwd))?.gitDir;
  const seen = new Set([
    ...paths,
    ...['MEMORY.md', 'workspace.md'].map((name) => join(home, name)),
    ...[project.privateRoot, privateRoot(project.hash)].flatMap((folder) => LAYER_FILES.map((name) => join(folder, name))),
    ...[own, userState].map((folder) => join(folder, 'journal')),
    feedbackMark(own),
    ...(gitDir === undefined ? [] : [join(gitDir, 'HEAD')]),
  ]);
  const databases = [...[own, userState].map((folder) => join(folder, 'index.db')), join(own, EPISODES_FILE)];
  const data = databases.flatMap((database) => [database, `${database}-wal`].map((name) => stampOf(name, 'data')));
  return [...data, same(userRoot), same(join(project.worktree, '_memory')), ...[...seen].map(file)];
}

/** Undefined where what it was made from is more than can be looked at in the time there is. */
function briefOf(made: Made, { text, session, trace }: Said): BriefAhead | undefined {
  const [before, after, more] = text.split(session);
  if (before === undefined || after === undefined || more !== undefined || !hasRoom({ room: session.length }, session)) return undefined;
  const stamps = madeFrom(made, trace);
  if (stamps.length > MOST_STAMPS) return undefined;
  const { injection } = trace;
  return {
    stamps,
    pending: pendingFolder(placesIn(made.home).state(made.project.key)),
    ...(injection && { injection: { tokens: injection.tokens, items: injection.items } }),
    before,
    after,
    room: session.length,
    summaries: join(made.project.privateRoot, 'sessions'),
  };
}

/** Keeps what was found out for the next session in the same folder, if all of it has been quiet since before it was looked at. */
export function keepAhead(made: Made): void {
  const { home, cwd, since, folder } = made;
  const target = aheadFile(home, cwd);
  const place = placeStamps(made);
  const quiet = since - UNSETTLED_MS;
  // Only where there is a memory: a project that nothing was kept for yet gets no state from being looked at.
  if (target === undefined || !existsSync(placesIn(home).state(made.project.key)) || !isSettled(place, quiet)) return;
  const brief = made.said && briefOf(made, made.said);
  const kept = brief && isSettled(brief.stamps, quiet) ? brief : undefined;
  const ahead: Ahead = { program: programMark(folder), from: since, until: since + GOOD_MS, place, ...(kept && { brief: kept }) };
  makeFolder(dirname(target));
  if (kept) makeFolder(kept.pending);
  if (!existsSync(target)) clearOld(dirname(target), KEPT_MS, since);
  replaceFile(target, JSON.stringify(ahead), `${target}.${process.pid}`, false);
}
