import path from 'node:path';
import { root } from './bundle.js';
import { ensureBuilt, runNode } from './fresh.js';

process.exitCode = ensureBuilt() || runNode([path.join(root, 'dist/start.js'), ...process.argv.slice(2)]);
