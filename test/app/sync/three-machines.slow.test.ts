import fs from 'node:fs';
import { expect, test } from 'vitest';
import { writeDocument } from '../../../src/app/documents/write.ts';
import { versionsIn } from '../../../src/core/record/conflict-markers.ts';
import { ok } from '../../../src/core/result.ts';
import { hasPostgres } from '../../postgres/cluster.ts';
import { forgetForGood } from '../../../src/app/write/forget.ts';
import { mergeConflicts } from '../../../src/app/write/merge-conflicts.ts';
import { catchUp } from '../../../src/app/index/catch-up.ts';
import { rounds } from '../../rounds.ts';
import { scratch } from '../../scratch.ts';
import { must } from '../memory.ts';
import { random, workAtRandom } from '../sharing/clones.ts';
import { syncingMachine, type SyncingMachine } from './machines.ts';
import type { NetworkFault } from './memory-log.ts';
import { memoryServer, postgresServer } from './servers.ts';

const NOTES = { root: 'shared', path: 'context/notes.md' } as const;

/** What a person does with two versions of the notes: all lines of both. */
async function settleNotes({ memory }: SyncingMachine): Promise<void> {
  const versions = versionsIn((await memory.store.read(NOTES))?.text ?? '');
  if (!versions) return;
  const lines = versions.ours.split('\n');
  const more = versions.theirs.split('\n').filter((line) => !lines.includes(line));
  fs.writeFileSync(memory.store.absolute(NOTES), [...lines.slice(0, 1), ...more, ...lines.slice(1)].join('\n'));
}

/** The process dies here. */
class Crash extends Error {}

async function filesOf(who: SyncingMachine): Promise<Record<string, string>> {
  await catchUp(who.memory);
  const found: Record<string, string> = {};
  for (const { root, path } of who.memory.index.files()) {
    const file = root === 'shared' ? await who.memory.store.read({ root, path }) : undefined;
    if (file) found[path] = file.text;
  }
  return found;
}

/** A sync with what can happen to it; whether it went through. */
async function syncAtRisk(who: SyncingMachine): Promise<boolean> {
  try {
    return (await who.sync()).ok;
  } catch (cause) {
    if (cause instanceof Crash) return false;
    throw cause;
  }
}

/** Puts a line somewhere into a document that all share; not while two versions of it wait for a choice. */
async function noteAtRandom({ memory }: SyncingMachine, word: string, place: number): Promise<boolean> {
  const edit = (text = '# Notes\n') => {
    const lines = text.split('\n');
    return ok(lines.toSpliced(1 + Math.floor(place * (lines.length - 1)), 0, `Said ${word}.`).join('\n'));
  };
  return (await writeDocument(memory, { place: NOTES, edit, actor: 'command' })).ok;
}

const HISTORIES = [
  { name: 'a log in memory', open: memoryServer, seeds: rounds(2, 60) },
  ...(hasPostgres ? [{ name: 'PostgreSQL', open: postgresServer, seeds: rounds(2, 30) }] : []),
].flatMap(({ name, seeds, open }) => Array.from({ length: seeds }, (_, seed) => [name, seed, open] as const));

test.each(HISTORIES)(
  'three machines, offline spells, cut connections, crashes and a restored server come to the same files, with every word (%s, seed %i)',
  async (_name, seed, open) => {
    const chance = random(seed * 7919 + 1);
    const folder = scratch();
    let risk = 1;
    const fault = (): NetworkFault => (chance() < 0.08 * risk ? 'before' : chance() < 0.08 * risk ? 'after' : 'none');
    const server = await open(fault);
    const names = ['ada', 'bob', 'cai'];
    const machines = names.map((name) => {
      const machine = syncingMachine(folder, name, server.remote(name));
      const { write } = machine.state;
      machine.state.write = (text) => {
        if (chance() < 0.05 * risk) throw new Crash();
        write(text);
      };
      return machine;
    });
    const words: { word: string; path: string }[] = [];
    const forgotten = new Set<string>();
    let [restores, settled] = [0, 0];
    for (let step = 0; step < 45; step++) {
      const at = Math.floor(chance() * 3);
      const who = machines[at] as SyncingMachine;
      const kind = chance();
      if (kind < 0.42) {
        const done = await workAtRandom(who, `${names[at]}x${step}x`, 1 + Math.floor(chance() * 2), chance);
        for (const [path, word] of done.created) words.push({ word, path });
        for (const [path, all] of done.edited) words.push(...all.map((word) => ({ word, path })));
      } else if (kind < 0.52) {
        const word = `${names[at]}w${step}w`;
        if (await noteAtRandom(who, word, chance())) words.push({ word, path: NOTES.path });
      } else if (kind < 0.88) await syncAtRisk(who);
      else if (kind < 0.91) {
        const places = who.memory.index.items({ kind: 'record', root: 'shared' });
        const place = places[Math.floor(chance() * places.length)];
        if (place) {
          forgotten.add(place.path);
          await forgetForGood(who.memory, [{ root: 'shared', path: place.path }], { actor: 'command' });
        }
      } else if (kind < 0.95) await server.backUp();
      else {
        await server.restore();
        restores += 1;
      }
    }
    risk = 0;
    for (let round = 0; round < 6; round++) {
      for (const who of machines) {
        await settleNotes(who);
        settled += (await mergeConflicts(who.memory, { actor: 'command' }, 'ours')).merged.length;
        must(await who.sync());
      }
    }
    const [first = {}, ...others] = await Promise.all(machines.map(filesOf));
    for (const other of others) expect(other).toEqual(first);
    const heads = (await server.heads()).filter(({ kind }) => kind === 'text');
    expect(heads.map(({ body }) => (JSON.parse(body ?? '{}') as { path: string }).path).toSorted()).toEqual(Object.keys(first).toSorted());
    const all = Object.values(first).join('\n');
    const missing = words.filter(({ word, path }) => !forgotten.has(path) && !new RegExp(`${word}(?!\\d)`).test(all));
    expect(missing, `restores ${restores}, settled ${settled}`).toEqual([]);
    for (const who of machines) expect(must(await who.sync())).toMatchObject({ sent: [], received: [], conflicts: [], merged: [] });
  },
  120_000,
);
