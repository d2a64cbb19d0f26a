import { homeFolder, workingFolder } from '../adapters/process/environment.ts';
import type { Environment } from '../core/ports/host.ts';
import { isHeadlessRun } from '../core/trust/agent-shell.ts';
import { SessionServer } from '../app/runtime/session-server.ts';
import { submitCall } from '../edges/mcp/tool.ts';
import { serveSession } from '../edges/mcp/serve.ts';
import { VERSION } from './wiring/machine.ts';
import { openMessages } from './wiring/messages.ts';
import { hookServices } from './wiring/services.ts';
import { sessionMachineAt } from './wiring/session-machine.ts';

export interface ServeRequest {
  readonly env: Environment;
  readonly cwd: string;
  /** The home that `--home` names. */
  readonly home?: string | undefined;
}

/** Serves MCP on standard input and output for as long as there is a client. */
export function serveMcp({ env, cwd, home: homeOption }: ServeRequest): Promise<never> {
  const home = homeFolder({ option: homeOption, env });
  const machine = sessionMachineAt({ home, env });
  // Claude Code sets it only for the servers of plugins.
  const plugin = env['CLAUDE_PLUGIN_ROOT'];
  const session = new SessionServer({
    machine,
    folder: env['CLAUDE_PROJECT_DIR'] ?? cwd,
    isFolderNamed: env['CLAUDE_PROJECT_DIR'] !== undefined,
    session: env['CLAUDE_CODE_SESSION_ID'],
    isChild: env['HOLDFAST_CHILD'] === '1',
    services: (current) => hookServices({ machine, env, homeNamed: homeOption !== undefined }, current),
    openMessages: (key) => openMessages(home, key),
    openEmbedding: async () => (await import('./wiring/embedding.ts')).openEmbeddingIn({ home, env, urgent: true }),
    afterAnswer: (work) => void setImmediate(work),
    agent: {
      saveCall: submitCall,
      hasTools: true,
      hasDrafters: plugin !== undefined,
      isHeadless: isHeadlessRun(env),
      undo: plugin === undefined ? 'holdfast undo' : '/memory:undo',
    },
    programs: plugin === undefined ? import.meta.dirname : `${plugin}/dist`,
  });
  return serveSession(session, VERSION);
}

/** The MCP server of a client's session. */
export const run = (): Promise<void> => serveMcp({ env: process.env, cwd: workingFolder(process.env) });
