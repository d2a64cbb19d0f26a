import type { Memory } from '../../app/memory/memory.ts';
import { show, type Shown } from '../../app/read/show.ts';
import { ok, type Result } from '../../core/result.ts';
import type { ToolContext } from './tool.ts';

/** A record or document by its id, and the memory that holds it: the project's first, then the user's own. */
export async function findRecord(
  shelf: Pick<ToolContext, 'project' | 'user'>,
  id: string,
): Promise<Result<{ readonly memory: Memory; readonly shown: Shown }>> {
  const { memory } = await shelf.project();
  const here = await show(memory, id);
  if (here.ok) return ok({ memory, shown: here.value });
  if (!here.error.missing) return here;
  const user = await shelf.user();
  const there = await show(user, id);
  return there.ok ? ok({ memory: user, shown: there.value }) : here;
}
