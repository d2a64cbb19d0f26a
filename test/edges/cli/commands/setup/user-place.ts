import fs from 'node:fs';
import path from 'node:path';
import { place, type Place } from '../../../mcp/talk.ts';
import { type Answer, runProgram } from '../../program.ts';

export interface UserPlace extends Place {
  /** The user's home, which holds the settings of clients. */
  readonly user: string;
}

/** A project with memory on, of a user with these files in the home. */
export function settled(files: Readonly<Record<string, string>>): UserPlace {
  const there = place({ mode: 'auto' });
  const user = path.dirname(there.home);
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(user, name)), { recursive: true });
    fs.writeFileSync(path.join(user, name), text);
  }
  return { ...there, user };
}

export const init = ({ home, project, user }: UserPlace, ...args: readonly string[]): Answer =>
  runProgram(['init', ...args], { cwd: project, env: { HOLDFAST_HOME: home, HOME: user } });
