import { readSessionText } from '../../../adapters/files/project-folders.ts';
import { HookLogFolder } from '../../../adapters/files/hook-log.ts';
import type { Episodes } from '../../../app/episodes/episodes.ts';
import type { DraftingService } from '../../../app/drafting/service.ts';
import { UserPrompts } from '../../../app/hooks/user-prompts.ts';
import { ClaudeCodeReader } from '../../../capture/transcripts/claude-code/reader.ts';
import { isStarted, switchOf } from '../../../app/project/switch.ts';
import { isFailure, isRefused } from '../../../core/failure.ts';
import { isHeadlessRun } from '../../../core/trust/agent-shell.ts';
import { TaskQueue } from '../../../core/task-queue.ts';
import { SessionServer } from '../../../app/runtime/session-server.ts';
import { answerLine, type McpServer } from '../../../edges/mcp/server.ts';
import { handInCall, INSTRUCTIONS, type ToolInput, type ToolContext } from '../../../edges/mcp/tool.ts';
import { hookTool } from '../../../edges/mcp/tools/client-event.ts';
import { getTool, searchTool, timelineTool } from '../../../edges/mcp/tools/read.ts';
import { statusTool } from '../../../edges/mcp/tools/status.ts';
import { retireTool, saveTool, updateTool } from '../../../edges/mcp/tools/write.ts';
import { homeFolder } from '../environment.ts';
import { HOOK_PATIENCE, report } from './run-hook.ts';
import { locateOn } from '../locate.ts';
import { serveStdio } from '../../../edges/mcp/stdio.ts';
import { IdleWarmup } from '../../../app/runtime/idle-warmup.ts';
import { placesIn } from '../../../adapters/files/home-layout.ts';
import { hookEffectsFor } from './hook-effects.ts';
import { type FinishRequest, SessionOwner } from '../../../app/runtime/session-owner.ts';
import { startBackground } from '../../../adapters/process/background.ts';
import { processes, timers } from '../../../adapters/process/running.ts';
import { FolderWatch } from '../../../adapters/files/watch.ts';
import { isFile } from '../../../adapters/episodes/find.ts';
import { OpenProjects } from '../../../app/runtime/open-projects.ts';
import { openProjectsHost } from './open-projects.ts';

declare const HOLDFAST_VERSION: string;

export interface McpHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home?: string | undefined;
}

const CLIENT = 'claude-code';
const LATER_MS = 3_000;

