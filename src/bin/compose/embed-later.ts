import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HookLogFolder } from '../../adapters/files/hook-log.ts';
import { catchUp } from '../../app/index/catch-up.ts';
import type { Memory } from '../../app/memory/memory.ts';
import { runIfUnlocked } from './finish.ts';
import { report } from './hook.ts';
import { locateOn } from '../wiring/locate.ts';
import { placesIn, VECTORS_FILE } from '../../adapters/files/home-layout.ts';
import { openLocated, openUser } from './project.ts';

type Env = Readonly<Record<string, string | undefined>>;

const CLIENT = 'claude-code';
/** What is left is for the next time, or for `holdfast embed`. */
const MOST_MS = 60_000;

/**
 * Gives what is new in a project and in the user's own memory its vectors, in a process that nobody waits for. Only where somebody has run `embed` before:
 * what goes out to an embedder does not begin by itself. One that does not answer is left in peace; `doctor` counts what has no vector.
 */
export async function embedLater(home: string, cwd: string, env: Env): Promise<void> {
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
      if (memories.length > 0) await runIfUnlocked(join(own, 'embed.lock'), () => embedNew(memories, home, env));
    } finally {
      for (const { leave } of open) await leave();
    }
  } catch (cause) {
    report(new HookLogFolder(hooks), { client: CLIENT, event: 'finish' }, cause, now());
  }
}

async function embedNew(memories: readonly Memory[], home: string, env: Env): Promise<void> {
  const { openEmbedding } = await import('./embedding.ts');
  const { embedPlace } = await import('../../app/embedding/place.ts');
  const embedding = openEmbedding({ home, env, hurried: false });
  const until = Date.now() + MOST_MS;
  try {
    for (const memory of memories) {
      const place = embedding.of(memory);
      if (!place.ok || place.value === undefined) continue;
      await catchUp(memory);
      await embedPlace(place.value, { md5: memory.md5, goesOn: () => Date.now() < until });
    }
  } finally {
    embedding.close();
  }
}
