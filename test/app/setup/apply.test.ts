import { expect, test } from 'vitest';
import { clientSetup } from '../../../src/app/setup/apply.ts';
import type { OtherPlaces } from '../../../src/app/setup/other-clients.ts';
import type { SetupPlaces } from '../../../src/app/setup/plan.ts';
import type { SetupFiles } from '../../../src/core/ports/client-files.ts';
import { ok, refuse } from '../../../src/core/result.ts';

/** Files in memory, of which one refuses to be written. */
function filesIn(texts: Map<string, string>, refused: () => string): SetupFiles {
  return {
    check: () => undefined,
    hasFolder: () => false,
    read: (file) => texts.get(file),
    write: (file, text) => {
      if (file === refused()) return refuse('PATH_ERROR', `cannot write ${file}`);
      if (text === undefined) texts.delete(file);
      else texts.set(file, text);
      return ok(undefined);
    },
    newFolder: () => undefined,
    removeEmpty: () => undefined,
    readBackup: (of) => texts.get(`backup of ${of}`),
    writeBackup: (of, text) => void (text === undefined ? texts.delete(`backup of ${of}`) : texts.set(`backup of ${of}`, text)),
  };
}

const PLACES: SetupPlaces = {
  worktree: '/shop',
  settings: '/shop/.claude/settings.local.json',
  servers: '/shop/.mcp.json',
  config: '/home/projects/shop/memory-config.json',
  everywhere: '/home',
  here: '/shop/.claude',
  plugin: '/plugin',
  node: 'node',
  dist: '/dist',
  server: { command: 'holdfast', args: ['mcp'] },
};
const OTHERS: OtherPlaces = { folders: {} as OtherPlaces['folders'], program: ['holdfast'], opencodePlugin: '/plugin/opencode.js' };

test('a file that cannot be written leaves the files before it as they were, at init and at --remove', async () => {
  const texts = new Map([[PLACES.servers, '{}']]);
  let refused = PLACES.servers;
  const setup = clientSetup(
    PLACES,
    OTHERS,
    filesIn(texts, () => refused),
    async () => undefined,
  );
  const planned = setup.plan(['claude-code']);
  if (!planned.ok) throw new Error(planned.error.message);
  const before = new Map(texts);
  const withoutNotes = (): Map<string, string> => new Map([...texts].filter(([file]) => !file.startsWith('backup')));
  expect(await setup.apply(planned.value, false)).toMatchObject({ ok: false, error: { message: `cannot write ${PLACES.servers}; nothing was changed` } });
  expect(withoutNotes()).toEqual(before);

  refused = '';
  expect(await setup.apply(planned.value, false)).toMatchObject({ ok: true });
  const after = withoutNotes();
  expect([...after.keys()].toSorted()).toEqual([PLACES.settings, PLACES.servers, PLACES.config].toSorted());

  refused = PLACES.servers;
  const removal = setup.removal(['claude-code']);
  if (!removal.ok) throw new Error(removal.error.message);
  expect(await setup.apply(removal.value, true)).toMatchObject({ ok: false });
  expect(withoutNotes()).toEqual(after);
  refused = '';
  expect(await setup.apply(removal.value, true)).toMatchObject({ ok: true });
  expect(texts).toEqual(before);
});
