import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { AUTO_MEMORY, GRAPH, INFINITE_MEMORY, lay, MEMORY_FOLDER, MEMORY_MODULE, NOTES } from '../edges/cli/foreign.ts';
import { program } from '../edges/cli/program.ts';
import { filesUnder } from '../scratch.ts';
import { attack } from './attack.ts';

const SENTINEL = 'xylophone-of-another-project';
const PRIVATE = `# Keys\n\n${SENTINEL}\n`;

/** Where the memory of another tool lies, what is in it, and where the hostile file is put. */
interface Layout {
  readonly place: string;
  readonly files: Readonly<Record<string, string>>;
  readonly hostile: readonly string[];
  /** Whether its path has to be named. */
  readonly named: boolean;
}

const LAYOUTS: Readonly<Record<string, Layout>> = {
  'Infinite Memory': {
    place: '.claude/memory',
    files: INFINITE_MEMORY,
    hostile: ['decisions/2026-01-07_002_keys.md', 'context/keys.md', 'project.md'],
    named: false,
  },
  _memory: { place: '_memory', files: MEMORY_FOLDER, hostile: ['conversations/keys.md', 'master.md'], named: false },
  'a memory module': { place: 'module', files: MEMORY_MODULE, hostile: ['memory/MEMORY.md.bak', 'memory/session-keys.md'], named: true },
  'auto memory': { place: 'auto', files: AUTO_MEMORY, hostile: ['keys.md'], named: true },
  'basic-memory notes': { place: 'notes', files: NOTES, hostile: ['design/keys.md'], named: true },
};

const SPECIAL: Readonly<Record<string, (file: string, victim: string) => void>> = {
  'a link to a private file': (file, victim) => fs.symlinkSync(victim, file),
  'a link to a private folder': (file, victim) => fs.symlinkSync(path.dirname(victim), file),
  'a link to an endless device': (file) => fs.symlinkSync('/dev/zero', file),
  'a pipe': (file) => void execFileSync('mkfifo', [file]),
  'a folder': (file) => fs.mkdirSync(file),
  'a file of 100 MB': (file) => {
    fs.writeFileSync(file, '');
    fs.truncateSync(file, 100 << 20);
  },
};

const INPUTS = Object.entries(LAYOUTS).flatMap(([tool, layout]) =>
  layout.hostile.flatMap((name) => Object.entries(SPECIAL).map(([what, make]) => [`${tool}: ${name} is ${what}`, { layout, name, make }] as const)),
);

attack('migration', 'a hostile file is left out, and the rest is taken over', INPUTS, ({ layout, name, make }) => {
  const cli = program();
  const victim = path.join(cli.folder, 'private', 'keys.md');
  lay(cli.folder, { 'private/keys.md': PRIVATE });
  const place = path.join(cli.project, layout.place);
  lay(place, layout.files);
  fs.rmSync(path.join(place, name), { force: true });
  make(path.join(place, name), victim);
  const { code, out, err } = cli.run('migrate', ...(layout.named ? [place] : []), '--json');
  expect([code, err]).toEqual([0, '']);
  const [taken] = (JSON.parse(out) as { sources: { created: string[] }[] }).sources;
  expect(taken?.created.length).toBeGreaterThan(0);
  for (const answer of [out, cli.run('search', 'xylophone').out]) expect(answer).not.toContain(SENTINEL);
  expect(Object.entries(filesUnder(cli.home)).filter(([, text]) => text.includes(SENTINEL))).toEqual([]);
  expect(fs.readFileSync(victim, 'utf8')).toBe(PRIVATE);
});

attack<(place: string, victim: string) => void>(
  'migration',
  'a path that holds no memory is refused',
  [
    ['an endless device', (place) => fs.symlinkSync('/dev/zero', place)],
    ['a pipe', (place) => void execFileSync('mkfifo', [place])],
    ['a link to itself', (place) => fs.symlinkSync('graph.jsonl', place)],
    ['a file of 100 MB', (place) => SPECIAL['a file of 100 MB']?.(place, '')],
    ['an empty folder', (place) => fs.mkdirSync(place)],
    ['a folder of links', (place, victim) => (fs.mkdirSync(place), fs.symlinkSync(victim, path.join(place, 'MEMORY.md')))],
    ['lines without end', (place) => fs.writeFileSync(place, `{"type":"entity","name":"${'x'.repeat(17 << 20)}"}\n${GRAPH}`)],
  ],
  (make) => {
    const cli = program();
    lay(cli.folder, { 'private/keys.md': PRIVATE });
    const place = path.join(cli.folder, 'graph.jsonl');
    make(place, path.join(cli.folder, 'private', 'keys.md'));
    const refused = cli.refused('migrate', place);
    expect([1, 4, 5]).toContain(refused.exit);
    expect(JSON.stringify(refused)).not.toContain(SENTINEL);
  },
);