/** The MCP server on standard input and output: lives and dies with its client. */
export async function serveMcp({ env, cwd, home: named }: McpHost): Promise<void> {
  const now = Date.now;
  const home = homeFolder({ option: named, env });
  const around = { home, now, client: CLIENT, patience: HOOK_PATIENCE } as const;
  const turns = new TaskQueue();
  const start = (request: FinishRequest, ended?: () => void): void => startBackground({ home, ...request }, env, ended);
  const owner = new SessionOwner({ self: processes.self, start, isFile });
  const repair = (at = folder): void => owner.later({ cwd: at, onlyViews: true });
  const projects = new OpenProjects(openProjectsHost({ ...around, env, repair }), (wait) => turns.aside(wait));
  const folder = env['CLAUDE_PROJECT_DIR'] ?? cwd;
  const log = new HookLogFolder(placesIn(home).hooks);
  // The client says so to the servers of plugins alone.
  const plugin = env['CLAUDE_PLUGIN_ROOT'];
  const undo = plugin === undefined ? 'holdfast undo' : '/memory:undo';
  const isHeadless = isHeadlessRun(env);
  const agent = { saveCall: handInCall, hasTools: true, hasDrafters: plugin !== undefined, isHeadless, undo };
  const heard = new UserPrompts(async (transcript) => (await episodes()).choose({ transcript }));
  let conversations: (Episodes & { close(): Promise<void> }) | undefined;
  const episodes = async (): Promise<Episodes> => {
    const { openEpisodes } = await import('../open-episodes.ts');
    conversations ??= openEpisodes({
      home,
      homeNamed: named !== undefined,
      projectNamed: false,
      env,
      now,
      current: async () => (await projects.project(folder)).project,
    });
    return conversations;
  };

  const drafting = async (): Promise<DraftingService> => (await import('../open-drafting.ts')).openDrafting({ home, env, now });

  // Where memory is off nothing is opened.
  const isOn = (at: string): boolean => projects.isOpen(at) || locateOn(at, around) !== undefined;
  const warmup = new IdleWarmup({
    context: async () => {
      if (env['HOLDFAST_CHILD'] === '1' || !isOn(folder)) return undefined;
      const context = (await projects.project(folder)).hook();
      return context.switched.on ? context : undefined;
    },
    turns,
    lookElsewhere: () => repair(),
    timers,
    watch: (changed) => new FolderWatch(changed),
  });

  const server = new SessionServer(
    {
      client: CLIENT,
      owner,
      warmup,
      prompts: heard,
      log,
      now,
      folder,
      open: async (at) => {
        if (!isOn(at)) return undefined;
        const opened = await projects.project(at);
        const context = opened.hook();
        if (!context.switched.on) return undefined;
        const effects = hookEffectsFor({
          reader: async () => (options) => new ClaudeCodeReader(options),
          home,
          cwd: at,
          client: CLIENT,
          project: opened.project,
          memory: context.memory,
          episodes,
          drafting,
          agent,
          programs: plugin === undefined ? import.meta.dirname : `${plugin}/dist`,
        });
        return { context, effects };
      },
      afterAnswer: (work) => void setImmediate(work),
      failed: (event, cause) => report(log, { client: CLIENT, event }, cause, now()),
    },
    env['CLAUDE_CODE_SESSION_ID'],
  );
  // A client that Holdfast itself started is kept out of its hooks.
  const answerEvent = async (input: ToolInput): Promise<string> => (env['HOLDFAST_CHILD'] === '1' ? '' : server.answer(input));

  const context: ToolContext = {
    project: async () => {
      const { memory, project } = await projects.project(folder);
      return { memory, path: project.path, switched: switchOf(memory.config, isStarted(readSessionText(project.privateRoot))) };
    },
    user: () => projects.user(),
    places: () => projects.places(folder),
    episodes,
    drafting,
    session: () => server.session,
    open: async () => (server.session === undefined ? [] : ((await projects.project(folder)).hook().notes.read(server.session).open ?? [])),
    heard: () => heard.soFar(),
    words: () => heard.words(),
    undo,
    kept: (category) => heard.keep(category),
    now,
  };
  const mcp: McpServer = {
    name: 'holdfast',
    version: typeof HOLDFAST_VERSION === 'string' ? HOLDFAST_VERSION : '0.0.0',
    instructions: INSTRUCTIONS,
    tools: [searchTool(context), getTool(context), timelineTool(context), saveTool(context), updateTool(context), retireTool(context), statusTool(context)],
    hookTool: hookTool(answerEvent),
    isOn: () => isOn(folder),
    askedTool: () => (isHeadless ? undefined : 'memory_save'),
    explain: (cause) => (isFailure(cause) || isRefused(cause) ? cause.message : 'The memory could not be read just now; holdfast doctor tells more.'),
  };
  // What the last session left behind is taken in once this one has started, by a process of its own.
  setTimeout(() => {
    if (env['HOLDFAST_CHILD'] !== '1' && locateOn(folder, around)) owner.later({ cwd: folder });
  }, LATER_MS).unref();
  await serveStdio({
    answer: (line) => turns.run(() => answerLine(mcp, line)),
    answered: () => warmup.said(),
    leaving: () => owner.leave(),
    close: async () => {
      warmup.close();
      await conversations?.close();
      await projects.close();
    },
  });
}
