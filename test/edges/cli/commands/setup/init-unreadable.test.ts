import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../../program.ts';
import { init, settled } from './user-place.ts';

/** What the user has there, without Holdfast's own state. */
const filesUnder = (folder: string): Record<string, string> =>
  Object.fromEntries(
    fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .map((entry) => [entry.isFile(), path.join(entry.parentPath, entry.name)] as const)
      .filter(([isFile, file]) => isFile && !file.startsWith(path.join(folder, 'home', 'holdfast')))
      .map(([, file]) => [path.relative(folder, file), fs.readFileSync(file, 'latin1')]),
  );

test('settings that cannot be read stand in the way of their own client alone: at init, at --remove and in doctor', () => {
  const there = settled({ '.qwen/x': '', '.factory/settings.json': '{}', '.copilot/mcp-config.json': '{}', '.config/kilo/kilo.json': '[]' });
  fs.mkdirSync(path.join(there.user, '.gemini/settings.json'), { recursive: true });
  fs.writeFileSync(path.join(there.user, '.qwen/settings.json'), Buffer.from('{"a":"\xff"}', 'latin1'));
  fs.mkdirSync(path.join(there.user, '.codex'));
  fs.writeFileSync(path.join(there.user, '.codex/config.toml'), '# large\n'.repeat(200_000));
  const before = filesUnder(there.user);
  const { code, out } = init(there, '--client', 'all', '--yes');
  expect(code).toBe(0);
  expect(out).toContain('set up: claude-code, copilot, droid');
  for (const [client, why] of [
    ['gemini', 'is not a regular file'],
    ['qwen', 'is not UTF-8'],
    ['codex', 'is larger than'],
    ['kilo', 'is not a JSON object'],
  ] as const)
    expect(out).toMatch(new RegExp(`Left out: ${client} \\(.*${why}`));
  const doctor = runProgram(['doctor'], { cwd: there.project, env: { HOLDFAST_HOME: there.home, HOME: there.user } });
  expect(doctor).toMatchObject({ code: 0, out: expect.stringContaining('client  gemini: its settings cannot be read') as string });
  expect(doctor.out).toContain('start droid in this project');
  const removed = init(there, '--client', 'all', '--remove', '--yes');
  expect(removed).toMatchObject({ code: 0, out: expect.stringContaining('Left out: gemini') as string });
  expect(filesUnder(there.user)).toEqual(before);
});
