import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Client } from './clients.ts';
import { PLUGIN } from './plugin.ts';
import { isBusy } from './processes.ts';
import type { Sandbox } from './sandbox.ts';

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;
if (!hasTmux) console.log('SKIPPED: the tests of the terminal need tmux, which is not installed here');

/** A terminal with the client in it. */
export function openTerminal(client: Client, box: Sandbox, [width, height] = [110, 40], ...options: readonly string[]) {
  const socket = path.join(box.home, 'tmux');
  const tmux = (...args: readonly string[]): string => spawnSync('tmux', ['-S', socket, ...args], { cwd: box.project, env: box.env, encoding: 'utf8' }).stdout;
  tmux(
    '-f',
    '/dev/null',
    'new-session',
    '-d',
    '-s',
    'client',
    '-x',
    `${width}`,
    '-y',
    `${height}`,
    `'${client.program}' --plugin-dir '${PLUGIN}' ${options.join(' ')}`,
  );
  onTestFinished(() => void tmux('kill-server'));
  const screen = (): string => tmux('capture-pane', '-p', '-t', 'client').replaceAll(/[ \t]+$/gm, '');
  /** The screen with its escape sequences for colour. */
  const colouredScreen = (): string => tmux('capture-pane', '-p', '-e', '-t', 'client');
  /** Waits for words on the screen. */
  const shows = async (words: string | RegExp): Promise<string> => {
    for (let tries = 0; tries < 300; tries++) {
      if (typeof words === 'string' ? screen().includes(words) : words.test(screen())) return screen();
      await sleep(100);
    }
    throw new Error(`the screen never showed ${String(words)}:\n${screen()}`);
  };
  const type = async (line: string): Promise<void> => {
    tmux('send-keys', '-t', 'client', '-l', '--', line);
    await sleep(400);
    tmux('send-keys', '-t', 'client', 'Enter');
  };
  return { screen, colouredScreen, shows, type };
}

const QUIET_SAMPLES = 15;
/** Where no processes are told of, three seconds have to do. */
const MOST_SAMPLES = process.platform === 'linux' ? 600 : 30;

/** A terminal whose client has its server: what is typed before that is answered without one. Client and server have answered each other when both have nothing to do. */
export async function openWithServer(client: Client, box: Sandbox, size: readonly [number, number]): Promise<ReturnType<typeof openTerminal>> {
  // The check of auto mode runs on a server that the scripted model is not.
  const shell = openTerminal(client, box, [...size], '--permission-mode', 'default');
  await shell.shows(/❯|>/);
  for (let quiet = 0, tries = 0; quiet < QUIET_SAMPLES && tries < MOST_SAMPLES; tries++, await sleep(100)) {
    const living = box.living();
    const hasServer = living.some(({ command }) => command.includes('mcp.js'));
    quiet = hasServer && !living.some(({ pid }) => isBusy(pid)) ? quiet + 1 : 0;
  }
  return shell;
}
