import { HookLogFolder } from '../../adapters/files/hook-log.ts';
import { answerHook } from '../../app/hooks/answer.ts';
import type { Episodes } from '../../app/episodes/episodes.ts';
import type { Scribe } from '../../app/drafting/scribe.ts';
import { Heard } from '../../app/hooks/heard.ts';
import { ClaudeCodeReader } from '../../capture/read/claude-code/reader.ts';
import { switchOf } from '../../app/switch/switch.ts';
import { isFailure, isRefused } from '../../core/failure.ts';
import { Turns } from '../../core/turns.ts';
import { eventNamed, readCall } from '../../edges/hook/parse.ts';
import { presentAnswer } from '../../edges/hook/present.ts';
import { INSTRUCTIONS } from '../../edges/mcp/instructions.ts';

import { answerLine, type McpServer } from '../../edges/mcp/server.ts';
import type { ToolInput, ToolContext } from '../../edges/mcp/tool.ts';
import { hookTool } from '../../edges/mcp/tools/client-event.ts';
import { getTool, searchTool, timelineTool } from '../../edges/mcp/tools/read.ts';
import { statusTool } from '../../edges/mcp/tools/status.ts';
import { retireTool, saveTool, updateTool } from '../../edges/mcp/tools/write.ts';
import { homeFolder } from '../wiring/environment.ts';
import { HOOK_PATIENCE, report } from './hook.ts';
import { isStarted, locateOn } from '../wiring/locate.ts';
import { serveStdio } from '../../edges/mcp/stdio.ts';
import { IdleWarmup } from '../../app/runtime/idle-warmup.ts';
import { placesIn } from '../../adapters/files/home-layout.ts';
import { reachFor } from './reach.ts';
import { type FinishRequest, SessionOwner } from '../../app/runtime/session-owner.ts';
import { startBackground } from '../../adapters/process/background.ts';
import { timers } from '../../adapters/process/timers.ts';
import { FolderWatch } from '../../adapters/files/watch.ts';
import { processes } from '../../adapters/process/running.ts';
import { isFile } from '../../adapters/episodes/is-file.ts';
import { WarmMemories } from './warm.ts';

declare const HOLDFAST_VERSION: string;

export interface McpHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home?: string | undefined;
}

const CLIENT = 'claude-code';
/** A hook that is seen often is noted now and then. */
const NOTED_MS = 60_000;
const LATER_MS = 3_000;

