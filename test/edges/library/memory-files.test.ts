import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ContextInjector, MemoryLoader, MemoryUpdater, projectHash, projectMemoryPath, startSession } from '../../../src/bin/library.ts';
import { scratch } from '../../scratch.ts';

const PROJECT = 'E:/Dropbox/1_Forex/Programmazione/NexusArb';
const HASH = 'f6534e494108';

interface Sandbox {
  readonly home: string;
  readonly memoryFile: string;
  write(file: string, text: string): string;
  read(file: string): string;
}

function sandbox(settings?: object): Sandbox {
  const home = scratch();
  const at = (file: string): string => path.join(home, file);
  const write = (file: string, text: string): string => {
    fs.mkdirSync(path.dirname(at(file)), { recursive: true });
    fs.writeFileSync(at(file), text);
    return at(file);
  };
  if (settings) write('settings.json', JSON.stringify({ memory: settings }));
  return { home, memoryFile: at(`projects/${HASH}/memory/MEMORY.md`), write, read: (file) => fs.readFileSync(at(file), 'utf8') };
}

const quiet = { onWarning: () => {}, onMessage: () => {} };

function fill({ write }: Sandbox): void {
  write('CLAUDE.md', 'global rules');
  write('MEMORY.md', 'global patterns');
  write(`projects/${HASH}/CLAUDE.md`, 'project rules');
  write(`projects/${HASH}/memory/MEMORY.md`, 'project memory é😀');
}

