import { serveMcp } from './wiring/session/mcp-host.ts';

/** The MCP server of a client's session. */
export const run = (): Promise<void> => serveMcp({ env: process.env, cwd: process.env['CLAUDE_PROJECT_DIR'] ?? process.cwd() });
