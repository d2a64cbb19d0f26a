import type { Memory } from '../../app/memory/memory.ts';
import type { RootName } from '../../core/ports/store.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Arguments } from './command.ts';

/** The root that `--user`, `--shared` or the setting names, if this memory has it. */
export function rootFor(memory: Memory, args: Arguments): Result<RootName> {
  const root = args.flag('user') ? 'user' : args.flag('shared') ? 'shared' : memory.config.get('storage.root');
  if (memory.store.roots.includes(root)) return ok(root);
  return refuse('USAGE_ERROR', `this memory has no ${root} root`, {
    hint: 'run it in a project of its own, whose .claude folder is not the home and leads nowhere else',
  });
}
