import { resolve } from 'node:path';
import type { Cli, OpenMemory, Paint } from '../../edges/cli/command.ts';
import type { GlobalOptions } from '../../edges/cli/main.ts';
import { configFiles } from '../../adapters/files/config-files.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import type { MigrationSource } from '../../app/migrate/source.ts';
import { ownConfig } from '../../core/config/effective.ts';
import { Refused } from '../../core/failure.ts';
import { FILE_BYTES } from '../../core/limits.ts';
import { openReadable } from '../../app/project/locate.ts';
import { ok } from '../../core/result.ts';
import { isAgentShell } from '../../core/trust/agent-shell.ts';
import { homeFolder, shownPath, userHome } from './environment.ts';
import { placesIn } from '../../adapters/files/home-layout.ts';
import { feedbackIn, searchNearby, searchPlace } from './search-place.ts';
import type { Episodes } from '../../app/episodes/episodes.ts';
import { locate } from './locate.ts';
import { knownProjects, openProject, openUser, type OpenProject } from './open-project.ts';

declare const HOLDFAST_VERSION: string;

/** A script or an agent's shell has neither; a pipe at either end is no person. */
const isTerminal = (): boolean => [0, 1].every((descriptor) => process.getBuiltinModule('node:tty').isatty(descriptor));

export interface CliHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly closers: (() => Promise<void>)[];
  readonly progress?: (text: string) => void;
  readonly note: (text: string) => void;
}

