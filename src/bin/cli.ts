import { importing, runCached } from './compose/compile-cache.ts';

const isImport = process.argv[2] === 'import';
runCached(import.meta.dirname, 'late-cli.js', require, isImport || process.argv.includes('search'), isImport ? importing() : '');
