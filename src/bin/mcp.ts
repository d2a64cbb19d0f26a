import { serveMcp } from './compose/mcp.ts';

/** The MCP server of a client's session. */
export const run = (): Promise<void> => serveMcp({ env: process.env, cwd: process.env['CLAUDE_PROJECT_DIR'] ?? process.cwd() });
