import path from 'node:path';
import { expect, test } from 'vitest';
import { SqliteInjectionLog } from '../../../src/adapters/sqlite/injections.ts';
import { saveVerdict, undoAction } from '../../../src/app/page/acts.ts';
import type { Memory } from '../../../src/app/memory/memory.ts';
import { scratch } from '../../scratch.ts';
import { must, openMemory, save } from '../memory.ts';

test('a verdict is taken back although a second passes while it is saved', async () => {
  const { memory } = openMemory();
  const { record } = must(await save(memory, 'runbook', { title: 'Restart the worker' }));
  const log = new SqliteInjectionLog(path.join(scratch(), 'injections.db'));
  let ms = memory.now();
  const ticking: Memory = Object.assign(Object.create(memory) as Memory, { now: () => (ms += 1_000) });
  const saved = must(await saveVerdict(ticking, log, { id: record.id, verdict: 'wrong' }));
  const id = `runbook/${record.id}`;
  expect(log.verdicts([id]).get(id)).toMatchObject({ wrong: 1 });
  if (!saved.undo) throw new Error('there is nothing to undo');
  const settings = (): never => {
    throw new Error('no setting is changed');
  };
  must(await undoAction({ memory: ticking, log, settings }, saved.undo, 'page'));
  expect(log.verdicts([id]).get(id)).toBeUndefined();
  log.close();
});
