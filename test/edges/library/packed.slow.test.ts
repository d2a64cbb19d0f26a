import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../../scripts/bundle.js';

/** The package as it would be published, installed in an empty project. */
const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-packed-')));
const project = path.join(folder, 'webshop');
const home = path.join(folder, 'user');
const modules = path.join(project, 'node_modules');
let byNpm = false;
const examples = [...fs.readFileSync(path.join(root, 'docs', 'library.md'), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code ?? '');

const run = (command: string, argv: readonly string[], cwd: string, env: Record<string, string | undefined> = process.env) => {
  const { status, stdout, stderr } = spawnSync(command, argv, { cwd, env, encoding: 'utf8', timeout: 100_000 });
  return { status, stdout, stderr };
};

function link(name: string): void {
  fs.mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
  fs.symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name), 'junction');
}

/** As npm does it, from what it keeps of earlier installs: no network. Where it keeps too little, what it would fetch is linked from here. */
function installed(tarball: string): boolean {
  const { status } = run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', tarball], project);
  if (status === 0) return true;
  console.log('npm has no copies of the dependencies: they are linked, not installed');
  fs.rmSync(modules, { recursive: true, force: true });
  fs.mkdirSync(path.join(modules, 'holdfast'), { recursive: true });
  expect(run('tar', ['-xzf', tarball, '--strip-components=1', '-C', path.join(modules, 'holdfast')], folder).status).toBe(0);
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(modules, 'holdfast', 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
  for (const name of Object.keys(dependencies)) link(name);
  return false;
}

function install(): void {
  const packed = run('npm', ['pack', '--silent', '--pack-destination', folder], root);
  expect(packed.status, packed.stderr).toBe(0);
  fs.mkdirSync(project, { recursive: true });
  fs.writeFileSync(path.join(project, 'package.json'), '{ "name": "webshop", "private": true, "type": "module" }\n');
  byNpm = installed(path.join(folder, packed.stdout.trim()));
  link('@types/node');
  const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, types: ['node'], exactOptionalPropertyTypes: true, outDir: 'out' };
  fs.writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  for (const [at, code] of examples.entries()) fs.writeFileSync(path.join(project, `example${at + 1}.ts`), code);
  const compiled = run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], project);
  expect(compiled.stdout + compiled.stderr).toBe('');
  const layer = (...names: string[]): string => {
    const file = path.join(home, '.claude', ...names);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    return file;
  };
  fs.writeFileSync(layer('CLAUDE.md'), 'Be brief.');
  fs.writeFileSync(layer('projects', 'f6534e494108', 'memory', 'MEMORY.md'), 'Arbitrage runs hourly.');
}

beforeAll(install, 120_000);

afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Runs an example by its number, in the empty project and with a home of its own. */
const runExample = (number: number) => {
  const env = { PATH: process.env['PATH'], HOME: home, USERPROFILE: home };
  const { status, stdout, stderr } = run(process.execPath, [path.join('out', `example${number}.js`)], project, env);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
};

const memoryFile = (hash: string): string => path.join(home, '.claude', 'projects', hash, 'memory', 'MEMORY.md');

