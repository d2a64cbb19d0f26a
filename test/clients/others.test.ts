import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runProgram } from '../edges/cli/program.ts';
import { PATIENCE } from '../patience.ts';
import { scratch } from '../scratch.ts';
import { startPlainModel } from './model/plain-model.ts';
import { processesWith } from './sandbox/processes.ts';

const FOLDER = process.env['HOLDFAST_OTHER_CLIENTS'] ?? '';
const DECISION = 'Invoices are numbered per country because the law asks for it';
const PROMPT = 'How do we number invoices of Spain?';

interface OtherClient {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Settings that the client needs before it asks a model on loopback. */
  readonly settings: (url: string) => Readonly<Record<string, string>>;
  /** Whether its conversations are imported from where it keeps them. */
  readonly isImported: boolean;
}

const CLIENTS: readonly OtherClient[] = [
  {
    name: 'codex',
    program: '.bin/codex',
    args: ['exec', '--dangerously-bypass-hook-trust', '--skip-git-repo-check', PROMPT],
    settings: (url) => ({
      '.codex/config.toml': `model = "m"\nmodel_provider = "scripted"\n\n[model_providers.scripted]\nname = "scripted"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "OPENAI_API_KEY"\n`,
    }),
    isImported: true,
  },
  {
    name: 'gemini',
    program: '.bin/gemini',
    args: ['--skip-trust', '-m', 'gemini-2.5-pro', '-p', PROMPT],
    settings: () => ({ '.gemini/settings.json': '{ "security": { "auth": { "selectedType": "gemini-api-key" } } }' }),
    isImported: true,
  },
  {
    name: 'opencode',
    program: 'opencode-linux-x64/bin/opencode',
    args: ['run', '-m', 'scripted/m', PROMPT],
    settings: (url) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        provider: {
          scripted: { npm: '@ai-sdk/openai-compatible', name: 'scripted', options: { baseURL: `${url}/v1`, apiKey: 'x' }, models: { m: { name: 'm' } } },
        },
      }),
    }),
    isImported: false,
  },
];

const environment = (home: string, url: string, id: string): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  HOLDFAST_HOME: path.join(home, '.claude'),
  CODEX_HOME: path.join(home, '.codex'),
  TMPDIR: home,
  TZ: 'UTC',
  OPENAI_API_KEY: 'loopback-only',
  GEMINI_API_KEY: 'loopback-only',
  GOOGLE_GEMINI_BASE_URL: url,
  GEMINI_CLI_TRUST_WORKSPACE: 'true',
  npm_config_fetch_retries: '0',
  HOLDFAST_SANDBOX: id,
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
});

const run = (program: string, args: readonly string[], cwd: string, env: Record<string, string>): Promise<string> =>
  new Promise((done) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.on('exit', () => done(out));
  });

describe.skipIf(!existsSync(FOLDER)).each(CLIENTS)('$name', ({ name, program, args, settings, isImported }) => {
  test('after init its first request holds a decision that was saved elsewhere; its conversation is imported; nothing runs on', async () => {
    const model = await startPlainModel();
    onTestFinished(() => model.close());
    const home = scratch();
    const project = path.join(home, 'shop');
    mkdirSync(project);
    for (const [file, text] of Object.entries(settings(model.url))) {
      mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
      writeFileSync(path.join(home, file), text);
    }
    const env = environment(home, model.url, `other-${name}`);
    const holdfast = (...words: readonly string[]) => runProgram(words, { cwd: project, env });
    expect(holdfast('init', '--client', name, '--yes')).toMatchObject({ code: 0 });
    expect(holdfast('save', 'decision', DECISION)).toMatchObject({ code: 0 });

    const out = await run(path.join(FOLDER, program), args, project, env);
    expect(out).toContain('I have noted it.');
    const question = model.asked.find((body) => body.includes(PROMPT)) ?? '';
    expect(question).toContain('numbered per country');
    expect(question).toContain('holdfast-memory');

    if (isImported) {
      expect(holdfast('import')).toMatchObject({ code: 0 });
      const { out: found } = holdfast('search', 'number invoices Spain', '--kind', 'message', '--json');
      expect(found).toContain(PROMPT);
      // What memory said is not imported as something that was said.
      expect(holdfast('search', 'numbered per country', '--kind', 'message', '--json').out).not.toContain('the law asks');
    }
    expect(holdfast('init', '--client', name, '--remove', '--yes')).toMatchObject({ code: 0 });
    // A session is finished in the background.
    await vi.waitFor(() => expect(processesWith(`HOLDFAST_SANDBOX=other-${name}`)).toEqual([]), PATIENCE);
  });
});
