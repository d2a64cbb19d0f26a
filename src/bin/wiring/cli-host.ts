import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ARCHIVE_FOLDER, changingFiles, EPISODES_FILE, INJECTIONS_FILE, placesIn } from '../../adapters/files/home-layout.ts';
import { homeFolder, shownPath, userHome } from '../../adapters/process/environment.ts';
import type { Environment } from '../../core/ports/host.ts';
import { isInteractive } from '../../adapters/process/output.ts';
import { openDatabase } from '../../adapters/sqlite/binding.ts';
import { nearbyFor, openOnce } from '../../app/embedding/nearby.ts';
import type { OpenEmbedding } from '../../app/embedding/open.ts';
import type { Episodes } from '../../app/episodes/episodes.ts';
import { locateProject, openReadable } from '../../app/project/locate.ts';
import { openProject, openUser, type OpenProject } from '../../app/project/open.ts';
import type { ProjectMessages } from '../../app/search/messages.ts';
import { otherProjects, searchPlace } from '../../app/search/place.ts';
import { ownConfig } from '../../core/config/effective.ts';
import { Refused } from '../../core/failure.ts';
import { FILE_BYTES } from '../../core/limits.ts';
import type { InjectionLog } from '../../core/ports/injection-log.ts';
import type { Machine, SessionMachine } from '../../core/ports/machine.ts';
import { isAgentShell } from '../../core/trust/agent-shell.ts';
import type { Cli, OpenMemory, Paint } from '../../edges/cli/command.ts';
import { projectInfo } from '../../edges/cli/project-info.ts';
import type { ViewHost } from '../../edges/http/host.ts';
import type { GlobalOptions } from '../../edges/cli/main.ts';
import { machineAt, VERSION } from './machine.ts';
import { loadDrafting, loadEmbedderSetup, loadEpisodes } from './services.ts';

export interface CliHost {
  readonly env: Environment;
  readonly cwd: string;
  readonly closers: (() => Promise<void>)[];
  readonly progress?: (text: string) => void;
  readonly note: (text: string) => void;
}

