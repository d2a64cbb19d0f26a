import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Memory } from '../../../src/app/memory/memory.ts';
import type { RecallContext } from '../../../src/app/recall/recall-context.ts';
import { recall } from '../../../src/app/recall/recall.ts';
import { createRecord } from '../../../src/app/write/create.ts';
import { openEpisodes } from '../../../src/bin/wiring/episodes.ts';
import { openProject } from '../../open.ts';
import { recallContextFor } from '../../open.ts';
import { draftFromText } from '../../../src/core/record/from-text.ts';
import { scratch } from '../../scratch.ts';
import { must } from '../memory.ts';

const TALK: readonly (readonly [session: string, id: string, text: string])[] = [
  ['s1', 'm1', 'The Fuchsia printer in the basement jams whenever labels are thicker than card.'],
  ['s1', 'm2', 'Then feed the Fuchsia printer labels from the rear tray, so that it jams less often.'],
  ['s2', 'm3', 'We painted the fence on Sunday.'],
  ['s2', 'm4', 'The kettle is broken again.'],
];

async function opened(isDated = true): Promise<{ readonly memory: Memory; readonly recallContext: RecallContext }> {
  const folder = scratch();
  const [home, project] = [path.join(folder, 'home'), path.join(folder, 'shop')];
  fs.mkdirSync(project);
  const rows = TALK.map(([session_id, message_id, text], at) => ({
    project,
    session_id,
    message_id,
    role: 'user',
    ...(isDated && { timestamp: `2026-02-0${at + 1}T10:00:00Z` }),
    text,
  }));
  fs.writeFileSync(path.join(folder, 'chat.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  const episodes = openEpisodes({ home, homeNamed: true, projectNamed: true, env: {}, now: Date.now, current: async () => ({ key: 'shop', path: project }) });
  must(await episodes.import({ paths: [path.join(folder, 'chat.jsonl')], format: 'chat' }));
  await episodes.close();
  const found = must(openProject({ home, cwd: project, now: Date.now }));
  const { recallContext, close } = recallContextFor(found, { home, now: Date.now }, true);
  onTestFinished(async () => {
    await close();
    await found.close();
  });
  return { memory: found.memory, recallContext };
}

const ASKED = 'the Fuchsia printer jams on thick labels';

describe('what was said in a session', () => {
  test('is quoted under its session, with the day and who said it', async () => {
    const { memory, recallContext } = await opened();
    const { injected, text } = await recall(memory, recallContext, { prompt: ASKED });
    expect(injected.map(({ id }) => id)).toEqual(['m1']);
    expect(text).toMatch(/\nsession s1 \(2026-02-01\):\n- user: .*\n- user: Then feed the Fuchsia printer labels from the rear tray/);
  });

  test('is not quoted any more once four sessions made nothing of it', async () => {
    const { memory, recallContext } = await opened();
    const ignore = (nth: number): void => recallContext.log.noteUses(`n${nth}`, '2026-03-01T10:00:00Z', [{ id: 'm1', outcome: 'unused', updatedAt: '' }]);
    for (let nth = 0; nth < 3; nth++) ignore(nth);
    expect((await recall(memory, recallContext, { prompt: ASKED })).text).toContain('rear tray');
    ignore(3);
    expect((await recall(memory, recallContext, { prompt: ASKED })).text).toBe('');
  });

  test('has no invented day where the transcript has no times', async () => {
    const { memory, recallContext } = await opened(false);
    const { text } = await recall(memory, recallContext, { prompt: ASKED });
    expect(text).toContain('session s1 (undated):\n');
    expect(text).not.toContain('1970');
  });

  test('is not quoted for a prompt about something else, nor in the session that said it, nor twice', async () => {
    const { memory, recallContext } = await opened();
    expect((await recall(memory, recallContext, { prompt: 'make the printer preview of the report wider' })).injected).toEqual([]);
    expect((await recall(memory, recallContext, { prompt: ASKED, session: 's1' })).injected).toEqual([]);
    expect((await recall(memory, recallContext, { prompt: ASKED, session: 's9' })).injected).toHaveLength(1);
    expect((await recall(memory, recallContext, { prompt: ASKED, session: 's9' })).injected).toEqual([]);
  });

  test('comes after the records, which are read in full', async () => {
    const { memory, recallContext } = await opened();
    const draft = { ...draftFromText('runbook', 'When the Fuchsia printer jams on thick labels, use the rear tray'), tags: [], trust: 'confirmed' };
    must(await createRecord(memory, { category: 'runbook', draft, root: 'private', actor: 'command' }));
    const { injected } = await recall(memory, recallContext, { prompt: ASKED });
    expect(injected.map(({ id }) => id)).toEqual([expect.stringMatching(/^runbook\//), 'm1']);
  });
});
