import type { Command } from '../command.ts';
import { breadcrumb } from './work/breadcrumb.ts';
import { project } from './projects/project.ts';
import { start, stop } from './work/session.ts';
import { user } from './projects/user.ts';
import { block, progress, task, unblock } from './work/task.ts';
import { workspace } from './projects/workspace.ts';

/** The commands of a working day: sessions, the work at hand, the map of projects. A bundle of their own. */
export const DAILY: Readonly<Record<string, Command>> = { start, stop, task, progress, block, unblock, breadcrumb, project, workspace, user };
