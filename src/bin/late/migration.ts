/** Memories of other layouts: loaded by the command that takes them over. */
export { findSources, namedSource } from '../compose/migration.ts';
