import { runCached } from './compose/compile-cache.ts';
import { answerQuickly } from './compose/quick-hook.ts';
import { readHookInput } from './compose/stdin.ts';
import type { Late } from './late/hook.ts';

const event = process.argv[2] === 'SessionEnd' ? 'SessionEnd' : 'SessionStart';
const folder = import.meta.dirname;

async function answer(): Promise<void> {
  const input = await readHookInput();
  if (answerQuickly({ event, input, env: process.env, client: 'claude-code', folder })) return;
  const { answerWhole } = runCached(folder, 'late-hook.js', require, event === 'SessionStart') as Late;
  await answerWhole(event, input);
}

// A client that Holdfast itself started is kept out of its hooks.
if (process.env['HOLDFAST_CHILD'] !== '1') void answer();