describe('MemoryLoader', () => {
  it('finds all four files by home and hash, whichever way the slashes lean', async () => {
    const box = sandbox();
    fill(box);
    const expected = { global_claude: 'global rules', global_memory: 'global patterns', project_claude: 'project rules', project_memory: 'project memory é😀' };
    expect(await new MemoryLoader(box.home, PROJECT).loadAll()).toEqual(expected);
    expect(await new MemoryLoader(box.home, `${PROJECT.replaceAll('/', '\\').toLowerCase()}\\`, quiet).loadAll()).toMatchObject({
      global_claude: 'global rules',
    });
    expect(projectHash(PROJECT)).toBe(HASH);
    expect(projectMemoryPath(box.home, PROJECT)).toBe(box.memoryFile);
  });

  it('without a project looks at the two global files and no others', async () => {
    const box = sandbox();
    fill(box);
    expect(await new MemoryLoader(box.home).loadAll()).toEqual({ global_claude: 'global rules', global_memory: 'global patterns' });
  });

  it('loads and merges in one call, strongest last', async () => {
    const box = sandbox();
    fill(box);
    const loader = new MemoryLoader(box.home, PROJECT);
    const context = await loader.getContextForInjection();
    expect(context).toBe(loader.mergeMemory(await loader.loadAll()));
    expect(context).toBe(
      '## Global Instructions\n\nglobal rules\n\n---\n\n## Global Memory\n\nglobal patterns\n\n---\n\n## Project Instructions\n\nproject rules\n\n---\n\n## Project Memory\n\nproject memory é😀',
    );
  });

  it('loads nothing where nothing is, and leaves no trace there', async () => {
    const box = sandbox();
    expect(await new MemoryLoader(box.home, PROJECT).loadAll()).toEqual({});
    expect(fs.readdirSync(box.home)).toEqual([]);
  });

  it('reads the folder of a project that has no folder by hash, and notes the load', async () => {
    const box = sandbox();
    const project = path.join(box.home, 'work', 'Web_Shop');
    fs.mkdirSync(project, { recursive: true });
    box.write('projects/web-shop/memory/MEMORY.md', 'by key');
    expect(await new MemoryLoader(box.home, project).loadAll()).toEqual({ project_memory: 'by key' });
    expect(JSON.parse(box.read('projects/web-shop/memory/context.json'))).toEqual({
      projectKey: 'web-shop',
      projectHash: projectHash(project),
      projectPath: project,
      lastLoaded: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      lastUpdated: null,
      sessionId: null,
      sizes: { global_claude: 0, global_memory: 0, project_claude: 0, project_memory: 6 },
    });
  });

  it('tells projects apart that share a hash by letter case, by the path on record', async () => {
    const box = sandbox();
    box.write(`projects/${projectHash('/srv/App')}/memory/MEMORY.md`, 'of App');
    box.write(`projects/${projectHash('/srv/App')}/memory/context.json`, JSON.stringify({ projectPath: '/srv/App' }));
    expect(projectHash('/srv/app')).toBe(projectHash('/srv/App'));
    expect(await new MemoryLoader(box.home, '/srv/App').loadAll()).toEqual({ project_memory: 'of App' });
    expect(await new MemoryLoader(box.home, '/srv/app').loadAll()).toEqual({});
  });

  it('takes maxMemorySize from the settings and loads a larger file in part, saying so', async () => {
    const box = sandbox({ maxMemorySize: 1_000 });
    box.write(`projects/${HASH}/memory/MEMORY.md`, `first line\n${'more\n'.repeat(500)}`);
    const said: string[] = [];
    const { project_memory: text } = await new MemoryLoader(box.home, PROJECT, { onWarning: (message) => said.push(message) }).loadAll();
    expect(text).toMatch(/^first line\nmore\n/);
    expect(text?.length).toBeLessThanOrEqual(1_000);
    expect(said).toEqual([expect.stringContaining('has 2511 characters and maxMemorySize is 1000')]);
  });

  it('diagnoses path, hash, files, sizes, backup and version', async () => {
    const box = sandbox({ autoLoad: false });
    fill(box);
    const found = await new MemoryLoader(box.home, PROJECT).diagnose();
    expect(found).toMatchObject({
      projectPath: PROJECT,
      projectHash: HASH,
      version: 'V12.0',
      orchestrators: ['V8.0+', 'V12.0'],
      memoryFile: box.memoryFile,
      backup: null,
      characters: 12 + 15 + 13 + 17,
      limit: 50_000,
    });
    expect(found.files.map(({ file, state }) => [path.relative(box.home, file), state])).toEqual([
      ['CLAUDE.md', 'loaded'],
      ['MEMORY.md', 'loaded'],
      [`projects/${HASH}/CLAUDE.md`, 'loaded'],
      [`projects/${HASH}/memory/MEMORY.md`, 'loaded'],
    ]);
    const advice = found.findings.map(({ what, mend }) => `${what}: ${mend}`).join('\n');
    expect(advice).toMatch(/no MEMORY\.md\.bak: normal on a first run/);
    expect(advice).toMatch(/autoLoad is false/);
    expect(advice).toMatch(/clearCache\(\)/);
  });

  it.skipIf(process.getuid?.() === 0)('diagnoses what cannot be read or written', async () => {
    const box = sandbox();
    fill(box);
    const folder = path.dirname(box.memoryFile);
    fs.chmodSync(box.memoryFile, 0o000);
    fs.chmodSync(folder, 0o500);
    const { findings } = await new MemoryLoader(box.home, PROJECT, quiet).diagnose();
    fs.chmodSync(folder, 0o700);
    expect(findings.filter(({ level }) => level === 'problem').map(({ what }) => what)).toEqual([
      expect.stringContaining('cannot be read'),
      expect.stringContaining('cannot be updated'),
    ]);
  });
});

