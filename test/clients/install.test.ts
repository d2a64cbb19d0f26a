import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesUnder } from '../scratch.ts';
import { clients } from './sandbox/clients.ts';
import { holdfast, MARKETPLACE, memoryOf, PLUGIN } from './sandbox/plugin.ts';
import { registryOf } from './sandbox/registry.ts';
import { sandbox, type Sandbox } from './sandbox/sandbox.ts';

/** The marketplace that is published with the repository; it names the npm package. */
const PUBLISHED = path.resolve(import.meta.dirname, '../..');
const QUEUE = 'Use SQLite for the order queue because it needs no server';

/** Rewrites one field of a JSON file. */
const setVersion = (file: string, version: string): void => {
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), version }));
};

const plugin = async (box: Sandbox, ...words: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await box.run('plugin', ...words);
  expect(code, `plugin ${words.join(' ')}: ${stdout}${stderr}`).toBe(0);
  return stdout;
};

/** What a session that starts now is told about the queue. */
const told = async (box: Sandbox): Promise<boolean> => {
  box.model.forget();
  await box.run('-p', 'Good morning');
  return box.model.asked.some(({ text }) => text.includes(QUEUE));
};

describe.each(clients)('Claude Code $version', (client) => {
  test('validates the plugin and its marketplace', async () => {
    const box = await sandbox(client);
    for (const folder of [PLUGIN, MARKETPLACE, PUBLISHED]) {
      expect(await plugin(box, 'validate', folder)).toMatch(/Validation passed$/m);
    }
  });

  test('installs, updates, disables and uninstalls it; memories stay and nothing else does', async () => {
    const box = await sandbox(client);
    const shelf = path.join(box.home, 'marketplace');
    cpSync(MARKETPLACE, shelf, { recursive: true });
    holdfast(box, 'config', 'set', 'on', 'true');
    holdfast(box, 'save', 'decision', QUEUE);
    expect(await told(box)).toBe(false);

    await plugin(box, 'marketplace', 'add', shelf);
    await plugin(box, 'install', 'memory@holdfast');
    expect(await told(box)).toBe(true);

    for (const file of ['.claude-plugin/plugin.json', 'package.json']) setVersion(path.join(shelf, 'claude-code', file), '99.0.0');
    await plugin(box, 'marketplace', 'update', 'holdfast');
    await plugin(box, 'update', 'memory@holdfast');
    expect(readdirSync(path.join(box.config, 'plugins/cache/holdfast/memory'))).toContain('99.0.0');
    expect(await told(box)).toBe(true);

    await plugin(box, 'disable', 'memory@holdfast');
    expect(await told(box)).toBe(false);

    const before = filesUnder(memoryOf(box));
    await plugin(box, 'uninstall', 'memory@holdfast');
    await plugin(box, 'marketplace', 'remove', 'holdfast');
    expect(await told(box)).toBe(false);
    expect(filesUnder(memoryOf(box))).toEqual(before);
    expect(Object.keys(before).some((file) => file.startsWith('decisions/'))).toBe(true);
    expect(existsSync(path.join(box.config, 'plugins/data/memory-holdfast'))).toBe(false);
    expect(readFileSync(path.join(box.config, 'settings.json'), 'utf8')).not.toContain('memory@holdfast');
    expect(await box.left()).toEqual([]);
  });

  test('installs from the published marketplace, as the npm package that it names', async () => {
    const box = await sandbox(client);
    const shelf = path.join(box.home, 'published');
    cpSync(path.join(PUBLISHED, '.claude-plugin'), path.join(shelf, '.claude-plugin'), { recursive: true });
    const env = { npm_config_registry: await registryOf(PLUGIN, path.join(box.home, 'packed')), npm_config_cache: path.join(box.home, 'npm') };
    Object.assign(box.env, env);
    holdfast(box, 'config', 'set', 'on', 'true');
    holdfast(box, 'save', 'decision', QUEUE);
    await plugin(box, 'marketplace', 'add', shelf);
    await plugin(box, 'install', 'memory@holdfast');
    expect(await told(box)).toBe(true);
    expect(await box.left()).toEqual([]);
  });
});
