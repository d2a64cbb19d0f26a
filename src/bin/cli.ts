import { runCached } from './compose/compile-cache.ts';

runCached(import.meta.dirname, 'late-cli.js', require, process.argv.includes('search'));
