import { utcSeconds } from '../../../core/instant.ts';
import { entryLine } from '../../../recall/inject/entry.ts';
import { cut, plain } from '../../../recall/inject/plain.ts';
import { catchUp } from '../../index/catch-up.ts';
import type { Memory } from '../../memory/memory.ts';
import type { Bearings } from '../bearings.ts';
import { nameOf, readEntry } from '../entry.ts';
import type { Piece } from './piece.ts';
import { linesSaid } from './state.ts';

const SECTION = '## Preferences';
const LINES = 12;
const LINE = 160;
const RECORDS = 10;

/** What the user wants in every project first, then what is wanted in this one. */
export async function preferencePieces(memory: Memory, bearings: Bearings): Promise<readonly Piece[]> {
  const { user } = bearings;
  if (user) await catchUp(user, 'sweep');
  const own = user ? [...(await profileLines(user)), ...(await records(user, bearings))] : [];
  const pieces = [...own, ...(await records(memory, bearings))];
  return pieces.map((piece, at) => ({ ...piece, line: { ...piece.line, section: SECTION, rank: 11 + 3 * at } }));
}

async function profileLines(user: Memory): Promise<Piece[]> {
  const file = await user.store.read({ root: 'user', path: 'preferences.md' });
  if (!file) return [];
  return linesSaid(file.text)
    .slice(0, LINES)
    .map((text, at) => ({
      line: { id: `user/preferences:${at + 1}`, rank: 0, forms: [`- ${cut(plain(text), LINE)}`] },
      title: cut(plain(text), 60),
      updatedAt: utcSeconds(file.mtimeMs),
      reason: "the user's own preferences",
    }));
}

async function records(memory: Memory, bearings: Bearings): Promise<Piece[]> {
  const items = memory.index
    .recent({ kind: 'record', category: 'preference', status: 'active' }, RECORDS * 2)
    .filter((item) => item.trust !== 'quarantined' && item.supersededBy === undefined)
    .slice(0, RECORDS)
    .toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.path < b.path ? -1 : 1));
  const pieces: Piece[] = [];
  for (const item of items) {
    const read = await readEntry(memory, item, bearings);
    if (read) pieces.push({ line: { ...entryLine(read.entry), rank: 0 }, title: nameOf(item), updatedAt: item.updatedAt, reason: 'a preference' });
  }
  return pieces;
}
