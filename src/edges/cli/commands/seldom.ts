import type { Command } from '../command.ts';
import { drafts } from './drafts.ts';
import { migrate } from './migrate.ts';
import { report } from './report.ts';
import { summarize } from './summarize.ts';
import { synthesize } from './synthesize.ts';

/** What is made of whole sessions, and of other memories: called once a session, once a week, once. A bundle of their own. */
export const SELDOM: Readonly<Record<string, Command>> = { summarize, drafts, report, synthesize, migrate };
