import fs from 'node:fs';
import path from 'node:path';
import { FolderWatch } from '../../../src/adapters/files/watch.ts';
import { timers } from '../../../src/adapters/process/running.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { IdleWarmup } from '../../../src/app/runtime/idle-warmup.ts';
import { openProject } from '../../open.ts';
import { OpenProjects } from '../../../src/app/runtime/open-projects.ts';
import { sessionMachineAt } from '../../../src/bin/wiring/session-machine.ts';
import { openMessages } from '../../../src/bin/wiring/messages.ts';
import { openEmbeddingIn } from '../../../src/bin/wiring/embedding.ts';
import { TaskQueue } from '../../../src/core/task-queue.ts';
import { must, save } from '../memory.ts';
import { scratch } from '../../scratch.ts';
import { PATIENCE } from '../../patience.ts';

/** A project with a record and so many copies of it, all of them older than a second, and a server's warm-up of it. */
async function watched({ copies = 0, isOn = true } = {}) {
  const folder = scratch();
  const [home, project] = [path.join(folder, 'home'), path.join(folder, 'shop')];
  fs.mkdirSync(project, { recursive: true });
  const opened = openProject({ home, cwd: project, now: Date.now });
  if (!opened.ok) throw new Error(opened.error.message);
  const { file, record } = must(await save(opened.value.memory, 'runbook', { title: 'Restart the worker' }));
  const [text, runbooks] = [fs.readFileSync(file, 'utf8'), path.dirname(file)];
  for (let n = 0; n < copies; n++) fs.writeFileSync(path.join(runbooks, `copy-${n}.md`), text.replace(`id: ${record.id}`, `id: copy-${n}`));
  const old = new Date(Date.now() - 60_000);
  for (const name of ['', ...fs.readdirSync(runbooks)]) fs.utimesSync(path.join(runbooks, name), old, old);
  await opened.value.memory.repairViews();
  await opened.value.close();
  const elsewhere: number[] = [];
  const projects = new OpenProjects(
    {
      machine: sessionMachineAt({ home, env: {} }),
      client: () => 'claude-code',
      openMessages: (key) => openMessages(home, key),
      openEmbedding: async () => openEmbeddingIn({ home, env: {}, urgent: true }),
      repairViews: () => {},
    },
    (wait) => wait(),
  );
  let checks = 0;
  const context = async () => {
    checks++;
    return isOn ? (await projects.open(project)).hookContext() : undefined;
  };
  const turns = new TaskQueue();
  const planned = new Set<() => void>();
  const warmup = new IdleWarmup({
    context,
    turns,
    checkInBackground: () => elsewhere.push(Date.now()),
    timers: {
      after: (ms, work) => {
        const cancelTimer = timers.after(ms, () => {
          planned.delete(cancel);
          work();
        });
        const cancel = (): void => {
          planned.delete(cancel);
          cancelTimer();
        };
        planned.add(cancel);
        return cancel;
      },
    },
    watch: (changed) => new FolderWatch(changed),
  });
  onTestFinished(async () => {
    warmup.close();
    await projects.close();
  });
  const { memory } = await projects.open(project);
  const edit = (title: string): void => fs.writeFileSync(file, text.replace('Restart the worker', title));
  const titles = (): readonly string[] => memory.index.byId(record.id).map(({ title }) => title);
  return {
    warmup,
    memory,
    edit,
    titles,
    elsewhere,
    turns,
    isPlanned: () => planned.size > 0,
    checks: () => checks,
    state: path.join(home, 'holdfast', 'projects', 'shop'),
  };
}

test('what a hand changed before the server came is known before anybody asks, and what it changes afterwards too', async () => {
  const { warmup, edit, titles, checks, turns, state } = await watched({ copies: 100 });
  edit('Drain the kettle');
  warmup.startWhenIdle();
  await vi.waitFor(() => expect(titles()).toEqual(['Drain the kettle']), PATIENCE);
  edit('Polish the samovar, at length');
  await vi.waitFor(() => expect(titles()).toEqual(['Polish the samovar, at length']), PATIENCE);
  // A look at each edit, and the rehearsal of a file, a brief and eight prompts.
  await vi.waitUntil(() => checks() >= 12, PATIENCE);
  await turns.run(async () => {});
  // The rehearsal's answer was shown to no session.
  expect(fs.readdirSync(state).filter((name) => name.startsWith('injections'))).toEqual([]);
});

test('whoever asks waits until the memory is looked at, and no longer', async () => {
  const { warmup, edit, titles, checks, isPlanned } = await watched();
  edit('Drain the kettle');
  warmup.startWhenIdle();
  await warmup.finishFirstCheck();
  expect(titles()).toEqual(['Drain the kettle']);
  warmup.startWhenIdle();
  expect([checks(), isPlanned()]).toEqual([1, false]);
});

test('in a large memory the rest is looked at by another process', async () => {
  const { warmup, edit, elsewhere } = await watched({ copies: 2_100 });
  await warmup.finishFirstCheck();
  expect(elsewhere).toEqual([]);
  edit('Drain the kettle');
  await vi.waitFor(() => expect(elsewhere).toHaveLength(1), PATIENCE);
});

test('where memory is off nothing is looked at', async () => {
  const { warmup, edit, titles } = await watched({ isOn: false });
  edit('Drain the kettle');
  warmup.startWhenIdle();
  await warmup.finishFirstCheck();
  expect(titles()).not.toContain('Drain the kettle');
});
