import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { HookEvent } from '../../src/app/hooks/call.ts';

export const DIST = path.resolve('dist/plugin/claude-code/dist');

export interface Place {
  readonly home: string;
  readonly project: string;
  /** A prompt about something that the memory holds. */
  readonly prompt: () => string;
}

const { NODE_EXTRA_CA_CERTS: _certificates, ...ENV } = process.env;
export const environment = ({ home }: Place, session?: string) => ({
  ...ENV,
  HOLDFAST_HOME: home,
  ...(session !== undefined && { CLAUDE_CODE_SESSION_ID: session }),
});

let turn = 0;
/** A number that was not used yet. */
export const nextNumber = (): number => ++turn;
/** As long as the ids that the client gives. */
export const sessionId = (): string => `${String(nextNumber()).padStart(8, '0')}-${String(process.pid).padStart(4, '0').slice(-4)}-4000-8000-000000000000`;
export const inputFor = (event: HookEvent, { project, prompt }: Place): Record<string, string> => {
  const session = sessionId();
  const common = { session_id: session, cwd: project, transcript_path: path.join(project, 'none.jsonl') };
  const more: Partial<Record<HookEvent, object>> = {
    SessionStart: { source: 'compact' },
    UserPromptSubmit: { prompt: prompt() },
    PreToolUse: { tool_name: 'Write', file_path: path.join(project, 'src/main.ts') },
    SubagentStart: { agent_type: 'Explore', agent_id: session },
    SubagentStop: { agent_type: '', agent_id: session, last_assistant_message: 'done' },
    Stop: { stop_hook_active: 'false', last_assistant_message: 'All done.' },
  };
  return { ...common, ...more[event] };
};

/** A server to talk to, one line a question. */
export function serve(place: Place) {
  const child = spawn(process.execPath, [path.join(DIST, 'mcp.js')], { env: environment(place), cwd: place.project, stdio: ['pipe', 'pipe', 'inherit'] });
  const takers: ((line: string) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => takers.shift()?.(line));
  let id = 0;
  const ask = (method: string, params: object): Promise<string> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
    return new Promise((resolve) => takers.push(resolve));
  };
  const end = (): Promise<void> =>
    new Promise((resolve) => {
      child.on('exit', () => resolve());
      child.stdin.end();
    });
  return { ask, end, pid: child.pid };
}

export const WELCOME = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'claude-code', version: '1' } };

/** Time for the processes that are left to finish a session. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
