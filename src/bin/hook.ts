import { runCached } from './compose/compile-cache.ts';

// A client that Holdfast itself started is kept out of its hooks.
if (process.env['HOLDFAST_CHILD'] !== '1') runCached(import.meta.dirname, 'late-hook.js', require, process.argv[2] === 'SessionStart');
