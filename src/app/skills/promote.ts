import type { FileRef } from '../../core/ports/store.ts';
import type { ItemFacts } from '../../core/ports/index.ts';
import { isSkillName, skillNameOf, skillPlace, type SkillFolder } from '../../core/record/skill-place.ts';
import { redact } from '../../core/redact/text.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { waitsForReview } from '../../core/trust/review.ts';
import { mayConfirm } from '../../core/trust/trust.ts';
import { isMadeFrom, renderSkill } from '../../render/skill.ts';
import type { Memory } from '../memory/memory.ts';
import { shortId } from '../read/resolve.ts';
import { recordName } from '../recall/entry.ts';
import { currentRecord } from '../write/current.ts';
import { writing, type Author } from '../write/transaction.ts';
import { onlyByPerson } from './dismissed.ts';

/** The skill that a runbook would become; nothing is written yet. */
export interface SkillPlan {
  readonly place: FileRef;
  /** The absolute path. */
  readonly file: string;
  readonly text: string;
  readonly status: 'created' | 'updated' | 'unchanged';
  readonly id: string;
  readonly title: string;
  /** The file's hash when the plan was made. */
  readonly before: string | undefined;
}

export interface SkillRequest {
  readonly folder: SkillFolder;
  /** The skill's name; the id of the runbook without it. */
  readonly name?: string | undefined;
}

export async function planSkill(memory: Memory, item: ItemFacts, { folder, name }: SkillRequest): Promise<Result<SkillPlan>> {
  if (!memory.store.hasSkills)
    return refuse('INPUT_ERROR', 'This project has no folder here that a skill can be written into.', {
      hint: 'its folder must exist, and .claude in it must not be a link',
    });
  const current = await currentRecord(memory, item);
  if (!current.ok) return current;
  const { record } = current.value;
  const [id, short] = [recordName(record), shortId(memory, item)];
  if (record.category !== 'runbook') return refuse('INPUT_ERROR', `${id} is not a runbook.`, { hint: 'only runbooks become skills' });
  if (item.status !== 'active') return refuse('INPUT_ERROR', `${id} is ${item.status}.`, { hint: `holdfast restore ${short} brings it back` });
  if (waitsForReview(record))
    return refuse('SECURITY_ERROR', `${id} waits in the inbox.`, {
      hint: `agents follow skills as instructions: review it first, then run holdfast inbox accept ${short}`,
    });
  const called = name ?? skillNameOf(record.id);
  if (!isSkillName(called))
    return refuse('USAGE_ERROR', `${JSON.stringify(called.slice(0, 80))} cannot name a skill.`, {
      hint: 'a name has 1 to 64 lower-case letters, digits and single hyphens',
    });
  const place = skillPlace(folder, called);
  const { text } = redact(renderSkill(record, called, folder));
  const plan = { place, file: memory.store.absolute(place), text, id, title: record.title };
  if ((await memory.store.stat(place)) === undefined) return ok({ ...plan, status: 'created', before: undefined });
  const there = await memory.store.read(place);
  if (there?.text === text) return ok({ ...plan, status: 'unchanged', before: there.hash });
  const written = (await memory.store.journal.entries()).findLast((entry) => entry.root === place.root && entry.path === place.path);
  if (there && isMadeFrom(there.text, record.id) && written?.after === there.hash) return ok({ ...plan, status: 'updated', before: there.hash });
  return refuse('CREATE_OVERWRITE_ERROR', `${place.path} already exists and was not written by holdfast promote, or was edited since.`, {
    hint: 'give another --name, or move that file away',
  });
}

/** Writes the planned skill. Only a person may turn a text into an instruction for agents. */
export async function writeSkill(memory: Memory, plan: SkillPlan, author: Author): Promise<Result<SkillPlan>> {
  const { place, text, status, id, title, before } = plan;
  if (!mayConfirm(author.actor)) return onlyByPerson('make a runbook a skill');
  if (status === 'unchanged') return ok(plan);
  return writing(memory, author, async (write) => {
    if ((await memory.store.read(place))?.hash !== before) return refuse('OCC_CONFLICT', `${place.path} has changed meanwhile.`, { hint: 'try again' });
    await write.apply({ ...place, op: status === 'created' ? 'create' : 'write', id, title, text });
    return ok(plan);
  });
}
