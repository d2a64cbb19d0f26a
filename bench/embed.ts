import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { placesIn, VECTORS_FILE } from '../src/adapters/files/home-layout.ts';
import { installModel } from '../src/adapters/model/embed/install.ts';
import { ThreadEmbedder } from '../src/adapters/model/embed/thread.ts';
import { SqliteVectors } from '../src/adapters/sqlite/vectors/vectors.ts';
import { itemTexts } from '../src/app/embedding/embed.ts';
import { openProject } from '../test/open.ts';
import { inputFor, pause, type Place, serve, WELCOME } from './hooks/server.ts';
import { median, rng } from './measure.ts';
import { layOutProject, queryForRecord } from './records/made-up.ts';

/** The cost of the sentence model: to install, to load, for a text, and for a prompt in a project of 10,000 records. Fetches it with npm, or uses the folder named with `--model`. */
const SIZE = process.argv.includes('--quick') ? 1_000 : 10_000;
const RUNS = 41;
const TEXTS = 40;
const BAR_MS = 60;
const CHUNK =
  'We moved the nightly export to a queue because the web server timed out on large customers. Retries are limited to three, and what still fails is listed in the report that support reads in the morning.';
const PROMPT = 'why does the nightly export go through the queue and not the web server';

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;

async function install(home: string): Promise<string | undefined> {
  const folder = path.join(placesIn(home).embedder, 'minilm');
  const at = process.argv.indexOf('--model');
  if (at > 0) {
    fs.cpSync(path.resolve(process.argv[at + 1] ?? '.'), folder, { recursive: true });
    return folder;
  }
  const started = performance.now();
  const installed = await installModel({ folder, env: process.env });
  if (!installed.ok) {
    console.log(`skipped: ${installed.error.message}`);
    return undefined;
  }
  const bytes = fs.readdirSync(folder).reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0);
  console.log(`install                    ${((performance.now() - started) / 1000).toFixed(1)} s, ${megabytes(bytes)} on disk`);
  return folder;
}

/** The model by itself: load, memory, processor time a text. */
async function measureModel(folder: string): Promise<void> {
  const embedder = new ThreadEmbedder({ folder });
  const [started, before] = [performance.now(), process.memoryUsage.rss()];
  await embedder.embed(['load'], 'query');
  console.log(`load                       ${(performance.now() - started).toFixed(0)} ms, ${megabytes(process.memoryUsage.rss() - before)} of memory`);
  for (const [name, text] of [
    ['a chunk, 200 characters', CHUNK],
    ['a prompt, 70 characters', PROMPT],
  ] as const) {
    const [cpu, times] = [process.cpuUsage(), [] as number[]];
    for (let n = 0; n < TEXTS; n++) {
      const at = performance.now();
      await embedder.embed([`${n}. ${text}`], 'passage');
      times.push(performance.now() - at);
    }
    const { user, system } = process.cpuUsage(cpu);
    console.log(`${name.padEnd(26)} ${median(times).toFixed(1)} ms, ${((user + system) / 1000 / TEXTS).toFixed(1)} ms of processor time`);
  }
  embedder.close();
}

/** A random vector for every record: the cost of a search does not depend on the values, and 10,000 real vectors take ten minutes. */
async function fillVectors({ home, project }: Pick<Place, 'home' | 'project'>): Promise<void> {
  const opened = openProject({ home, cwd: project, now: Date.now });
  if (!opened.ok) throw new Error(opened.error.message);
  const { memory } = opened.value;
  const random = rng(11);
  const store = new SqliteVectors(path.join(placesIn(home).state(memory.key), VECTORS_FILE));
  const { name } = new ThreadEmbedder({ folder: '' });
  const texts = await itemTexts(memory.index).chunks(-1, SIZE + 100);
  store.put(
    name,
    texts.map(({ id, label = '', text }) => ({
      key: id,
      label,
      digest: memory.md5(text).slice(0, 16),
      vector: Float32Array.from({ length: 384 }, () => (random() - 0.5) / 5.6),
    })),
  );
  store.complete(name);
  store.close();
  await opened.value.close();
}

/** Memory and processor time of a process, on systems with /proc. */
function usage(pid: number | undefined): { readonly memory: string; readonly cpuMs: number } | undefined {
  const folder = `/proc/${pid}`;
  if (!fs.existsSync(folder)) return undefined;
  const rss = Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`${folder}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  const [user = 0, system = 0] = fs
    .readFileSync(`${folder}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return { memory: megabytes(rss), cpuMs: (user + system) * 10 };
}

async function measurePrompts(place: Place, name: string, warms: boolean): Promise<number> {
  const server = serve(place);
  await server.ask('initialize', WELCOME);
  const prompt = async (): Promise<number> => {
    const started = performance.now();
    await server.ask('tools/call', { name: 'client_event', arguments: { event: 'UserPromptSubmit', ...inputFor('UserPromptSubmit', place) } });
    return performance.now() - started;
  };
  for (let n = 0; n < 5; n++) await prompt();
  await pause(warms ? 8_000 : 500);
  for (let n = 0; n < 5; n++) await prompt();
  const times: number[] = [];
  const before = usage(server.pid);
  for (let n = 0; n < RUNS; n++) times.push(await prompt());
  const [middle, after] = [median(times), usage(server.pid)];
  const used = before && after ? `, ${((after.cpuMs - before.cpuMs) / RUNS).toFixed(1)} ms of processor time, server ${after.memory}` : '';
  console.log(`${name.padEnd(26)} ${middle.toFixed(1)} ms, longest ${Math.max(...times).toFixed(0)} ms${used}`);
  await server.end();
  return middle;
}

async function main(): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
  try {
    const laid = await layOutProject(folder, SIZE);
    const model = await install(laid.home);
    if (model === undefined) return;
    await fillVectors(laid);
    await measureModel(model);
    const empty = median(
      Array.from({ length: 11 }, () => {
        const started = performance.now();
        spawnSync(process.execPath, ['-e', '0']);
        return performance.now() - started;
      }),
    );
    const place = { ...laid, prompt: () => `Why did we decide on ${queryForRecord(SIZE).split(' ').slice(0, 3).join(' ')} for this part of the project?` };
    console.log(`node -e 0                  ${empty.toFixed(1)} ms: the machine is quiet at about 24`);
    await measurePrompts(place, `prompt, ${SIZE} records`, false);
    fs.writeFileSync(path.join(laid.home, 'settings.json'), JSON.stringify({ memory: { embed: { provider: 'minilm' } } }));
    const middle = await measurePrompts(place, '  with MiniLM warm', true);
    console.log(`bar ${BAR_MS} ms: ${middle <= BAR_MS ? 'met' : 'MISSED'}`);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
  }
}

void main();
