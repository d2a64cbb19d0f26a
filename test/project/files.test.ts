import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** Whatever opens, reads or writes a file's content; to look whether one is there is left to all. */
const OPENERS =
  /^(?:open|openSync|opendir|opendirSync|readFile|readFileSync|createReadStream|writeFile|writeFileSync|createWriteStream|appendFile|appendFileSync|copyFile|copyFileSync|cp|cpSync|truncate|truncateSync|default|\*)$/;

/** Which modules may open which files. Only `outside/` opens files that others made, such as those of a repository. */
const MAY: Readonly<Record<string, 'outside' | 'memory' | 'state' | 'given' | 'git' | 'transcript' | 'program'>> = {
  'src/adapters/files/outside/read.ts': 'outside',
  'src/adapters/files/outside/walk.ts': 'outside',
  // The kernel's list of mounts.
  'src/adapters/files/outside/mounts.ts': 'program',
  'src/adapters/files/outside/write.ts': 'outside',
  // Records and documents: no links, regular files, within the limits.
  'src/adapters/files/regular-file.ts': 'memory',
  'src/adapters/files/durable.ts': 'memory',
  // Holdfast's own files under the home.
  'src/adapters/files/erasure.ts': 'state',
  'src/adapters/files/hook-log.ts': 'state',
  // Reads every regular file under the home, to find what is left of a forgotten record.
  'src/adapters/files/text-sweep.ts': 'state',
  'src/adapters/files/journal.ts': 'state',
  'src/adapters/files/token-ledger.ts': 'state',
  'src/adapters/files/project-folders.ts': 'state',
  'src/adapters/files/session-states.ts': 'state',
  'src/adapters/files/staging.ts': 'state',
  'src/adapters/episodes/archive.ts': 'state',
  'src/adapters/sqlite/binding.ts': 'state',
  'src/adapters/git/history.ts': 'state',
  // The sentence model: packed files that npm fetched, opened only after their hash was compared, and why the model last failed.
  'src/adapters/model/embed/install.ts': 'state',
  'src/adapters/files/team-files.ts': 'state',
  'src/adapters/model/embed/setup.ts': 'state',
  // PostgreSQL's programs from npm, and the folder of a server that Holdfast starts.
  'src/adapters/postgres/cluster/binaries.ts': 'program',
  'src/adapters/postgres/cluster/cluster.ts': 'state',
  // A file that a person named on the command line.
  'src/adapters/files/tar.ts': 'given',
  'src/adapters/files/outside/foreign-memories.ts': 'given',
  'src/adapters/process/terminal.ts': 'given',
  // Files of git, which may be hostile: regular ones only, limited, and a content's hash.
  'src/adapters/git/refs.ts': 'git',
  'src/adapters/git/read.ts': 'git',
  'src/adapters/git/run.ts': 'git',
  // Conversations that a client wrote: regular files only, a line at a time.
  'src/adapters/episodes/lines.ts': 'transcript',
  // Standard input, the editor, and the program's own files.
  'src/adapters/process/running.ts': 'program',
  'src/adapters/process/stdin.ts': 'program',
  'src/bin/run.ts': 'program',
  'src/bin/slash.ts': 'program',
  'src/adapters/process/load-cached.ts': 'program',
  'src/adapters/process/editor.ts': 'program',
  'src/adapters/process/typed-words.ts': 'program',
  // The built files of the web page, and the note of where it runs.
  'src/adapters/process/view-page.ts': 'program',
};

function opens(file: string): boolean {
  const text = readFileSync(path.join(root, file), 'utf8');
  if (/getBuiltinModule\('node:fs/.test(text)) return true;
  return parseSync(file, text).program.body.some(
    (node) =>
      node.type === 'ImportDeclaration' &&
      /^node:fs(?:\/promises)?$/.test(node.source.value) &&
      node.specifiers.some((one) =>
        OPENERS.test(one.type !== 'ImportSpecifier' ? 'default' : one.imported.type === 'Identifier' ? one.imported.name : one.imported.value),
      ),
  );
}

test('files are opened by the modules that are listed here and by no other', () => {
  const found = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${file.replaceAll('\\', '/')}`)
    .filter(opens);
  expect(found.toSorted()).toEqual(Object.keys(MAY).toSorted());
});
