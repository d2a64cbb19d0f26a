import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashProjectPath } from '../../../src/core/project/folder.ts';
import { type Project, isRegistryDue, rememberProject } from '../../../src/core/project/identity.ts';
import { findProject, EMPTY_REGISTRY, parseRegistry, type RegistryEntry, serializeRegistry } from '../../../src/core/project/registry.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const entry = (key: string, path: string, more: Partial<RegistryEntry> = {}): RegistryEntry => ({
  key,
  identity: `git:${path}/.git`,
  hash: hashProjectPath(path, md5),
  path,
  paths: [path],
  createdAt: '2026-01-01T00:00:00Z',
  lastSeen: '2026-01-02T00:00:00Z',
  ...more,
});
const registryOf = (...projects: RegistryEntry[]) => ({ ...EMPTY_REGISTRY, projects });

describe('the registry file', () => {
  it('comes back as it was written, unknown fields included', () => {
    const text = JSON.stringify({ version: 1, note: 'mine', projects: [{ ...entry('a', '/a'), colour: 'green', more: { deep: [1] } }, { key: 'half' }, 7] });
    const { registry, problems } = parseRegistry(text);
    expect(problems).toEqual(["2 of the registry's projects cannot be read"]);
    expect(JSON.parse(serializeRegistry(registry))).toEqual(JSON.parse(text));
    expect(parseRegistry(serializeRegistry(registry)).registry).toEqual(registry);
  });

  it('is empty when there is none', () => {
    for (const text of [undefined, '', ' \n']) expect(parseRegistry(text)).toEqual({ registry: EMPTY_REGISTRY, problems: [] });
  });

  it.each(['null', '[]', '{"projects":{}}', '"x"', '{}'])('says so when %s is no registry', (text) => {
    expect(parseRegistry(text)).toEqual({ registry: EMPTY_REGISTRY, problems: ['the registry of projects has no list of projects'] });
  });

  it('saves the entries of a damaged file, cut at any byte', () => {
    const whole = serializeRegistry(registryOf(entry('a', '/a'), entry('b', '/b {"'), entry('c', '/c')));
    for (let length = 1; length < whole.trimEnd().length; length += 1) {
      const { registry, problems } = parseRegistry(whole.slice(0, length));
      const complete = [...whole.slice(0, length).matchAll(/\n {4}\}/g)].length;
      expect(registry.projects.map(({ key }) => key)).toEqual(['a', 'b', 'c'].slice(0, complete));
      expect(problems[0]).toMatch(/damaged/);
    }
    expect(parseRegistry(whole.replace('"/a"', '"/a",')).registry.projects.map(({ key }) => key)).toContain('b');
  });

  it('never lets a key lead out of its folder', () => {
    for (const key of ['../x', 'a/b', '..', '.', 'a\\b', ''])
      expect(parseRegistry(JSON.stringify({ projects: [entry(key, '/a')] })).registry.projects).toEqual([]);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void serializeRegistry(parseRegistry(text).registry)));
  });

  it('fills in what an entry leaves out', () => {
    const { registry } = parseRegistry(
      '{"projects":[{"key":"a","identity":"path:/a","path":"/a","paths":[1,"/b"],"remote":5,"lastSeen":"2026-01-01T00:00:00Z"}]}',
    );
    expect(registry.projects[0]).toEqual({
      key: 'a',
      identity: 'path:/a',
      path: '/a',
      paths: ['/a', '/b'],
      hash: '',
      createdAt: '2026-01-01T00:00:00Z',
      lastSeen: '2026-01-01T00:00:00Z',
    });
  });
});

