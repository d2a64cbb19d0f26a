import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HookLogFolder } from '../../../adapters/files/hook-log.ts';
import { placesIn, VECTORS_FILE } from '../../../adapters/files/home-layout.ts';
import { runIfUnlocked } from '../../../adapters/files/lock.ts';
import { openDatabase } from '../../../adapters/sqlite/binding.ts';
import { report } from './run-hook.ts';
import { openLocated, openUser } from '../open-project.ts';
import { locateOn } from '../locate.ts';

/**
 * Embeds what is new in a project and in the user's own memory, in a background process. Only where `embed` was run before:
 * nothing goes out to an embedder unasked.
 */
export async function embedPendingIn(home: string, cwd: string, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const now = Date.now;
  const { hooks, state, userState } = placesIn(home);
  try {
    const located = locateOn(cwd, { home, now });
    if (!located) return;
    const own = state(located.project.key);
    const open = [
      ...(existsSync(join(own, VECTORS_FILE)) ? [openLocated(located, { home, now })] : []),
      ...(existsSync(join(userState, VECTORS_FILE)) ? [openUser({ home, now })] : []),
    ];
    const memories = open.map(({ memory }) => memory).filter(({ config }) => config.get('embed.provider') !== 'none');
    try {
      if (memories.length === 0) return;
      await runIfUnlocked(join(own, 'embed.lock'), openDatabase, async () => {
        const { embedPending } = await import('../../../app/runtime/embed-pending.ts');
        const { openEmbeddingIn } = await import('../open-embedding.ts');
        await embedPending(memories, openEmbeddingIn({ home, env, hurried: false }), now);
      });
    } finally {
      for (const { leave } of open) await leave();
    }
  } catch (cause) {
    report(new HookLogFolder(hooks), { client: 'claude-code', event: 'finish' }, cause, now());
  }
}
