import { it } from 'vitest';

/** The ways in which hostile bytes reach Holdfast. */
export type Door = 'repository' | 'transcript' | 'settings' | 'mcp' | 'hook' | 'bundle' | 'migration' | 'terminal';

declare module 'vitest' {
  interface TaskMeta {
    door?: Door;
  }
}

/** `npm run test:attacks` tries every input, `npm test` every fourth of each list. */
const STEP = process.env['HOLDFAST_ATTACKS'] === 'all' ? 1 : 4;

/** One test for each hostile input; `scripts/attack-counts.js` counts them by door. */
export function attack<Input>(
  door: Door,
  name: string,
  inputs: readonly (readonly [label: string, input: Input])[],
  expectHeld: (input: Input) => void | Promise<void>,
): void {
  for (const [index, [label, input]] of inputs.entries()) {
    if (index % STEP !== 0) continue;
    it(`${door}: ${name}: ${label}`, { meta: { door } }, () => expectHeld(input));
  }
}
