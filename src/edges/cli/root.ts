import type { Memory } from '../../app/memory/memory.ts';
import type { RootName } from '../../core/ports/store.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import type { Arguments } from './command.ts';

/** The root that `--user`, `--shared` or the setting names, if this memory has it. */
export function rootFor(memory: Memory, args: Arguments): Result<RootName> {
  const root = args.flag('user') ? 'user' : args.flag('shared') ? 'shared' : memory.config.get('storage.root');
  if (memory.store.roots.includes(root)) return ok(root);
  return refuse('USAGE_ERROR', `This memory has no ${root} root.`, {
    hint: 'run the command in a project whose .claude folder is neither the home nor a symbolic link',
  });
}
