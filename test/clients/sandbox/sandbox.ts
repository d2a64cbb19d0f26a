import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { startModel, type Model } from '../model/server.ts';
import type { Client } from './clients.ts';
import { processesWith, stop, type Started } from './processes.ts';

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Sandbox {
  readonly home: string;
  /** The client's configuration folder, which is the home of the memory as well. */
  readonly config: string;
  readonly project: string;
  readonly model: Model;
  readonly env: Readonly<Record<string, string>>;
  /** Runs the client with these arguments, input closed. */
  readonly run: (...args: readonly string[]) => Promise<Outcome>;
  /** The same in another folder. */
  readonly runIn: (folder: string, ...args: readonly string[]) => Promise<Outcome>;
  readonly living: () => readonly Started[];
  /** The processes that still run after background work has had its time. */
  readonly left: () => Promise<readonly Started[]>;
}

const RUN_LIMIT_MS = 120_000;

/** Answers to what the client asks a newcomer: onboarding, this folder, this key. */
const welcomed = (project: string, key: string): string =>
  JSON.stringify({
    hasCompletedOnboarding: true,
    lastOnboardingVersion: '99.0.0',
    theme: 'dark',
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  });

const KEY = 'scripted-key-for-loopback-only';

/** Nothing of the caller's environment but the search path: no key, no home, no proxy gets in. */
const environment = (home: string, config: string, url: string, id: string): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME: home,
  CLAUDE_CONFIG_DIR: config,
  TMPDIR: path.join(home, 'tmp'),
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
  SHELL: '/bin/bash',
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: KEY,
  HOLDFAST_SANDBOX: id,
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_INSTALLATION_CHECKS: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
});

const runIn = (program: string, args: readonly string[], cwd: string, env: Record<string, string>): Promise<Outcome> =>
  new Promise((done, failed) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const out = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (out.stderr += text));
    const timer = setTimeout(() => child.kill('SIGKILL'), RUN_LIMIT_MS);
    child.on('error', failed);
    // Not `close`: a child of the client that outlives it must not keep the test waiting.
    child.on('exit', (code) => {
      clearTimeout(timer);
      setImmediate(() => done({ code, ...out }));
    });
  });

/** A home, a project under git and a scripted model, all gone after the test with every process that was started in them. */
export async function sandbox(client: Client): Promise<Sandbox> {
  const top = realpathSync(mkdtempSync(path.join(tmpdir(), 'holdfast-client-')));
  const [home, project] = [path.join(top, 'home'), path.join(top, 'shop')];
  const config = path.join(home, '.claude');
  for (const folder of [config, path.join(home, 'tmp'), project]) mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(config, '.claude.json'), welcomed(project, KEY));
  spawnSync('git', ['init', '-q', project]);
  const model = await startModel();
  const id = randomUUID();
  const env = environment(home, config, model.url, id);
  const living = () => processesWith(`HOLDFAST_SANDBOX=${id}`);
  const left = async (): Promise<readonly Started[]> => {
    for (let tries = 0; living().length > 0 && tries < 200; tries++) await sleep(100);
    return living();
  };
  onTestFinished(async () => {
    for (const { pid } of living()) stop(pid);
    await model.close();
    rmSync(top, { recursive: true, force: true, maxRetries: 5 });
  });
  return {
    home,
    config,
    project,
    model,
    env,
    living,
    left,
    run: (...args) => runIn(client.program, args, project, env),
    runIn: (folder, ...args) => runIn(client.program, args, folder, env),
  };
}
