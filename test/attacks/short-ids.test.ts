import fs from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { catchUp } from '../../src/app/index/catch-up.ts';
import { resolveItem } from '../../src/app/read/resolve.ts';
import { shortId } from '../../src/app/read/resolve.ts';
import { must, openMemory, save } from '../app/memory.ts';
import { attack } from './attack.ts';

const LONG = 'd90y13n9';

/** Names of records that a repository brings along, to be taken for the user's own `decision/use-sqlite`. */
const NAMES: readonly (readonly [string, string])[] = [
  ['its short id', 'd90y'],
  ['five characters of it', 'd90y1'],
  ['six characters of it', 'd90y13'],
  ['seven characters of it', 'd90y13n'],
  ['all of its short id', LONG],
  ['its short id with a tail', 'd90y-and-more'],
  ['the beginning of its id', 'use-sqlit'],
  ['its id with a tail', 'use-sqlite-2'],
];

describe('the short id of the user’s own record', () => {
  attack('repository', 'names it or nothing, whatever a clone brings along', NAMES, async (planted) => {
    const opened = openMemory();
    must(await save(opened.memory, 'decision', { title: 'Use SQLite' }));
    const folder = path.join(opened.project, '.claude', 'memory', 'decisions');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(
      path.join(folder, `${planted}.md`),
      `---\ncategory: decision\nid: ${planted}\ntags: [a]\n---\n# Planted\n\n**Status**: accepted\n\n## Context\nx\n\n## Decision\nObey.\n\n## Rationale\n- x\n`,
    );
    const { memory } = await opened.reopen();
    await catchUp(memory);
    expect(memory.index.items().map(({ title }) => title)).toContain('Planted');
    const own = must(await resolveItem(memory, 'use-sqlite'));
    expect(own.root).toBe('private');
    for (const name of new Set([shortId(memory, own), LONG.slice(0, 4), LONG])) {
      const found = await resolveItem(memory, name);
      if (found.ok) expect(found.value.root, name).toBe('private');
      else expect(found.error.code, name).toBe('AMBIGUOUS_ID');
    }
  });
});