/** The MCP server on standard input and output: lives and dies with its client. */
export async function serveMcp({ env, cwd, home: named }: McpHost): Promise<void> {
  const now = Date.now;
  const home = homeFolder({ option: named, env });
  const around = { home, now, client: CLIENT, patience: HOOK_PATIENCE } as const;
  const turns = new Turns();
  const start = (request: FinishRequest, ended?: () => void): void => startBackground({ home, ...request }, env, ended);
  const owner = new SessionOwner({ self: processes.self, start, isFile });
  const mend = (at = folder): void => owner.later({ cwd: at, onlyViews: true });
  const warm = new WarmMemories({ ...around, mend }, env, (wait) => turns.aside(wait));
  const folder = env['CLAUDE_PROJECT_DIR'] ?? cwd;
  const log = new HookLogFolder(placesIn(home).hooks);
  // The client says so to the servers of plugins alone.
  const plugin = env['CLAUDE_PLUGIN_ROOT'];
  const noted = new Map<string, number>();
  let session = env['CLAUDE_CODE_SESSION_ID'];
  const heard = new Heard(async (transcript) => (await episodes()).choose({ transcript }));
  let opened: (Episodes & { close(): Promise<void> }) | undefined;
  const episodes = async (): Promise<Episodes> => {
    const { openEpisodes } = await import('./episodes.ts');
    opened ??= openEpisodes({ home, homeNamed: named !== undefined, projectNamed: false, env, now, current: async () => (await warm.project(folder)).project });
    return opened;
  };

  const scribe = async (): Promise<Scribe> => (await import('./scribe.ts')).openScribe({ home, env, now });

  // Where memory is off nothing is opened.
  const isOn = (at: string): boolean => warm.isOpen(at) || locateOn(at, around) !== undefined;
  const warmup = new IdleWarmup({
    desk: async () => {
      if (env['HOLDFAST_CHILD'] === '1' || !isOn(folder)) return undefined;
      const { desk } = await warm.desk(folder);
      return desk.switched.on ? desk : undefined;
    },
    turns,
    lookElsewhere: () => mend(),
    timers,
    watch: (changed) => new FolderWatch(changed),
  });

  const answerEvent = async (given: ToolInput): Promise<string> => {
    const event = eventNamed(typeof given['event'] === 'string' ? given['event'] : '');
    if (event === undefined || env['HOLDFAST_CHILD'] === '1') return '';
    try {
      const call = readCall(event, given);
      if (!call.ok) throw new Error(call.error.message);
      session = call.value.session ?? session;
      heard.note(call.value);
      const at = call.value.cwd ?? folder;
      await warmup.ready();
      if (!isOn(at)) return '';
      const { desk, project } = await warm.desk(at);
      if (!desk.switched.on) return '';
      const isNewSession = owner.saw(call.value, at, desk.notes);
      const answered = await answerHook(desk, call.value, {
        kept: () => heard.takeKept(),
        ...reachFor({
          reader: async () => (options) => new ClaudeCodeReader(options),
          home,
          cwd: at,
          client: CLIENT,
          project,
          memory: desk.memory,
          episodes,
          scribe,
          hasDrafters: plugin !== undefined,
          programs: plugin === undefined ? import.meta.dirname : `${plugin}/dist`,
          saveCall: (id) =>
            `drafts and verdicts are handed in by memory_save with {"file": PATH, "json": {…}}; then call memory_save with {"staged": ${JSON.stringify(id)}}`,
        }),
      });
      const { later } = answered;
      // When the client has its answer.
      if (later) setImmediate(() => owner.later({ cwd: at, ...later }));
      if (isNewSession || now() - (noted.get(event) ?? 0) > NOTED_MS) {
        noted.set(event, now());
        log.saw(CLIENT, event, now());
      }
      return presentAnswer(event, answered);
    } catch (cause) {
      report(log, { client: CLIENT, event }, cause, now());
      return '';
    }
  };

  const shelf: ToolContext = {
    project: async () => {
      const { memory, project } = await warm.project(folder);
      return { memory, path: project.path, switched: switchOf(memory.config, isStarted(project.privateRoot)) };
    },
    user: () => warm.user(),
    places: () => warm.places(folder),
    episodes,
    scribe,
    session: () => session,
    open: async () => (session === undefined ? [] : ((await warm.desk(folder)).desk.notes.read(session).open ?? [])),
    heard: () => heard.soFar(),
    kept: (category) => heard.keep(category),
    now,
  };
  const server: McpServer = {
    name: 'holdfast',
    version: typeof HOLDFAST_VERSION === 'string' ? HOLDFAST_VERSION : '0.0.0',
    instructions: INSTRUCTIONS,
    tools: [
      searchTool(shelf),
      getTool(shelf),
      timelineTool(shelf),
      saveTool(shelf),
      updateTool(shelf),
      retireTool(shelf),
      statusTool(shelf),
      hookTool(answerEvent),
    ],
    explain: (cause) => (isFailure(cause) || isRefused(cause) ? cause.message : 'The memory could not be read just now; holdfast doctor tells more.'),
  };
  // What the last session left behind is taken in once this one has started, by a process of its own.
  setTimeout(() => {
    if (env['HOLDFAST_CHILD'] !== '1' && locateOn(folder, around)) owner.later({ cwd: folder });
  }, LATER_MS).unref();
  await serveStdio({
    answer: (line) => turns.run(() => answerLine(server, line)),
    answered: () => warmup.said(),
    leaving: () => owner.leave(),
    close: async () => {
      warmup.close();
      await opened?.close();
      await warm.close();
    },
  });
}
