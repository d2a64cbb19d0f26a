import type { Message } from '../../core/episode/episode.ts';

const WRITES = /^(?:Edit|MultiEdit|Write|NotebookEdit|apply_patch|write_file|replace)$/;

/** Files that an agent changed, in the order in which it did. */
export const changedFiles = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ toolCalls = [] }) => toolCalls.filter(({ name }) => WRITES.test(name)).flatMap(({ files }) => files));
