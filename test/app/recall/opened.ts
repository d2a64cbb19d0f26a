import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Memory } from '../../../src/app/memory/memory.ts';
import type { RecallContext } from '../../../src/app/recall/recall-context.ts';
import { brief, type Brief, type BriefEvent } from '../../../src/app/recall/brief/brief.ts';
import { recall, type Recalled } from '../../../src/app/recall/recall.ts';
import { createRecord } from '../../../src/app/write/create.ts';
import type { Written } from '../../../src/app/write/written.ts';
import { openProject, openUser } from '../../open.ts';
import { recallContextFor } from '../../open.ts';
import type { Category } from '../../../src/core/record/category.ts';
import { draftFromText } from '../../../src/core/record/from-text.ts';
import { scratch } from '../../scratch.ts';
import { must } from '../memory.ts';

export interface Desk {
  readonly memory: Memory;
  readonly recallContext: RecallContext;
  readonly home: string;
  readonly project: string;
  readonly root: string;
  at(instant: string): void;
  /** Saves what a person would type behind `save CATEGORY`. */
  keep(category: Category, text: string, more?: object): Promise<Written>;
  ask(prompt: string, session?: string): Promise<Recalled>;
  brief(event?: BriefEvent, session?: string): Promise<Brief>;
  write(file: string, text: string): void;
}

interface Setting {
  readonly config?: object;
  /** Preferences of the user's own memory, kept before the project is opened. */
  readonly user?: readonly string[];
  readonly branch?: string;
  readonly workOf?: RecallContext['workOf'];
}

/** A real project with memory, log and user memory on real files. */
export async function context(setting: Setting = {}): Promise<Desk> {
  const folder = scratch();
  const now = { ms: Date.parse('2026-03-01T12:00:00Z') };
  const clock = (): number => now.ms;
  const [home, project] = [path.join(folder, 'home'), path.join(folder, 'shop')];
  const root = path.join(home, 'projects', 'shop');
  const write = (file: string, text: string): void => {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  };
  fs.mkdirSync(project, { recursive: true });
  if (setting.config) write(path.join(root, 'memory-config.json'), JSON.stringify(setting.config));
  if (setting.branch !== undefined) {
    write(path.join(project, '.git', 'HEAD'), `ref: refs/heads/${setting.branch}\n`);
    for (const inner of ['objects', 'refs/heads']) fs.mkdirSync(path.join(project, '.git', inner), { recursive: true });
    write(path.join(project, '.git', 'config'), '[core]\n\trepositoryformatversion = 0\n');
  }
  if (setting.user) {
    const user = openUser({ home, now: clock });
    for (const text of setting.user)
      must(
        await createRecord(user.memory, {
          category: 'preference',
          draft: { ...draftFromText('preference', text), tags: [], trust: 'confirmed' },
          root: 'user',
          actor: 'command',
        }),
      );
    await user.close();
  }
  const opened = must(openProject({ home, cwd: project, now: clock }));
  const { recallContext: found, close } = recallContextFor(opened, { home, now: clock });
  const recallContext = setting.workOf ? { ...found, workOf: setting.workOf } : found;
  onTestFinished(async () => {
    await close();
    await opened.close();
  });
  const { memory } = opened;
  const withSession = (session: string | undefined): object => (session === undefined ? {} : { session });
  return {
    memory,
    recallContext,
    home,
    project,
    root,
    at: (instant) => {
      now.ms = Date.parse(instant);
    },
    keep: async (category, text, more = {}) =>
      must(
        await createRecord(memory, {
          category,
          draft: { ...draftFromText(category, text), tags: [], trust: 'confirmed', ...more },
          root: 'private',
          actor: 'command',
        }),
      ),
    ask: (prompt, session) => recall(memory, recallContext, { prompt, ...withSession(session) }),
    brief: (event = 'startup', session) => brief(memory, recallContext, { event, ...withSession(session) }),
    write,
  };
}

/** The same project opened once more, as the next process would. */
export function reopened({ home, project }: Pick<Desk, 'home' | 'project'>): Memory {
  const opened = must(openProject({ home, cwd: project, now: () => Date.parse('2026-03-01T12:00:00Z') }));
  onTestFinished(opened.close);
  return opened.memory;
}
