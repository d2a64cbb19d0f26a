import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { isFinishing, newestProcess } from './finishing.ts';
import { PATIENCE } from './patience.ts';

/** Where tests keep their files: in memory if `npm test` found room there, otherwise in the system's folder for temporary files. */
export const temporaryFolder = (): string => process.env['HOLDFAST_TEST_FOLDER'] ?? os.tmpdir();

/** A folder that is gone when the test is over. */
export function scratch(): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(temporaryFolder(), 'holdfast-test-')));
  const before = newestProcess();
  onTestFinished(async () => {
    fs.chmodSync(folder, 0o700);
    // Processes that hooks left to finish a session are at work there until they end.
    await vi.waitUntil(() => !isFinishing(folder, before), PATIENCE);
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 15, retryDelay: 100 });
  }, 120_000);
  return folder;
}

/** Every file under a folder with its text, by relative path. */
export function filesUnder(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (at: string): void => {
    for (const entry of fs.readdirSync(at, { withFileTypes: true })) {
      const file = path.join(at, entry.name);
      if (entry.isDirectory()) visit(file);
      else if (entry.isFile()) found[path.relative(folder, file)] = fs.readFileSync(file, 'latin1');
    }
  };
  if (fs.existsSync(folder)) visit(folder);
  return found;
}
