import type { FileRef } from '../../core/ports/store.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { mayConfirm } from '../../core/trust/trust.ts';
import type { Memory } from '../memory/memory.ts';
import { writing, type Author } from '../write/transaction.ts';

/** Runbooks, as `category/id`, that the user does not want as skills. */
const PLACE: FileRef = { root: 'private', path: '_skills.json' };

export async function dismissedSkills({ store }: Pick<Memory, 'store'>): Promise<ReadonlySet<string>> {
  try {
    const names: unknown = JSON.parse((await store.read(PLACE))?.text ?? '[]');
    return new Set(Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []);
  } catch (cause) {
    // With a damaged file, at worst a runbook is proposed again.
    if (cause instanceof SyntaxError) return new Set();
    throw cause;
  }
}

/** Stops proposing a runbook; undo reverts this. */
export async function dismissSkill(memory: Memory, name: string, author: Author): Promise<Result<void>> {
  if (!mayConfirm(author.actor)) return onlyByPerson('dismiss a proposal');
  return writing(memory, author, async (write) => {
    const names = await dismissedSkills(memory);
    if (!names.has(name)) await write.apply({ ...PLACE, op: 'write', id: name, text: `${JSON.stringify([...names, name].toSorted(), undefined, 2)}\n` });
    return ok(undefined);
  });
}

export const onlyByPerson = (action: string): Result<never> =>
  refuse('SECURITY_ERROR', `Only a person may ${action}, and this is the shell of an agent.`, { hint: 'run holdfast promote in a terminal of your own' });
