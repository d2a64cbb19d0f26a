import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { filesUnder } from '../../scratch.ts';
import { createUseSqlite, program, runProgram, type Program } from './program.ts';

/** Made from parts, so that no secret stands in this source. */
const secret = (nth: number): string => `gh${'p_'}aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD${String(nth).padStart(4, '0')}`;
const ANY = /aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD/i;

const write = (folder: string, name: string, text: string): string => {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
};

/** Secrets as people type them into files, each in another place of another kind of file. */
function plant({ home, records, project }: Program): readonly string[] {
  const files: readonly (readonly [string, string, string])[] = [
    [
      records,
      'decisions/deploy-key.md',
      `---\ntags: [deploy, ${secret(1)}]\nnote: ${secret(2)}\n---\n# Deploy with ${secret(3)}\n\n## Decision\nxylophone ${secret(4)}\n`,
    ],
    [records, 'runbooks/rollout.json', JSON.stringify({ title: 'Rollout', content: { trigger: 'xylophone', steps: [`curl -H "X: ${secret(5)}"`] } })],
    [records, 'decisions/broken.md', `---\ntags: [${secret(6)}\n---\n# Broken ${secret(7)}\n`],
    [records, 'context/current-task.md', `# Task\n\nxylophone with ${secret(8)}\n`],
    [records, 'progress/active.md', `# Active\n\n- [ ] xylophone step ${secret(9)}\n`],
    [records, 'context/blockers.md', `# Blockers\n\n- xylophone is blocked by ${secret(10)}\n`],
    [records, 'project.md', `# Webshop\n\nxylophone of ${secret(11)}\n`],
    [records, 'master.md', `# Master\n\n## Current Status\nxylophone ${secret(12)}\n`],
    [records, 'memory/MEMORY.md', `# Memory\n\nxylophone ${secret(13)}\n`],
    [records, 'CLAUDE.md', `# Rules\n\nxylophone ${secret(14)}\n`],
    [home, 'CLAUDE.md', `# Rules\n\nxylophone ${secret(15)}\n`],
    [home, 'MEMORY.md', `# Memory\n\nxylophone ${secret(16)}\n`],
    [home, 'workspace.md', `# Workspace\n\nxylophone ${secret(20)}\n`],
    [home, 'user/preferences.md', `# Preferences\n\n- xylophone ${secret(17)}\n`],
    [project, '.claude/memory/constraints/limits.md', `# Limits of ${secret(18)}\n\n## Rule\nxylophone ${secret(19)}\n`],
  ];
  return files.map((file) => write(...file));
}

it('secrets that a person typed into files reach no door, no index and no export, and the files stay as they are', () => {
  const cli = program();
  createUseSqlite(cli);
  cli.ask('save', 'preference', 'Play the xylophone', '--user');
  const planted = plant(cli);
  const before = planted.map((file) => fs.readFileSync(file, 'utf8'));
  const bundle = path.join(cli.folder, 'out.tar.gz');
  const profile = path.join(cli.folder, 'profile.json');
  const doors: readonly (readonly string[])[] = [
    ['doctor'],
    ['search', 'xylophone', '--limit', '50'],
    ['search', 'deploy'],
    ['show', 'deploy-key'],
    ['show', 'deploy-key', '--json'],
    ['get', 'deploy-key', 'rollout', '--json'],
    ['show', 'broken'],
    ['show', 'context/current-task'],
    ['show', 'project', '--json'],
    ['list'],
    ['timeline'],
    ['brief'],
    ['brief', '--event', 'compact'],
    ['recall', 'How is the xylophone deployed, and which steps are blocked?'],
    ['recall'],
    ['context'],
    ['context', '--json'],
    ['status', '--json'],
    ['task'],
    ['project'],
    ['user'],
    ['user', 'history'],
    ['rebuild'],
    ['export', bundle],
    ['user', 'export', profile],
    ['synthesize', '--dry-run'],
  ];
  for (const argv of doors) {
    const { out, err } = cli.run(...argv);
    expect.soft(`${argv.join(' ')}: ${out}${err}`).not.toMatch(ANY);
  }
  expect(fs.readFileSync(profile, 'utf8')).toMatch(/xylophone \[redacted:github-token\]/);
  const packed = gunzipSync(fs.readFileSync(bundle)).toString('utf8');
  expect(packed).toContain('Deploy with [redacted:github-token]');
  expect(packed).not.toMatch(ANY);
  const told = ['memory_search', 'memory_recall', 'memory_get', 'memory_timeline', 'memory_status'].map((name, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: { query: 'xylophone', ids: ['decision/deploy-key', 'rollout', 'project'], id: 'deploy-key' } },
  }));
  const server = runProgram(['mcp', '--home', cli.home], { cwd: cli.project, input: told.map((line) => `${JSON.stringify(line)}\n`).join('') });
  expect(server.out + server.err).toContain('xylophone');
  expect(server.out + server.err).not.toMatch(ANY);
  expect(planted.map((file) => fs.readFileSync(file, 'utf8'))).toEqual(before);
  const elsewhere = Object.entries(filesUnder(cli.folder)).filter(([file, text]) => !planted.includes(path.join(cli.folder, file)) && ANY.test(text));
  expect(elsewhere.map(([file]) => file)).toEqual([]);
});

it('doctor names the file and the kind of a secret that a person typed into it, and that is no problem', () => {
  const cli = program();
  createUseSqlite(cli);
  const files = [
    write(cli.records, 'decisions/deploy-key.md', `# Deploy\n\n## Decision\nWith ${secret(1)}\n`),
    write(cli.records, 'project.md', `# Webshop\n\nThe key is ${secret(2)}\n`),
    write(cli.records, 'CLAUDE.md', `# Rules\n\nUse ${secret(3)}\n`),
    write(cli.home, 'MEMORY.md', `# Memory\n\nUse ${secret(4)}\n`),
  ];
  write(cli.records, 'context/blockers.md', '# Blockers\n\n- <private>mine</private>\n');
  const { findings, ok } = cli.ask('doctor') as { ok: boolean; findings: { level: string; what: string; where?: string }[] };
  const named = findings.filter(({ what }) => what.includes('looks like a secret: GitHub token'));
  expect(ok).toBe(true);
  expect(named.map(({ where = '' }) => where).toSorted()).toEqual(files.toSorted());
  expect(named.every(({ level }) => level === 'note')).toBe(true);
});

it('retiring, sharing and exporting a record with a secret: the file of its owner keeps it, what leaves does not', () => {
  const cli = program();
  const file = write(
    cli.records,
    'decisions/deploy-key.md',
    `---\ntags: [${secret(1)}]\nmine: ${secret(2)}\n---\n# Deploy\n\n## Decision\nWith ${secret(3)}\n\n## My own\n${secret(4)}\n`,
  );
  expect(JSON.stringify(cli.ask('retire', 'deploy-key', '--reason', 'old'))).not.toMatch(ANY);
  expect(fs.readFileSync(file, 'utf8')).toContain(secret(3));
  cli.ask('restore', 'deploy-key');
  expect(fs.readFileSync(file, 'utf8')).toContain(secret(4));
  expect(cli.run('diff', 'deploy-key').out).not.toMatch(ANY);
  const { file: shared } = cli.ask('share', 'deploy-key') as { file: string };
  expect(fs.readFileSync(shared, 'utf8')).toMatch(/With \[redacted:github-token\]/);
  expect(fs.readFileSync(shared, 'utf8')).not.toMatch(ANY);
  expect(cli.ask('show', 'deploy-key')).toMatchObject({ record: { title: 'Deploy' } });
});
