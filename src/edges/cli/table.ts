import type { Command } from './command.ts';
import type { CommandLine } from './help.ts';

/** A command is loaded when it is called: a search pays for nothing but the search. */
interface Entry extends CommandLine {
  load(): Promise<Command>;
}

const entry = (name: string, about: string, load: () => Promise<Command>): Entry => ({ name, about, load });

export const COMMANDS: readonly Entry[] = [
  entry('save', 'keep a record: a decision, a fix, a constraint, a preference …', async () => (await import('./commands/save.ts')).save),
  entry('search', 'find records and documents by what they say', async () => (await import('./commands/search.ts')).search),
  entry('get', 'one or more records in full', async () => (await import('./commands/show.ts')).get),
  entry('show', 'one record or document as it stands in its file', async () => (await import('./commands/show.ts')).show),
  entry('edit', 'change a record in your editor', async () => (await import('./commands/edit.ts')).edit),
  entry('retire', 'take a record out of use; it is purged after the grace period', async () => (await import('./commands/life.ts')).retire),
  entry('restore', 'bring a retired record back', async () => (await import('./commands/life.ts')).restore),
  entry('archive', 'take a record out of use and keep it for ever', async () => (await import('./commands/life.ts')).archive),
  entry('unarchive', 'bring an archived record back', async () => (await import('./commands/life.ts')).unarchive),
  entry('confirm', 'say that a record is true', async () => (await import('./commands/life.ts')).confirm),
  entry('share', 'move a record into the project, to be committed with the code', async () => (await import('./commands/share.ts')).share),
  entry('gc', 'purge what was retired long enough ago', async () => (await import('./commands/gc.ts')).gc),
  entry('log', 'every write, newest first', async () => (await import('./commands/history.ts')).log),
  entry('diff', 'what a write changed', async () => (await import('./commands/history.ts')).diff),
  entry('undo', 'take back the last writes', async () => (await import('./commands/history.ts')).undo),
  entry('write', 'create, update or move a record by its file, for scripts and agents', async () => (await import('./commands/write.ts')).write),
  entry('candidate', 'which record new information is about, and what may be done with it', async () => (await import('./commands/candidate.ts')).candidate),
  entry('status', 'what this memory holds and where', async () => (await import('./commands/status.ts')).status),
  entry('rebuild', 'make the index and all views again from the files', async () => (await import('./commands/rebuild.ts')).rebuild),
  entry('config', 'show or change settings', async () => (await import('./commands/config.ts')).config),
  entry('doctor', 'what is wrong and how to mend it', async () => (await import('./commands/doctor.ts')).doctor),
  entry('completion', 'a completion script for your shell', async () => (await import('./commands/completion.ts')).completion),
];

export async function findCommand(name: string): Promise<Command | undefined> {
  return COMMANDS.find((command) => command.name === name)?.load();
}
