import { runCached } from './compose/compile-cache.ts';
import type { serveMcp } from './compose/mcp.ts';

const server = runCached(import.meta.dirname, 'late-mcp.js', require, true) as { readonly serveMcp: typeof serveMcp };
void server.serveMcp({ env: process.env, cwd: process.cwd() });
