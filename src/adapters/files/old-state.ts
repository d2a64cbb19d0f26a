import { rmSync } from 'node:fs';
import { join } from 'node:path';

/** Removes what versions before 0.2 kept for the start of a session. */
export function removeOldState(home: string, state: string): void {
  const old = [
    ...['ahead', 'served', 'owed'].map((name) => join(home, 'holdfast', name)),
    ...['injections.pending', 'feedback.said', 'finishing', 'embedding'].map((name) => join(state, name)),
  ];
  for (const path of old) rmSync(path, { recursive: true, force: true });
}
