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

interface Screen {
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A terminal in which a command of the shell runs. */
export function openScreen(command: string, { home, project, env }: Screen, [width, height] = [110, 40]) {
  const socket = path.join(home, 'tmux');
  const tmux = (...args: readonly string[]): string => spawnSync('tmux', ['-S', socket, ...args], { cwd: project, env, encoding: 'utf8' }).stdout;
  tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'client', '-x', `${width}`, '-y', `${height}`, command);
  onTestFinished(() => void tmux('kill-server'));
  const screen = (): string => tmux('capture-pane', '-p', '-t', 'client').replaceAll(/[ \t]+$/gm, '');
  /** The screen with its escape sequences for colour. */
  const colouredScreen = (): string => tmux('capture-pane', '-p', '-e', '-t', 'client');
  /** Waits for words on the screen. */
  const shows = async (words: string | RegExp): Promise<string> => {
    for (let tries = 0; tries < 900; tries++) {
      if (typeof words === 'string' ? screen().includes(words) : words.test(screen())) return screen();
      await sleep(100);
    }
    throw new Error(`the screen never showed ${String(words)}:\n${screen()}`);
  };
  const press = (key: string): void => void tmux('send-keys', '-t', 'client', key);
  const type = async (line: string): Promise<void> => {
    tmux('send-keys', '-t', 'client', '-l', '--', line);
    await sleep(400);
    press('Enter');
  };
  return { screen, colouredScreen, shows, type, press };
}

/** A terminal with Claude Code in it. */
export const openTerminal = (client: Client, box: Sandbox, size: readonly [number, number] = [110, 40], ...options: readonly string[]) =>
  openScreen(`'${client.program}' --plugin-dir '${PLUGIN}' ${options.join(' ')}`, box, [...size]);

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
