import { importing, runCached } from '../compose/compile-cache.ts';

/** The second thread of a large import starts as the command line does: with the machine code that an earlier one left behind. */
runCached(import.meta.dirname, 'late-episodes-keeper.js', require, true, importing());
