import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analysisStem, fileStem, idOfStem, Stems } from '../../../src/core/project/filename.ts';
import { isReservedName, isSlug } from '../../../src/core/project/slug.ts';
import { CATEGORIES, type Category } from '../../../src/core/record/category.ts';

const at = '2026-02-03T04:05:06Z';
const stem = (category: Category, named: { id: string; createdAt?: string; path?: string; sessionId?: string }, existing: readonly string[] = []): string => {
  const outcome = fileStem(category, { createdAt: at, ...named }, new Stems(existing));
  return outcome.ok ? outcome.value : outcome.error.code;
};

const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point));

describe('file names', () => {
  it('numbers the decisions of a day', () => {
    expect(stem('decision', { id: 'use-jwt' })).toBe('2026-02-03_001_use-jwt');
    expect(stem('decision', { id: 'b' }, ['2026-02-03_001_use-jwt', '2026-02-03_007_a', '2026-02-02_040_x', 'use-redis', '2026-02-03_9_x'])).toBe(
      '2026-02-03_008_b',
    );
    expect(stem('decision', { id: 'b' }, ['2026-02-03_999_a'])).toBe('2026-02-03_1000_b');
    expect(stem('decision', { id: 'c' }, ['2026-02-03_1000_b'])).toBe('2026-02-03_1001_c');
    expect(stem('decision', { id: 'a', createdAt: '2026-02-03T23:30:00-02:00' })).toBe('2026-02-04_001_a');
  });

  it.each([
    ['src/services/AuthService.ts', 'src_services_AuthService'],
    ['src\\services\\AuthService.ts', 'src_services_AuthService'],
    ['./src/foo.test.ts', 'src_foo.test'],
    ['/abs/path/x.py', 'abs_path_x'],
    ['C:\\code\\x.cs', 'C-_code_x'],
    ['../../etc/passwd', 'etc_passwd'],
    ['.github/workflows/ci.yml', 'github_workflows_ci'],
    ['.gitignore', 'gitignore'],
    ['src/v1.2', 'src_v1.2'],
    ['src/naïve file.ts', 'src_naive-file'],
    ['Makefile', 'Makefile'],
    ['', ''],
    ['決定/計画', ''],
  ])('names the analysis of %j %j', (path, name) => expect(analysisStem(path)).toBe(name));

  it('keeps the end of a long path', () => {
    const name = analysisStem(`packages/${'deep/'.repeat(40)}AuthService.ts`);
    expect(name.length).toBeLessThanOrEqual(80);
    expect(name).toMatch(/^deep_.*_AuthService$/);
  });

  it('names analyses by path, reports by time, sessions by session, the rest by id', () => {
    expect(stem('analysis', { id: 'x', path: 'src/services/AuthService.ts' })).toBe('src_services_AuthService');
    expect(stem('analysis', { id: 'auth-service' })).toBe('auth-service');
    expect(stem('analysis', { id: 'plan', path: '計画' })).toBe('plan');
    expect(stem('subagent_report', { id: 'explore-auth' })).toBe('2026-02-03_040506_explore-auth');
    expect(stem('session_summary', { id: 'x', sessionId: '0b6f5c1e-77aa-4e0d-9a55-2f1f2f3f4f5f' })).toBe('0b6f5c1e-77aa-4e0d-9a55-2f1f2f3f4f5f');
    expect(stem('session_summary', { id: 'ship-login' })).toBe('ship-login');
    expect(stem('runbook', { id: 'fix-ci' })).toBe('fix-ci');
  });

  it('adds a suffix where a name is taken, in any letter case', () => {
    expect(stem('subagent_report', { id: 'explore' }, ['2026-02-03_040506_explore'])).toBe('2026-02-03_040506_explore-2');
    expect(stem('analysis', { id: 'x', path: 'src/a/b.ts' }, ['SRC_A_B', 'src_a_b-2'])).toBe('src_a_b-3');
    expect(stem('runbook', { id: 'fix-ci' }, ['Fix-CI'])).toBe('fix-ci-2');
    expect(stem('session_summary', { id: 'x', sessionId: 'ABC' }, ['abc'])).toBe('CREATE_OVERWRITE_ERROR');
  });

  it.each(['../x', 'a/b', 'a\\b', '', '.', '..', '.hidden', 'a..b', 'a.', 'con', 'NUL.md', 'a b', 'a\u0000', 'é', 'x'.repeat(129), '-rf'])(
    'refuses the session id %j',
    (sessionId) => {
      expect(stem('session_summary', { id: 'x', sessionId })).toBe('VALIDATION_ERROR');
    },
  );

  it('refuses what is no id and what is no time', () => {
    expect(stem('runbook', { id: '../x' })).toBe('VALIDATION_ERROR');
    expect(stem('decision', { id: 'x', createdAt: 'yesterday' })).toBe('VALIDATION_ERROR');
  });

  it('steps around the device names of Windows', () => {
    expect(stem('runbook', { id: 'con' })).toBe('con_');
    expect(stem('runbook', { id: 'con' }, ['CON_'])).toBe('con-2');
    expect(stem('analysis', { id: 'x', path: 'Aux.test.ts' })).toBe('Aux_.test');
    expect(idOfStem('runbook', 'con_')).toBe('con');
    expect(stem('runbook', { id: 'console' })).toBe('console');
  });
});

describe('idOfStem', () => {
  it.each<[Category, string, string]>([
    ['decision', '2026-02-03_001_use-jwt', 'use-jwt'],
    ['decision', 'use-jwt', 'use-jwt'],
    ['decision', '2026-02-03_1000_use-jwt', 'use-jwt'],
    ['decision', '2026-02-03_001_Use_JWT', 'use-jwt'],
    ['runbook', '2026-02-03_001_x', '2026-02-03-001-x'],
    ['subagent_report', '2026-02-03_040506_explore-auth', 'explore-auth'],
    ['analysis', 'src_services_AuthService', 'src-services-authservice'],
    ['session_summary', '0b6f5c1e-77aa-4e0d-9a55-2f1f2f3f4f5f', '0b6f5c1e-77aa-4e0d-9a55-2f1f2f3f4f5f'],
    ['session_summary', 's--1', 's--1'],
    ['preference', '決定', 'x-6c7a-5b9a'],
  ])('of %s %j is %j', (category, name, id) => expect(idOfStem(category, name)).toBe(id));

  const slugs = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,78}[a-z0-9])?$/);

  it('reads back the id of every name it gives, and every name is safe', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CATEGORIES), slugs, (category, id) => {
        const name = stem(category, { id });
        expect(idOfStem(category, name)).toBe(id);
        expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);
        expect(isReservedName(name) || name.endsWith('.')).toBe(false);
      }),
    );
  });

  it('gives any file name an id', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CATEGORIES), fc.string({ unit: anyCharacter, minLength: 1, maxLength: 60 }), (category, name) => {
        expect(isSlug(idOfStem(category, name))).toBe(true);
      }),
    );
  });

  it('never gives two records of a category one name', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CATEGORIES), fc.array(fc.constantFrom('a', 'b', 'con', 'a-2'), { maxLength: 12 }), (category, ids) => {
        const names: string[] = [];
        for (const id of ids) names.push(stem(category, { id, path: `src/${id.toUpperCase()}.ts` }, names));
        expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
      }),
    );
  });
});