describe('remembering', () => {
  const project: Project = { key: 'a', hash: hashProjectPath('/a', md5), identity: 'git:/a/.git', path: '/a', worktree: '/a', match: 'known' };
  const facts = { path: '/a', gitCommonDir: '/a/.git', remote: () => 'git@host:me/a.git', firstCommit: () => 'c0ffee' };
  const at = Date.parse('2026-01-02T12:00:00Z');

  it('is due for something new and once a day', () => {
    const known = registryOf(entry('a', '/a'));
    expect(isRegistryDue(known, project, at)).toBe(false);
    expect(isRegistryDue(known, project, at + 86_400_000)).toBe(true);
    expect(isRegistryDue(known, { ...project, worktree: '/a-fix' }, at)).toBe(true);
    expect(isRegistryDue(known, { ...project, match: 'moved' }, at)).toBe(true);
    expect(isRegistryDue(EMPTY_REGISTRY, project, at)).toBe(true);
    expect(isRegistryDue(registryOf(entry('a', '/a', { lastSeen: 'never' })), project, at)).toBe(true);
  });

  it('learns the remote and the first commit, and keeps what it does not know', () => {
    const before = registryOf({ ...entry('a', '/a'), colour: 'green' } as RegistryEntry, entry('b', '/b'));
    const after = rememberProject(before, project, facts, at);
    expect(after.projects[0]).toEqual({ ...before.projects[0], lastSeen: '2026-01-02T12:00:00Z', remote: 'host/me/a', firstCommit: 'c0ffee' });
    expect(after.projects[1]).toBe(before.projects[1]);
  });

  it('asks for the first commit only once', () => {
    const before = registryOf(entry('a', '/a', { firstCommit: 'c0ffee' }));
    rememberProject(before, project, { ...facts, firstCommit: () => expect.unreachable() }, at);
  });

  it('never gives two projects that were named at once one entry', () => {
    const racing: Project = { ...project, identity: 'git:/b/a/.git', path: '/b/a', worktree: '/b/a', match: 'new' };
    expect(() => rememberProject(registryOf(entry('a', '/a')), racing, { path: '/b/a' }, at)).toThrow('/a became the project a just now');
    expect(() => rememberProject(registryOf(entry('a-2', '/b/a')), racing, { path: '/b/a' }, at)).toThrow('/b/a became the project a-2 just now');
    expect(rememberProject(registryOf(entry('a', '/b/a')), racing, { path: '/b/a' }, at).projects).toHaveLength(1);
  });

  it('knows a bounded number of folders', () => {
    let registry = EMPTY_REGISTRY;
    for (let n = 0; n < 200; n += 1) registry = rememberProject(registry, { ...project, match: n === 0 ? 'new' : 'known', worktree: `/a-${n}` }, facts, at);
    const paths = registry.projects[0]?.paths ?? [];
    expect(paths).toHaveLength(64);
    expect(paths[0]).toBe('/a');
    expect(paths.at(-1)).toBe('/a-199');
  });
});

describe('looking a project up', () => {
  const entries = [
    entry('app', '/home/User/App', { paths: ['/home/User/App', '/work/App-fix'] }),
    entry('app-4c37c7', '/home/user/app'),
    entry('nested', '/home/User/App/vendor/nested'),
    entry('tool', '/srv/Tool'),
  ];
  const find = (word: string): string => {
    const found = findProject(word, entries, md5);
    return found.ok ? found.value.key : `${found.error.code} ${found.error.hint ?? ''}`;
  };

  it('finds by key, hash and path', () => {
    expect(find('app')).toBe('app');
    expect(find('TOOL')).toBe('tool');
    expect(find(hashProjectPath('/srv/Tool', md5))).toBe('tool');
    expect(find(hashProjectPath('/srv/Tool', md5).slice(0, 6).toUpperCase())).toBe('tool');
    expect(find(hashProjectPath('/work/App-fix', md5))).toBe('app');
    expect(find('/srv/Tool/')).toBe('tool');
    expect(find('/work/App-fix/src/deep')).toBe('app');
    expect(find('/home/User/App/vendor/nested/x')).toBe('nested');
    expect(find('/SRV/tool')).toBe('tool');
  });

  it('tells paths apart that differ in letter case', () => {
    expect(find('/home/User/App')).toBe('app');
    expect(find('/home/user/app')).toBe('app-4c37c7');
    expect(find('4c37c7c3c5ec')).toMatch(/^AMBIGUOUS_ID .*app \(\/home\/User\/App\), app-4c37c7 \(\/home\/user\/app\)/);
    expect(find('/HOME/USER/APP')).toMatch(/^AMBIGUOUS_ID/);
  });

  it('says what to do when there is none', () => {
    expect(find('too')).toBe('NOT_FOUND did you mean tool?');
    expect(find('zzz')).toMatch(/^NOT_FOUND give a key/);
    expect(find('/')).toMatch(/^NOT_FOUND/);
  });
});
