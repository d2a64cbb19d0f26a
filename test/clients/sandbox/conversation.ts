import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Client } from './clients.ts';
import { PLUGIN } from './plugin.ts';
import type { Sandbox } from './sandbox.ts';

/** Several prompts to one running client, as an editor that embeds it would send them. */
export interface Conversation {
  /** Sends a prompt and waits for the end of the turn; gives what was said last. */
  readonly say: (words: string) => Promise<string>;
  readonly close: () => Promise<number | null>;
}

interface Row {
  readonly type: string;
  readonly result?: string;
}

const STREAMS = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
const TURN_LIMIT_MS = 60_000;

export function converse(client: Client, box: Sandbox, ...args: readonly string[]): Conversation {
  const child = spawn(client.program, ['--plugin-dir', PLUGIN, '-p', ...STREAMS, ...args], {
    cwd: box.project,
    env: box.env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = new Promise<number | null>((done) => child.on('exit', (code) => done(code)));
  let answer: ((said: string) => void) | undefined;
  createInterface(child.stdout).on('line', (line) => {
    const row = JSON.parse(line) as Row;
    if (row.type === 'result') answer?.(row.result ?? '');
  });
  return {
    say: async (words) => {
      const said = new Promise<string>((done, failed) => {
        answer = done;
        setTimeout(() => failed(new Error(`no end of the turn after "${words}"`)), TURN_LIMIT_MS).unref();
        void ended.then((code) => failed(new Error(`the client ended with ${code} after "${words}"`)));
      });
      child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: words } })}\n`);
      return said;
    },
    close: () => {
      child.stdin.end();
      return ended;
    },
  };
}
