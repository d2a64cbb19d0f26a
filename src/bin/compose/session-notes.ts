import { join } from 'node:path';
import { SessionNoteFiles } from '../../adapters/files/session-states.ts';
import { md5 } from '../wiring/environment.ts';
import { placesIn } from '../../adapters/files/home-layout.ts';

/** What hooks keep of the sessions of a project. */
export const sessionNotesOf = (home: string, key: string): SessionNoteFiles => new SessionNoteFiles(join(placesIn(home).state(key), 'sessions'), md5);
