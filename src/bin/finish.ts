import { finishSessions } from './compose/finish.ts';

const [home = '', cwd = '', session = '', transcript = ''] = process.argv.slice(2);

if (home !== '' && cwd !== '') void finishSessions({ home, cwd, session, transcript }, process.env);
