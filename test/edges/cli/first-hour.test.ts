import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { scratch } from '../../scratch.ts';
import { transcript } from '../hook/transcript.ts';
import { spawnProgram } from './program.ts';

const SESSION = '5f0c1d2e-1111-4222-8333-444455556666';

/** Numbers of messages follow from what other tests wrote before; here they begin at 1. */
function counted(text: string): string {
  const numbers = [...text.matchAll(/^u(\d+)(?=  )/gm)].map(([, number]) => Number(number));
  return text.replaceAll(/^u(\d+)(?=  )/gm, (_, number: string) => `u${Number(number) - Math.min(...numbers) + 1}`);
}

/** Runs a line of the page as a newcomer types it, and returns it with what it printed. */
function typist(folder: string, project: string) {
  const today = new Date().toISOString().slice(0, 10);
  const steady = (text: string): string =>
    text
      .replaceAll(project, '~/tidewatch')
      .replaceAll(folder, '~')
      .replaceAll(today, '2026-03-02')
      .replaceAll(/\b\d{2}:\d{2}(?::\d{2})?\b/g, '10:00')
      .replaceAll(/\b\d\.\d s\b/g, '0.1 s')
      .replaceAll(/\b[\d.]+ (?:B|KB)\b/g, '4 KB')
      .replaceAll(/\([0-9a-f]{12}\)/g, '(0123456789ab)')
      .replaceAll(/[ \t]+$/gm, '');
  return (...argv: string[]): string => {
    const shown = argv.map((word) => (/[^\w./:=-]/.test(word) ? `"${word}"` : word)).join(' ');
    const { code, out, err } = spawnProgram(argv, { cwd: project, env: { HOME: folder, NO_COLOR: '1' } });
    expect({ shown, code, err }, out).toMatchObject({ code: 0 });
    const said = counted(steady(`${out}${err}`)).trimEnd();
    return `    $ holdfast${shown === '' ? '' : ` ${shown}`}\n${said === '' ? '' : `${said.replaceAll(/^(?=.)/gm, '    ')}\n`}`;
  };
}

it('docs/first-hour.md is what a newcomer sees; `npx vitest run test/edges/cli/first-hour.test.ts -u` writes it anew', { timeout: 120_000 }, async () => {
  const folder = fs.realpathSync(scratch());
  const project = path.join(folder, 'tidewatch');
  fs.mkdirSync(path.join(project, 'src'), { recursive: true });
  fs.writeFileSync(path.join(project, 'README.md'), '# Tidewatch\n\nTidewatch warns harbours of floods by radio. It reads gauges once a minute.\n');
  fs.writeFileSync(path.join(project, 'src', 'store.ts'), 'export {};\n');
  const git = (...words: string[]): void =>
    void spawnSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...words], {
      cwd: project,
      env: { PATH: process.env['PATH'], HOME: folder },
    });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'Read the gauge once a minute');
  const type = typist(folder, project);
  const first = transcript({ home: path.join(folder, '.claude'), project }, SESSION, '2026-03-02T09:00:00Z');

  const before = [type('init', '--yes'), type()];
  first.prompt('Where should the readings be kept? I lean to SQLite, because it needs no server.');
  first.reply('SQLite is fine for one harbour: readings are appended once a minute and read by one process. I will put the table into src/store.ts.');
  first.edit(path.join(project, 'src', 'store.ts'));
  first.run('git commit -am "Keep readings in SQLite"', '[main 1234567] Keep readings in SQLite\n 1 file changed');
  first.reply('Done: readings are kept in SQLite. Next: warn when a reading is missing for ten minutes.');
  const saved = [
    type(
      'save',
      'decision',
      'Keep readings in SQLite because it needs no server',
      '--title',
      'Readings in SQLite',
      '--file',
      'src/store.ts',
      '--tag',
      'storage',
    ),
    type('import'),
    type('summarize', '--yes'),
    type('list'),
  ];
  const known = [
    type('brief'),
    type('recall', 'Should we move the readings from SQLite to Postgres?'),
    type('search', 'where are readings kept'),
    type('synthesize'),
  ];
  const after = [type('log'), type('doctor')];
  for (const said of known.slice(0, 3)) expect(said).toContain('SQLite');
  // Nothing that makes a newcomer wonder.
  for (const said of [...before, ...saved, ...known, ...after]) expect(said).not.toMatch(/Skipped|ERROR|NOT_FOUND|undefined|\bnull\b/);

  const page = `# The first hour

A test runs every command below and compares its output with this page. Dates, times, sizes and the name of the home folder are replaced by fixed ones.

## 1. Install

    git clone REPOSITORY holdfast && cd holdfast
    npm ci && npm run build && npm link

Nothing is compiled and no install script runs. \`npm start -- --once\` shows the program at work in a scratch home first, if you like.

## 2. Turn it on in a project

Memory is off until you turn it on, project by project. \`holdfast\` without a command shows the state of the project. \`init\` sets up Claude Code; it lists each file that it changes and asks (\`--yes\` answers).
With the plugin (\`claude plugin marketplace add ./dist/plugin && claude plugin install memory@holdfast\`) you type \`/memory:start\` instead.

${before.join('\n')}
## 3. The first session

Work with your agent as usual. When you decide something, say "remember that", or save it yourself. Holdfast imports the client's sessions when they end; \`import\` imports all sessions on this machine at once.
\`summarize\` shows a summary and asks before it saves it (\`--yes\` answers).

${saved.join('\n')}
## 4. The second session

The agent gets a brief when the session starts, and records and quotations when a prompt needs them. These commands show both; \`synthesize\` writes everything into one page.

${known.join('\n')}
## 5. Nothing is lost

Every write is listed; \`holdfast undo\` takes the last one back, \`holdfast undo '#N'\` any other. \`doctor\` says what is wrong and how to fix it.

${after.join('\n')}
Next: [all commands](commands.md), [settings](configuration.md), [Claude Code](claude-code.md).
`;
  await expect(page).toMatchFileSnapshot('../../../docs/first-hour.md');
});
