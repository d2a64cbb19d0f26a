import { describe, expect, test } from 'vitest';
import { relationsOf, type ProjectSurvey } from '../../../src/app/workspace/discover.ts';

const project = (key: string, path: string, manifests: Record<string, string> = {}, remotes: Record<string, string> = {}): ProjectSurvey => ({
  key,
  path,
  manifests: Object.entries(manifests).map(([file, text]) => ({ file, text })),
  remotes: new Map(Object.entries(remotes)),
});

const found = (here: ProjectSurvey, others: readonly ProjectSurvey[], edited: readonly string[] = []): string[] =>
  relationsOf(here, others, edited).map(({ relation, to, note }) => `${relation} ${to}: ${note}`);

const NAMED: Readonly<Record<string, readonly [own: string, needs: string]>> = {
  'package.json': ['{"name":"@acme/billing"}', '{"name":"shop","devDependencies":{"@acme/billing":"^2.0.0"}}'],
  'composer.json': ['{"name":"acme/billing"}', '{"require":{"php":">=8","acme/billing":"*"}}'],
  'go.mod': ['module example.com/acme/billing\n\ngo 1.22\n', 'module example.com/shop\n\nrequire (\n\texample.com/acme/billing v1.2.0\n)\n'],
  'Cargo.toml': ['[package]\nname = "billing"\nversion = "0.1.0"\n', '[package]\nname = "shop"\n\n[dev-dependencies]\nbilling = { version = "0.1" }\n'],
  'pyproject.toml': ['[project]\nname = "billing"\n', '[project]\nname = "shop"\ndependencies = [\n  "billing>=2",\n]\n'],
};

const AT_A_PATH: Readonly<Record<string, string>> = {
  'package.json': '{"dependencies":{"billing":"file:../billing-lib"}}',
  'pyproject.toml': '[tool.poetry.dependencies]\nbilling = { path = "../billing-lib", develop = true }\n',
  'requirements.txt': 'requests==2\n-e ../billing-lib\n',
  'Cargo.toml': '[dependencies]\nbilling = { path = "../billing-lib/crates/core" }\n',
  'go.mod': 'module shop\n\nreplace example.com/billing => ../billing-lib\n',
  'composer.json': '{"repositories":[{"type":"path","url":"../billing-lib"}]}',
  '.gitmodules': '[submodule "billing"]\n\tpath = vendor/billing\n\turl = ../billing-lib\n',
};

describe('a relationship is found', () => {
  test.each(Object.entries(NAMED))('by the name that %s asks for', (file, [own, needs]) => {
    const billing = project('billing-lib', '/code/billing-lib', { [file]: own });
    expect(found(project('shop', '/code/shop', { [file]: needs }), [billing])).toEqual([`depends-on billing-lib: ${file}`]);
    expect(found(project('shop', '/code/shop', { [file]: own.replace(/billing/g, 'shop') }), [billing])).toEqual([]);
  });

  test.each(Object.entries(AT_A_PATH))('by the path that %s asks for', (file, needs) => {
    const others = [project('billing-lib', '/code/billing-lib'), project('code', '/code')];
    expect(found(project('shop', '/code/shop', { [file]: needs }), others)).toEqual([`depends-on billing-lib: ${file}`]);
  });

  test('by a requirements.txt that names what a pyproject.toml declares', () => {
    const billing = project('billing', '/code/billing', { 'pyproject.toml': '[project]\nname = "acme-billing"\n' });
    expect(found(project('shop', '/code/shop', { 'requirements.txt': 'acme-billing~=2.0\n' }), [billing])).toEqual(['depends-on billing: requirements.txt']);
  });

  test('by where the repository comes from', () => {
    const upstream = project('app', '/code/app', {}, { origin: 'example.com/them/app' });
    expect(found(project('fork', '/code/fork', {}, { origin: 'example.com/me/app', upstream: 'example.com/them/app' }), [upstream])).toEqual([
      'fork-of app: remote upstream',
    ]);
    expect(found(project('copy', '/code/copy', {}, { origin: 'file:/code/app' }), [upstream])).toEqual(['fork-of app: remote origin']);
    expect(found(project('second', '/code/second', {}, { origin: 'example.com/them/app' }), [upstream])).toEqual([]);
  });

  test('by files of both that were changed in one session, and only by those of another project', () => {
    const [shop, billing, nested] = [project('shop', '/code/shop'), project('billing', '/code/billing'), project('nested', '/code/shop/vendor/nested')];
    const edited = ['/code/billing/src/a.ts', '/code/shop/src/b.ts', 'src/c.ts', '/code/billing-2/x.ts'];
    expect(found(shop, [billing, nested], edited)).toEqual(['changed-with billing: files of both were changed in one session']);
    expect(found(shop, [billing, nested], ['vendor/nested/x.ts', '../billing/y.ts'])).toHaveLength(2);
  });

  test('never in what is damaged, nor in itself', () => {
    const billing = project('billing', '/code/billing', { 'package.json': '{"name":7}', 'go.mod': 'module\n', 'pyproject.toml': 'name = "loose"\n' });
    const hostile = {
      'package.json': '{"dependencies":[',
      'Cargo.toml': '[dependencies\nx',
      'pyproject.toml': '["loose"]',
      'go.mod': '=> ../../../../../../etc\n',
    };
    expect(found(project('shop', '/code/shop', hostile), [billing, project('root', '/')])).toEqual([]);
  });
});
