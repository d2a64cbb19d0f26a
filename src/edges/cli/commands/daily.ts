import type { Command } from '../command.ts';
import { breadcrumb } from './breadcrumb.ts';
import { project } from './project.ts';
import { start, stop } from './session.ts';
import { user } from './user.ts';
import { block, progress, task, unblock } from './work.ts';
import { workspace } from './workspace.ts';

/** The commands of a working day: sessions, the work at hand, the map of projects. A bundle of their own. */
export const DAILY: Readonly<Record<string, Command>> = { start, stop, task, progress, block, unblock, breadcrumb, project, workspace, user };