/** Connects the command line to real files, the clock and the terminal. */
export function connectCli(host: CliHost, options: GlobalOptions, paint: Paint): Cli {
  const { env, cwd, closers } = host;
  const home = (): string => homeFolder({ option: options.home, env });
  const crosses = options.project === 'all';
  let [machine, opened]: [Machine | undefined, OpenProject | undefined] = [undefined, undefined];
  const machineHere = (): Machine => (machine ??= machineAt({ home: home() }));
  const loadSessions = async (): Promise<SessionMachine> => (await import('./session-machine.ts')).sessionMachineAt({ home: home(), env });

  /** Registers something to close at the end of the command. */
  const closing = <T extends { close(): unknown }>(resource: T): T => {
    closers.push(async () => void (await resource.close()));
    return resource;
  };
  const project = (word = crosses ? undefined : options.project): OpenProject => {
    const located = openProject(machineHere(), { cwd, name: word });
    if (!located.ok) throw new Refused(located.error);
    closers.push(() => located.value.closeFast());
    return located.value;
  };
  const current = (): OpenProject => (opened ??= project());
  const loadEmbedding = async (urgent: boolean): Promise<OpenEmbedding> => (await import('./embedding.ts')).openEmbeddingIn({ home: home(), env, urgent });
  const nearby = nearbyFor({ open: openOnce(() => loadEmbedding(true), closers) });
  const openHere = async (target: OpenProject): Promise<OpenMemory> => ({
    ...(await openMemory(target, home())),
    ...nearby(target.memory),
  });

  const episodes = async (): Promise<Episodes> => {
    const [homeNamed, projectNamed] = [options.home !== undefined, options.project !== undefined && !crosses];
    return closing(await loadEpisodes({ machine: machineHere(), env, homeNamed }, { projectNamed, current: async () => current().project }));
  };
  return {
    paint,
    cwd,
    get caller() {
      return isAgentShell(env) || env['HOLDFAST_SLASH'] === '1' ? 'agent' : isInteractive() ? 'person' : 'script';
    },
    get actor() {
      return this.caller === 'agent' ? 'shell' : 'command';
    },
    crossesProjects: crosses,
    version: VERSION,
    now: Date.now,
    open: async (which = 'project') => {
      if (which === 'project') return openHere(current());
      const user = openUser(machineHere());
      closers.push(() => user.closeFast());
      return { memory: user.memory, ...nearby(user.memory) };
    },
    openAll: async () => {
      const [here, around] = [current().project.key, otherProjects(machineHere(), current().project.key)];
      const open = async (key: string): Promise<OpenMemory> => ({ ...(await openHere(key === here ? current() : project(key))), ...around.get(key) });
      return openReadable([...around.keys()], open, host.note);
    },
    ranking: async () => (await import('../../app/search/ranking.ts')).RANKING,
    readInput: async (file) => (await import('../../adapters/process/terminal.ts')).readInput(file),
    writeOutput: async (file, text) => (await import('../../adapters/process/terminal.ts')).writeOutput(resolve(cwd, file), text),
    edit: async (name, text) => (await import('../../adapters/process/editor.ts')).editText(env, name, text),
    key: async (shown, question, keys) => (await import('../../adapters/process/terminal.ts')).keyOnTerminal(shown, question, keys),
    settings: async () => {
      const { settingsOver } = await import('../../app/config/settings.ts');
      return crosses ? settingsOver(machineHere().folders.config(), async () => {}) : settingsOver(current().config, () => current().register());
    },
    recallContext: async () => {
      const { openRecallContext } = await import('../../app/runtime/open-recall.ts');
      const { rankWithMessages } = await import('../../app/search/messages.ts');
      const { openMessages } = await import('./messages.ts');
      const rank = rankWithMessages((key) => openMessages(home(), key), nearby);
      return closing(openRecallContext(await loadSessions(), current(), {}, rank)).recallContext;
    },
    episodes,
    excluded: async (remove) => {
      // A list from the repository applies to new messages only: archived ones are removed by the user's own list.
      const exclude = ownConfig(current().memory.config).get('capture.exclude');
      if (exclude.length === 0) return [];
      const { excludedFrom } = await import('../../app/episodes/excluded.ts');
      return excludedFrom((await import('./episodes.ts')).excludedHost(home()), { project: current().project, exclude, remove });
    },
    hierarchy: async () => {
      const { openMemoryFiles } = await import('../../app/memory-files/open.ts');
      return closing(openMemoryFiles(current().memory, current().project.path, (await import('./project-files.ts')).openLayerFiles(home())));
    },
    bundleHost: async () => (await import('./bundles.ts')).bundleHost({ home: home(), cwd, now: Date.now, current, episodes }),
    foreign: async (paths) => {
      const { findSources } = await import('../../app/migrate/detect.ts');
      const { foreignMemories } = await import('../../adapters/files/outside/foreign-memories.ts');
      const memories = foreignMemories({ home: home(), userHome: userHome(), cwd, claudeMemFolder: env['CLAUDE_MEM_DATA_DIR'], openDatabase });
      return findSources(memories, paths, current());
    },
    drafting: () => loadDrafting({ machine: machineHere(), env }),
    embedding: async (how) => closing(await loadEmbedding(how !== 'patiently')),
    embedder: async () => loadEmbedderSetup(await loadSessions(), env, cwd),
    ...(env['CLAUDE_CODE_SESSION_ID'] !== undefined && { session: env['CLAUDE_CODE_SESSION_ID'] }),
    hookNotes: async () => (await loadSessions()).sessionNotes(current().project.key),
    hookLog: async () => (await loadSessions()).hookLog,
    inventory: async () => {
      const { claudeSettings, measureMemory } = await import('../../adapters/files/outside/inventory.ts');
      const { detectClaudeCode } = await import('../../app/setup/detect.ts');
      const { project: facts } = current();
      return { bytes: measureMemory(home(), facts), claudeCode: detectClaudeCode(claudeSettings(home(), facts.worktree)) };
    },
    setup: async () => {
      const located = locateProject(machineHere().folders, { cwd, name: options.project, now: Date.now });
      if (!located.ok) throw new Refused(located.error);
      return (await import('./project-files.ts')).openSetup(home(), located.value, env);
    },
    hook: async (event, client) => {
      const { runEvent } = await import('../../app/runtime/event-process.ts');
      return runEvent(event, (await import('../hook.ts')).eventProcess({ client, env, home: options.home }));
    },
    view: async (request) => {
      const { pageProcess } = await import('../../adapters/process/view-page.ts');
      const { places, folders, fingerprint, watch } = await loadSessions();
      const own = { version: VERSION, home: home(), actor: isAgentShell(env) ? 'shell' : 'page', here: current().project.key, watch } as const;
      const page: ViewHost = {
        ...{ ...own, ...pageProcess({ state: places.ownState, programs: import.meta.dirname, env }) },
        projects: () => folders.registry.read().projects,
        access: (key) => connectCli(host, { home: home(), ...(key !== undefined && { project: key }) }, paint),
        fingerprint: (known) => fingerprint(changingFiles(home(), known), []),
      };
      return (await import('../../edges/http/server.ts')).serveView(page, request);
    },
    fileVersions: async (path, blob) => {
      const { formerText } = await import('../../adapters/git/lookup.ts');
      const now = (await import('../../adapters/files/outside/read.ts')).textOutside(current().project.worktree, path, FILE_BYTES.document);
      return { before: formerText(current().project.worktree, blob, env), after: now?.text };
    },
    team: async () => (await import('../team/commands.ts')).openTeam(machineHere().places),
    teamServer: async (request) => (await import('../team/commands.ts')).startTeamServer(machineHere().places, env, request),
    serve: async () => (await import('../mcp.ts')).serveMcp({ env, cwd, home: options.home }),
    projectState: async () => (await import('./project-files.ts')).checkoutState(current().project.worktree),
    relationsFound: async (map) => {
      const { relationsAround } = await import('../../app/workspace/discover.ts');
      return relationsAround(current().project, map, [], (await import('./project-files.ts')).surveyProject);
    },
    masterImport: async (file, change) => {
      const { changeImport } = await import('../../app/synthesis/master-import.ts');
      const { textFileOutside } = await import('../../adapters/files/outside/text-file.ts');
      const { worktree } = current().project;
      const at = (name: string): ReturnType<typeof textFileOutside> => textFileOutside(worktree, name, FILE_BYTES.document);
      return changeImport({ shared: at('CLAUDE.md'), local: at('CLAUDE.local.md'), worktree, userHome: userHome() }, file, change);
    },
    ...(host.progress && { progress: host.progress }),
  };
}

/** A project for a search; loads its injection log and conversations only if they exist. */
async function openMemory({ memory, project }: OpenProject, home: string): Promise<OpenMemory> {
  const inState = (name: string): string => join(placesIn(home).state(memory.key), name);
  const openLog = async (): Promise<InjectionLog> => new (await import('../../adapters/sqlite/injections.ts')).SqliteInjectionLog(inState(INJECTIONS_FILE));
  const log = existsSync(inState(INJECTIONS_FILE)) ? await openLog() : undefined;
  const openMessages = async (key: string): Promise<ProjectMessages | undefined> =>
    [EPISODES_FILE, ARCHIVE_FOLDER].some((name) => existsSync(inState(name))) ? (await import('./messages.ts')).openMessages(home, key) : undefined;
  const place = searchPlace({ memory, openMessages, log });
  return { ...place, project: projectInfo(project, home, shownPath) };
}
