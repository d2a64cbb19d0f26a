import { runCached } from './compose/compile-cache.ts';

runCached(import.meta.dirname, 'late-mcp.js', require, true);
