/** The MCP server: loaded by the command line and by the plugin's own program. */
export { serveMcp } from '../compose/mcp.ts';
