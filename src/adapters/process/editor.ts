import type { Environment } from '../../core/ports/host.ts';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ok, refuse, type Result } from '../../core/result.ts';

interface EditorResult {
  readonly text: string;
  /** Where the changed text stays if saving it fails. */
  readonly tempFile: string;
  readonly discard: () => void;
}

/** Lets the user change a text in their own editor; the file stays when something goes wrong afterwards. */
export function editText(env: Environment, name: string, text: string): Result<EditorResult | undefined> {
  const configured = env['VISUAL'] || env['EDITOR'];
  // An agent's shell has no user at the editor; the client would wait until it times out.
  if (env['CLAUDECODE'] === '1' || (!configured && !process.stdin.isTTY)) {
    return refuse('USAGE_ERROR', 'No terminal to open an editor in.', { hint: 'run the command in a terminal, or pass the text with the command' });
  }
  const editor = configured || (process.platform === 'win32' ? 'notepad' : 'vi');
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-edit-')), name);
  fs.writeFileSync(file, text, { mode: 0o600 });
  const [command = 'vi', ...args] = editor.split(/\s+/);
  const run = spawnSync(command, [...args, file], { stdio: 'inherit' });
  if (run.error || run.status !== 0) {
    return refuse('USAGE_ERROR', `The editor ${JSON.stringify(editor)} failed: ${run.error?.message ?? run.status}`, {
      hint: 'set VISUAL or EDITOR; nothing was changed',
    });
  }
  const changed = fs.readFileSync(file, 'utf8');
  const discard = (): void => fs.rmSync(path.dirname(file), { recursive: true, force: true });
  if (changed !== text) return ok({ text: changed, tempFile: file, discard });
  discard();
  return ok(undefined);
}
