import type { Command } from '../command.ts';
import { drafts } from './conversations/drafts.ts';
import { migrate } from './transfer/migrate.ts';
import { report } from './conversations/report.ts';
import { summarize } from './conversations/summarize.ts';
import { synthesize } from './conversations/synthesize.ts';

/** What is made of whole sessions, and of other memories: called once a session, once a week, once. A bundle of their own. */
export const SELDOM: Readonly<Record<string, Command>> = { summarize, drafts, report, synthesize, migrate };
