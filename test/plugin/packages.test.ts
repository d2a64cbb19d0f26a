import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const PLUGINS = path.resolve(import.meta.dirname, '../../dist/plugin');
const json = (...parts: readonly string[]): Record<string, unknown> =>
  JSON.parse(fs.readFileSync(path.join(PLUGINS, ...parts), 'utf8')) as Record<string, unknown>;

test.each([
  ['gemini', '', 'gemini-extension.json', '${extensionPath}', 'gemini'],
  ['codex', 'memory', '.codex-plugin/plugin.json', '${CLAUDE_PLUGIN_ROOT}', 'codex'],
])('the package for %s is complete: manifest, hooks that run its own program, server and native code', (place, inner, manifest, folder, client) => {
  const own = path.join(PLUGINS, place, inner);
  expect(json(place, inner, manifest)).toMatchObject({ version: expect.stringMatching(/^\d/) as string, description: expect.any(String) as string });
  const commands = JSON.stringify(json(place, inner, 'hooks/hooks.json')).match(/node \\"[^"]*\\" \w+ \w+/g) ?? [];
  expect(commands.length).toBeGreaterThan(4);
  for (const command of commands) expect(command).toMatch(new RegExp(`^node \\\\"${folder.replace(/[${}]/g, '\\$&')}/dist/hook\\.js\\\\" \\w+ ${client}$`));
  for (const file of ['dist/hook.js', 'dist/mcp.js', 'dist/cli.js', 'dist/holdfast.js', 'native', 'LICENSE', 'skills/memory-search/SKILL.md'])
    expect(fs.existsSync(path.join(own, file)), file).toBe(true);
});

test('Codex’s package is a marketplace of its own; Gemini’s has the commands', () => {
  expect(json('codex', '.claude-plugin/marketplace.json')).toMatchObject({ name: 'holdfast', plugins: [{ name: 'memory', source: './memory' }] });
  const commands = fs.readdirSync(path.join(PLUGINS, 'gemini/commands/memory'));
  expect(commands).toContain('recall.toml');
  expect(fs.readFileSync(path.join(PLUGINS, 'gemini/commands/memory/recall.toml'), 'utf8')).toContain('{{args}}');
});
