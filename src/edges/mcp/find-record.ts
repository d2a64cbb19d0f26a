import type { Memory } from '../../app/memory/memory.ts';
import { show, type Shown } from '../../app/read/show.ts';
import { ok, type Result } from '../../core/result.ts';
import type { ToolContext } from './tool.ts';

/** Finds a record or document by id: in the project's memory first, then in the user's. */
export async function findRecord(
  context: Pick<ToolContext, 'project' | 'user'>,
  id: string,
): Promise<Result<{ readonly memory: Memory; readonly shown: Shown }>> {
  const { memory } = await context.project();
  const here = await show(memory, id);
  if (here.ok) return ok({ memory, shown: here.value });
  if (!here.error.missing) return here;
  const user = await context.user();
  const there = await show(user, id);
  return there.ok ? ok({ memory: user, shown: there.value }) : here;
}