describe('ContextInjector', () => {
  it('keeps what it read first until the cache is cleared, while the time is new each call', async () => {
    const box = sandbox();
    box.write('MEMORY.md', 'first');
    const clock = { ms: new Date(2026, 1, 3, 4, 5, 6).getTime() };
    const injector = new ContextInjector(new MemoryLoader(box.home), { now: () => clock.ms });
    expect(await injector.getContextBlock('P', 'S')).toContain('### Loaded: 2026-02-03 04:05:06\n\n## Global Memory\n\nfirst');
    box.write('MEMORY.md', 'second');
    clock.ms += 1_000;
    expect(await injector.isStale()).toBe(true);
    expect(await injector.getContextBlock()).toContain('### Project: Unknown\n### Session: N/A\n### Loaded: 2026-02-03 04:05:07\n\n## Global Memory\n\nfirst');
    injector.clearCache();
    expect(await injector.getContextBlock()).toContain('second');
    expect(await injector.subagentPrompt('Do it.')).toMatch(
      /^EXECUTION RULES:[\s\S]*## Memory Context \(Auto-Loaded\)\n\n## Global Memory\n\nsecond\n\n## Task\n\nDo it\.\n$/,
    );
  });

  it('puts memory into the context of every teammate, reading the files once', async () => {
    const box = sandbox();
    fill(box);
    const injector = new ContextInjector(new MemoryLoader(box.home, PROJECT));
    const team = await Promise.all(
      ['You review.', 'You test.\n\n## Task\n\nRun all.'].map((prompt) => injector.injectIntoPrompt(prompt, 'NexusArb', 'team-1')),
    );
    for (const context of team) expect(context).toMatch(/## Loaded Memory Context\n\n### Project: NexusArb\n### Session: team-1\n[\s\S]*project memory/);
    expect(team[0]).toMatch(/\n\nYou review\.$/);
    expect(team[1]).toMatch(/^You test\.\n\n## Loaded Memory Context[\s\S]*\n\n## Task\n\nRun all\.$/);
  });

  it('has its cache cleared by every update of an updater that knows it', async () => {
    const box = sandbox();
    fill(box);
    const injector = new ContextInjector(new MemoryLoader(box.home, PROJECT));
    await injector.getContextBlock();
    const updater = new MemoryUpdater(box.memoryFile, { injector, ...quiet });
    expect(await updater.updateMemory(updater.generateSessionSummary({ decisions: ['Use SQLite'] }))).toBe(true);
    expect(await injector.getContextBlock()).toContain('- Use SQLite');
  });
});

describe('switched off', () => {
  it('loads, injects and updates nothing; a forced update still works', async () => {
    const box = sandbox({ enabled: false });
    fill(box);
    const loader = new MemoryLoader(box.home, PROJECT);
    expect(await loader.loadAll()).toEqual({});
    expect(await new ContextInjector(loader).injectIntoPrompt('## Task\nx')).toBe('## Task\nx');
    const updater = new MemoryUpdater(box.memoryFile, quiet);
    expect(updater.shouldUpdate(9, true)).toBe(false);
    expect(await updater.updateMemory('## Session Summary - x\n')).toBe(false);
    expect(await startSession(box.home, { projectPath: PROJECT, asked: true })).toMatchObject({ block: '', silence: 'enabled is false' });
    expect(fs.readFileSync(box.memoryFile, 'utf8')).toBe('project memory é😀');
    expect(await updater.updateMemory('## Session Summary - x\n', true)).toBe(true);
  });

  it('autoLoad false: a start loads nothing, asking for it does', async () => {
    const box = sandbox({ autoLoad: false });
    fill(box);
    expect(await startSession(box.home, { projectPath: PROJECT })).toEqual({ block: '', memory: '', silence: 'autoLoad is false' });
    expect((await startSession(box.home, { projectPath: PROJECT, asked: true })).block).toContain('### Project: NexusArb');
    expect(Object.keys(await new MemoryLoader(box.home, PROJECT).loadAll())).toHaveLength(4);
  });

  it('autoUpdate false: a session end updates nothing, asking for it does', async () => {
    const box = sandbox({ autoUpdate: false });
    const updater = new MemoryUpdater(box.memoryFile, quiet);
    expect(updater.shouldUpdate(9, true)).toBe(false);
    expect(await updater.updateMemory('## Session Summary - x\n')).toBe(true);
  });
});

describe('an orchestrator', () => {
  it('has memory before its roster, in every delegation and spawn, and updated before its last report', async () => {
    const box = sandbox();
    fill(box);
    const shown: string[] = [(await startSession(box.home, { projectPath: PROJECT, sessionId: 's' })).block, 'ROSTER'];
    const injector = new ContextInjector(new MemoryLoader(box.home, PROJECT));
    for (const prompt of ['## Task\n\nDelegated', 'Spawned']) shown.push(await injector.injectIntoPrompt(prompt, 'NexusArb', 's'));
    const updater = new MemoryUpdater(box.memoryFile, { injector, sessionId: 's', ...quiet });
    expect(updater.shouldUpdate(3)).toBe(true);
    await updater.updateMemory(updater.generateSessionSummary({ decisions: ['Hedge at noon'] }));
    shown.push(`REPORT\n${await injector.getContextBlock('NexusArb', 's')}`);
    expect(shown[0]).toContain('project memory');
    expect(shown.slice(2, 4).every((prompt) => prompt.includes('project memory') && !prompt.includes('Hedge at noon'))).toBe(true);
    expect(shown[4]).toMatch(/^REPORT\n[\s\S]*- Hedge at noon/);
  });
});
