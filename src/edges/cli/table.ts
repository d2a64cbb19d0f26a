import type { CommandLine } from './help.ts';

/** Every command, in the order in which the help lists them. */
export const COMMANDS: readonly CommandLine[] = [
  { name: 'save', about: 'keep a record: a decision, a fix, a constraint, a preference …' },
  { name: 'search', about: 'find records and documents by what they say' },
  { name: 'get', about: 'one or more records in full' },
  { name: 'show', about: 'one record or document as it stands in its file' },
  { name: 'edit', about: 'change a record in your editor' },
  { name: 'retire', about: 'take a record out of use; it is purged after the grace period' },
  { name: 'restore', about: 'bring a retired record back' },
  { name: 'archive', about: 'take a record out of use and keep it for ever' },
  { name: 'unarchive', about: 'bring an archived record back' },
  { name: 'confirm', about: 'say that a record is true' },
  { name: 'share', about: 'move a record into the project, to be committed with the code' },
  { name: 'gc', about: 'purge what was retired long enough ago' },
  { name: 'log', about: 'every write, newest first' },
  { name: 'diff', about: 'what a write changed' },
  { name: 'undo', about: 'take back the last writes' },
  { name: 'write', about: 'create, update or move a record by its file, for scripts and agents' },
  { name: 'candidate', about: 'which record new information is about, and what may be done with it' },
  { name: 'status', about: 'what this memory holds and where' },
  { name: 'rebuild', about: 'make the index and all views again from the files' },
  { name: 'config', about: 'show or change settings' },
  { name: 'doctor', about: 'what is wrong and how to mend it' },
  { name: 'completion', about: 'a completion script for your shell' },
];