/** The outside of the command line: real files, the real clock, the real terminal. */
export function connectCli(host: CliHost, options: GlobalOptions, paint: Paint): Cli {
  const now = Date.now;
  const home = (): string => homeFolder({ option: options.home, env: host.env });
  const crosses = options.project === 'all';
  let opened: OpenProject | undefined;
  const project = (word = crosses ? undefined : options.project): OpenProject => {
    const found = openProject({ home: home(), cwd: host.cwd, word, now });
    if (!found.ok) throw new Refused(found.error);
    host.closers.push(() => found.value.leave());
    return found.value;
  };
  const nearby = searchNearby({ home, env: host.env, closers: host.closers });
  const current = (): OpenProject => (opened ??= project());

  const episodes = async (): Promise<Episodes> => {
    const { openEpisodes } = await import('./open-episodes.ts');
    const [homeNamed, projectNamed] = [options.home !== undefined, options.project !== undefined && !crosses];
    const found = openEpisodes({ home: home(), homeNamed, projectNamed, env: host.env, now, current: async () => current().project });
    host.closers.push(() => found.close());
    return found;
  };
  return {
    paint,
    cwd: host.cwd,
    get caller() {
      return isAgentShell(host.env) || host.env['HOLDFAST_SLASH'] === '1' ? 'agent' : isTerminal() ? 'person' : 'script';
    },
    get actor() {
      return this.caller === 'agent' ? 'shell' : 'command';
    },
    crossesProjects: crosses,
    version: typeof HOLDFAST_VERSION === 'string' ? HOLDFAST_VERSION : '0.0.0',
    now,
    open: async (which = 'project') => {
      if (which === 'project') return { ...(await openMemory(current(), home())), ...nearby(current().memory) };
      const user = openUser({ home: home(), now });
      host.closers.push(() => user.leave());
      return { memory: user.memory, ...nearby(user.memory) };
    },
    openAll: async () => {
      const here = current().project.key;
      const open = async (key: string) => {
        const there = key === here ? current() : project(key);
        return { ...(await openMemory(there, home(), key === here ? 0 : 1)), ...nearby(there.memory) };
      };
      return openReadable(knownProjects(home()), open, host.note);
    },
    ranking: async () => (await import('../../app/search/ranking.ts')).RANKING,
    readInput: async (file) => (await import('../../adapters/process/terminal.ts')).readInput(file),
    writeOutput: async (file, text) => (await import('../../adapters/process/terminal.ts')).writeOutput(resolve(host.cwd, file), text),
    edit: async (name, text) => (await import('../../adapters/process/editor.ts')).editText(host.env, name, text),
    key: async (shown, question, keys) => (await import('../../adapters/process/terminal.ts')).keyOnTerminal(shown, question, keys),
    settings: async () => {
      const { settingsOver } = await import('../../app/config/settings.ts');
      return crosses
        ? settingsOver(configFiles({ user: placesIn(home()).settings }), async () => {})
        : settingsOver(current().config, () => current().remember());
    },
    recallContext: async () => {
      const { recallContextFor } = await import('./open-recall.ts');
      const { rankWithMessages } = await import('./open-messages.ts');
      const found = recallContextFor(current(), { home: home(), now }, rankWithMessages);
      host.closers.push(() => found.close());
      return found.recallContext;
    },
    episodes,
    excluded: async (remove) => {
      // A list that came with the code leaves things out from now on, and takes nothing out that is there.
      const exclude = ownConfig(current().memory.config).get('capture.exclude');
      // Nothing is loaded for it where nothing is left out.
      if (exclude.length === 0) return [];
      const { excludedFrom } = await import('../../app/episodes/excluded.ts');
      const { excludedHost } = await import('./open-sweep.ts');
      return excludedFrom(excludedHost(home()), { project: current().project, exclude, remove });
    },
    hierarchy: async () => {
      const { openMemoryFiles } = await import('../../app/memory-files/open.ts');
      const { openLayerFiles } = await import('./open-memory-files.ts');
      const found = openMemoryFiles(current().memory, current().project.path, openLayerFiles(home()));
      host.closers.push(async () => found.close());
      return found;
    },
    bundles: async () => (await import('./open-bundles.ts')).openBundles({ home: home(), cwd: host.cwd, now, current, episodes }),
    foreign: async (paths) => {
      const { detectSources, identifySource } = await import('../../app/migrate/detect.ts');
      const { foreignMemories } = await import('../../adapters/files/outside/foreign-memories.ts');
      const { env, cwd } = host;
      const memories = foreignMemories({ home: home(), userHome: userHome(), cwd, claudeMemFolder: env['CLAUDE_MEM_DATA_DIR'], openDatabase });
      if (paths.length === 0) return ok(await detectSources(memories.near(current().project), current()));
      const sources: MigrationSource[] = [];
      for (const path of paths) {
        const named = memories.named(path);
        const found = named.ok ? identifySource(named.value, current()) : named;
        if (!found.ok) return found;
        sources.push(found.value);
      }
      return ok({ sources, hints: [] });
    },
    drafting: async () => (await import('./open-drafting.ts')).openDrafting({ home: home(), env: host.env, now }),
    embedding: async (how) => {
      const { openEmbeddingIn } = await import('./open-embedding.ts');
      const embedding = openEmbeddingIn({ home: home(), env: host.env, hurried: how !== 'patiently' });
      host.closers.push(async () => embedding.close());
      return embedding;
    },
    ...(host.env['CLAUDE_CODE_SESSION_ID'] !== undefined && { session: host.env['CLAUDE_CODE_SESSION_ID'] }),
    hookNotes: async () => (await import('./locate.ts')).sessionNotesOf(home(), current().project.key),
    hookLog: async () => new (await import('../../adapters/files/hook-log.ts')).HookLogFolder(placesIn(home()).hooks),
    inventory: async () => {
      const { claudeSettings, measureMemory } = await import('../../adapters/files/outside/inventory.ts');
      const { detectClaudeCode } = await import('../../app/setup/detect.ts');
      const { project: facts } = current();
      return { bytes: measureMemory(home(), facts), claudeCode: detectClaudeCode(claudeSettings(home(), facts.worktree)) };
    },
    setup: async () => {
      const located = locate({ home: home(), cwd: host.cwd, word: options.project, now });
      if (!located.ok) throw new Refused(located.error);
      return (await import('./open-setup.ts')).openSetup(home(), located.value, host.env);
    },
    hook: async (event, client) => (await import('./session/run-event.ts')).runEvent(event, { client, env: host.env, home: options.home }),
    serve: async () => (await import('./session/mcp-host.ts')).serveMcp({ env: host.env, cwd: host.cwd, home: options.home }),
    projectState: async () => (await import('./project-facts.ts')).checkoutState(current().project.worktree),
    relationsFound: async (map) => {
      const { relationsAround } = await import('../../app/workspace/discover.ts');
      return relationsAround(current().project, map, [], (await import('./project-facts.ts')).surveyProject);
    },
    masterImport: async (file, wish) => {
      const { changeImport } = await import('../../app/synthesis/master-text.ts');
      const { textFileOutside } = await import('../../adapters/files/outside/text-file.ts');
      const user = userHome();
      // The client knows ~, and a line without the user's name can be committed.
      const target = file.startsWith(`${user}/`) ? `~${file.slice(user.length)}` : file;
      return changeImport(textFileOutside(current().project.worktree, 'CLAUDE.md', FILE_BYTES.document), target, wish);
    },
    ...(host.progress && { progress: host.progress }),
  };
}

const openMemory = async ({ memory, project }: OpenProject, home: string, distance = 0): Promise<OpenMemory> => ({
  ...searchPlace(home, memory, await feedbackIn(home, memory), distance),
  project: {
    key: project.key,
    hash: project.hash,
    path: project.path,
    privateRoot: project.privateRoot,
    // Asked for by the few commands that say it: a search need not know whose home it is.
    get shownRoot() {
      return `${shownPath(project.privateRoot)}/`;
    },
    home,
    ...(project.sharedRoot !== undefined && { sharedRoot: project.sharedRoot }),
  },
});
