import type { Memory } from '../../app/memory/memory.ts';
import { statusOfMemory } from '../../app/read/status.ts';
import { search } from '../../app/search/search.ts';
import { createRecord } from '../../app/write/create.ts';
import { isCategory } from '../../core/record/category.ts';
import type { Draft } from '../../core/record/draft.ts';

export interface TourGuide {
  say(line: string): void;
  readonly samples: readonly Draft[];
  /** The next question of the visitor; undefined ends the tour. */
  ask(): Promise<string | undefined>;
}

const QUESTION = 'why do we keep sessions in cookies?';

/** Shows the main job on a memory: keep, look, ask. */
export async function tour(memory: Memory, guide: TourGuide): Promise<boolean> {
  guide.say('1. Saving what a coding session left behind');
  for (const sample of guide.samples) {
    const category = sample['category'];
    if (!isCategory(category)) continue;
    const { category: _named, ...draft } = sample;
    const saved = await createRecord(memory, {
      category,
      draft: { ...draft, trust: 'confirmed', origin: { channel: 'command' } },
      root: 'private',
      actor: 'tour',
    });
    guide.say(saved.ok ? `   ${saved.value.status.padEnd(9)} ${category}/${saved.value.record.id}` : `   ${saved.error.code}: ${saved.error.message}`);
    if (!saved.ok) return false;
  }

  const status = await statusOfMemory(memory);
  guide.say('');
  guide.say('2. What it remembers');
  for (const { category, active } of status.categories) if (active > 0) guide.say(`   ${String(active).padStart(3)} ${category}`);

  guide.say('');
  guide.say(`3. Asking: ${QUESTION}`);
  const found = await answer(memory, guide, QUESTION);
  for (let question = await guide.ask(); question !== undefined; question = await guide.ask()) await answer(memory, guide, question);
  return found;
}

async function answer(memory: Memory, guide: TourGuide, query: string): Promise<boolean> {
  const hits = await search(memory, { query, limit: 3, filter: {} });
  if (hits.length === 0) guide.say('   nothing found');
  for (const { id, title, snippet } of hits) {
    guide.say(`   ${id}  ${title}`);
    guide.say(`      ${snippet}`);
  }
  return hits.length > 0;
}
