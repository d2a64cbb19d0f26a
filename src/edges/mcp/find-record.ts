import type { Memory } from '../../app/memory/memory.ts';
import { show, type Shown } from '../../app/read/show.ts';
import { recordName } from '../../app/recall/entry.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { ToolContext } from './tool.ts';

/** Whether the id is complete: a beginning may fit records of both the project and the user. */
const isWholeName = (id: string, { item }: Shown): boolean => id === item.id || id === recordName(item) || id === item.path;

/** Finds a record or document by id: in the project's memory first, then in the user's. */
export async function findRecord(
  context: Pick<ToolContext, 'project' | 'user'>,
  id: string,
): Promise<Result<{ readonly memory: Memory; readonly shown: Shown }>> {
  const { memory } = await context.project();
  const here = await show(memory, id);
  if (here.ok && isWholeName(id, here.value)) return ok({ memory, shown: here.value });
  if (!here.ok && !here.error.missing) return here;
  const user = await context.user();
  const there = await show(user, id);
  if (!here.ok) return there.ok ? ok({ memory: user, shown: there.value }) : here;
  if (!there.ok) return there.error.missing ? ok({ memory, shown: here.value }) : there;
  return refuse(
    'AMBIGUOUS_ID',
    `${JSON.stringify(id)} could be ${recordName(here.value.item)} of the project or ${recordName(there.value.item)} of the user's memory`,
    {
      hint: 'give the whole id',
    },
  );
}