describe('the packed library', () => {
  it('brings its command, its schemas and nothing that compiles', () => {
    const command = byNpm ? path.join(modules, '.bin', 'holdfast') : path.join(modules, 'holdfast', 'dist', 'cli.js');
    const env = { PATH: process.env['PATH'], HOME: path.join(folder, 'other') };
    const said = (...argv: string[]) => run(process.execPath, [fs.realpathSync(command), ...argv], project, env);
    expect(said('save', 'decision', 'Use SQLite because it needs no server')).toMatchObject({ status: 0, stderr: '' });
    expect(said('search', 'sqlite').stdout).toContain('Use SQLite because it needs no server');
    expect(fs.readdirSync(path.join(modules, 'holdfast', 'assets', 'schemas')).length).toBeGreaterThanOrEqual(8);
    if (byNpm)
      expect(
        fs
          .readdirSync(modules)
          .filter((name) => !name.startsWith('.'))
          .toSorted(),
      ).toEqual(expect.arrayContaining(['diff', 'holdfast', 'yaml', 'zod']));
  });

  it('keeps, finds, changes, retires, restores, packs and undoes records', () => {
    const said = runExample(1);
    expect(said).toMatch(/^decision\/use-sqlite-because-it-needs-no-server\n/);
    expect(said).toMatch(/^1\n\[ 'decisions\/\S*use-sqlite-because-it-needs-no-server\.md' \]$/m);
    expect(said).toMatch(/^restore decision\/use-sqlite-because-it-needs-no-server$/m);
  });

  it('briefs, recalls and refuses by code', () => {
    const said = runExample(2);
    expect(said).toContain('restart the mail catcher');
    expect(said).toMatch(/^NOT_FOUND find its id with holdfast search/m);
    expect(said.trimEnd().split('\n').at(-1)).toBe('1');
  });

  it('runs the first example: files and characters are reported', () => {
    expect(runExample(3)).toBe(
      `Loaded 2 memory files\nMerged context: ${'## Global Instructions\n\nBe brief.\n\n---\n\n## Project Memory\n\nArbitrage runs hourly.'.length} characters\n`,
    );
  });

  it('runs the second example: the block stands before the task', () => {
    expect(runExample(4)).toMatch(
      /^EXECUTION RULES:\n1\. SHOW YOUR PLAN FIRST\.\.\.\n2\. PARALLELISM\.\.\.\n\n## Loaded Memory Context\n\n### Project: NexusArb\n### Session: d4b394a2-fe54-4109-8c41-ba9f6b984c81\n### Loaded: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n\n## Global Instructions\n\nBe brief\.\n\n---\n\*Memory loaded by Memory Integration Module V12\.0\*\n\n\n## Task\n\nImplement the authentication module\.\n$/,
    );
  });

  it('runs the third example: the summary is stored with all its parts', () => {
    expect(runExample(5)).toBe('Memory updated: true\n');
    expect(fs.readFileSync(memoryFile('abc123def456'), 'utf8')).toMatch(
      /^## Session Summary - \d{4}-\d\d-\d\d \d\d:\d\d\n\n### Key Decisions\n- Use JWT for auth\n- PostgreSQL for DB\n\n### Files Modified\n- src\/auth\.py\n- src\/models\.py\n\n### Patterns Established\n- Repository pattern\n- Dependency injection\n\n### Issues\/Notes\n- Need to add rate limiting\n\n\n$/,
    );
    const logs = fs.readdirSync(path.dirname(memoryFile('abc123def456'))).filter((name) => name.startsWith('session-'));
    expect(fs.readFileSync(path.join(path.dirname(memoryFile('abc123def456')), logs[0] ?? ''), 'utf8')).toContain('- T1: Auth module\n- T2: DB schema');
  });

  it('runs the fourth example: start, delegation, end of session, and a fresh context after it', () => {
    const [start, delegated, again] = runExample(6).split(/^(?=## Loaded Memory Context$)/m);
    expect(start).toMatch(/^Memory loaded: \d+ characters\n$/);
    expect(delegated).toContain('### Project: webshop\n### Session: session-1\n');
    expect(delegated).toMatch(/## Task\n\nAdd a rate limit\.\ntrue\n$/);
    expect(delegated).not.toContain('100 requests a minute');
    expect(again).toContain('### Key Decisions\n- 100 requests a minute');
  });

  it('starts by the switches and diagnoses', () => {
    const said = runExample(7);
    expect(said).toContain('### Session: session-2');
    expect(said).toMatch(/^project_memory loaded \d+$/m);
    expect(said).toMatch(/^V12\.0 V8\.0\+, V12\.0$/m);
  });

  it('says the same to CommonJS, and names its types', () => {
    const asked = "const { MemoryLoader, openMemory } = require('holdfast'); console.log(typeof MemoryLoader, typeof openMemory)";
    expect(run(process.execPath, ['--no-warnings', '-e', asked], project).stdout).toBe('function function\n');
    const types = fs.readFileSync(path.join(modules, 'holdfast', 'dist', 'types', 'bin', 'library.d.mts'), 'utf8');
    for (const name of ['MemoryLoader', 'ContextInjector', 'MemoryUpdater', 'openMemory']) expect(types).toContain(name);
  });

  it('leaves out of a bundle what is not imported', async () => {
    const { build } = await import('esbuild');
    const bundled = async (contents: string): Promise<number> => {
      const { outputFiles } = await build({
        stdin: { contents, resolveDir: project },
        bundle: true,
        write: false,
        platform: 'node',
        format: 'esm',
        packages: 'bundle',
        external: ['zod', 'yaml', 'diff'],
        logLevel: 'silent',
      });
      return outputFiles[0]?.text.length ?? 0;
    };
    const [nothing, hash, all] = [
      await bundled("import 'holdfast';"),
      await bundled("import { projectHash } from 'holdfast'; console.log(projectHash('/'));"),
      await bundled("export * from 'holdfast';"),
    ];
    expect(nothing).toBeLessThan(200);
    expect(hash).toBeLessThan(all / 2);
  });
});
