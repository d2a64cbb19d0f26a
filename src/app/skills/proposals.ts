import type { InjectionLog } from '../../core/ports/injection-log.ts';
import type { ItemFacts } from '../../core/ports/index.ts';
import type { RecordOf } from '../../core/record/schema.ts';
import { SKILL_FOLDERS, skillNameOf, skillPlace } from '../../core/record/skill-place.ts';
import { waitsForReview } from '../../core/trust/review.ts';
import { isWelcome } from '../../core/use/item-use.ts';
import { isMadeFrom } from '../../render/skill.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { shortId } from '../read/resolve.ts';
import { recordName } from '../recall/entry.ts';
import { currentRecord } from '../write/current.ts';
import { dismissedSkills } from './dismissed.ts';

/** Sessions that must have used a runbook before it is proposed as a skill. */
const ENOUGH_USE = 2;

/** A runbook that agents use often and that could become a skill of the project. */
export interface SkillProposal {
  readonly item: ItemFacts;
  readonly record: RecordOf<'runbook'>;
  readonly name: string;
  readonly shortId: string;
  /** Sessions that used it, and sessions that were shown it. */
  readonly used: number;
  readonly shown: number;
}

/** Whether the project has a skill that was made from this runbook. */
async function isSkill({ store }: Memory, id: string): Promise<boolean> {
  for (const folder of SKILL_FOLDERS) {
    const file = await store.read(skillPlace(folder, skillNameOf(id)));
    if (file && isMadeFrom(file.text, id)) return true;
  }
  return false;
}

/** Accepted runbooks that were used often, are no skill yet and were not dismissed; the most used first. */
export async function skillProposals(memory: Memory, log: Pick<InjectionLog, 'receptionOf'>): Promise<readonly SkillProposal[]> {
  if (!memory.store.hasSkills) return [];
  await catchUp(memory);
  const items = memory.index.items({ kind: 'record', category: 'runbook', status: 'active' });
  const received = log.receptionOf(items.map(recordName));
  const dismissed = await dismissedSkills(memory);
  const proposals: SkillProposal[] = [];
  for (const item of items) {
    const name = recordName(item);
    const reception = received.get(name);
    const { used = 0, shown = 0 } = reception?.use ?? {};
    if (used < ENOUGH_USE || !isWelcome(name, reception) || dismissed.has(name)) continue;
    const current = await currentRecord(memory, item);
    if (!current.ok || current.value.record.category !== 'runbook' || waitsForReview(current.value.record)) continue;
    const { record } = current.value;
    if (!(await isSkill(memory, record.id))) proposals.push({ item, record, name, shortId: shortId(memory, item), used, shown });
  }
  return proposals.toSorted((a, b) => b.used - a.used || (a.name < b.name ? -1 : 1));
}
