import { runCached } from './compose/compile-cache.ts';
import type { serveMcp } from './compose/mcp.ts';
import { isTooOld } from './compose/node-version.ts';
import type { serveNothing } from './late/old-node.ts';

const folder = import.meta.dirname;

if (isTooOld(process.versions.node)) {
  (runCached(folder, 'late-old-node.js', require, false) as { readonly serveNothing: typeof serveNothing }).serveNothing(process.version);
} else {
  const server = runCached(folder, 'late-mcp.js', require, true) as { readonly serveMcp: typeof serveMcp };
  void server.serveMcp({ env: process.env, cwd: process.env['CLAUDE_PROJECT_DIR'] ?? process.cwd() });
}
