import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { check } from '../../../src/core/config/check.ts';
import { effectiveConfig } from '../../../src/core/config/effective.ts';
import { warningsOf } from '../../../src/core/config/unknown.ts';
import { type ConfigKey, configKeys, sections, specOf } from '../../../src/core/config/keys.ts';
import { CATEGORIES } from '../../../src/core/record/category.ts';
import { spent } from '../../processor.ts';

const nest = (key: string, value: unknown): unknown => key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);

describe('defaults', () => {
  const config = effectiveConfig({});

  it.each<[ConfigKey, unknown]>([
    ['enabled', true],
    ['autoLoad', true],
    ['autoUpdate', true],
    ['updateThreshold', 3],
    ['maxMemorySize', 50_000],
    ['backupEnabled', true],
    ['compressionThreshold', 30_000],
    ['on', false],
    ['mode', 'auto'],
    ['identity', 'repository'],
    ['storage.root', 'private'],
    ['storage.format', 'markdown'],
    ['staging.dir', ''],
    ['breadcrumb', 'auto'],
    ['inject.startTokens', 600],
    ['inject.subagents', 'brief'],
    ['retrieval.max_inject', 5],
    ['max_memories_per_category', 100],
    ['categories.session_summary.retention_days', 90],
    ['categories.decision.retention_days', 0],
    ['categories.session_summary.max_retained', 5],
    ['triage.parallel.enabled', true],
    ['triage.parallel.category_models', { decision: 'sonnet', constraint: 'sonnet' }],
    ['triage.parallel.default_model', 'haiku'],
    ['triage.parallel.verification_model', 'sonnet'],
    ['triage.thresholds.decision', 0.4],
    ['triage.thresholds.runbook', 0.4],
    ['triage.thresholds.constraint', 0.5],
    ['triage.thresholds.tech_debt', 0.4],
    ['triage.thresholds.preference', 0.4],
    ['triage.thresholds.session_summary', 0.6],
    ['delete.grace_period_days', 30],
    ['delete.archive_retired', true],
    ['synthesis.autoAfter', 0],
  ])('%s is %j', (key, value) => {
    expect(config.get(key)).toEqual(value);
    expect(config.source(key)).toBe('default');
  });

  it('exist for all eight categories', () => {
    for (const category of CATEGORIES) {
      expect(config.get(`categories.${category}.enabled`)).toBe(true);
      expect(config.get(`categories.${category}.auto_capture`)).toBe(true);
      expect(config.get(`categories.${category}.description`)).toMatch(/^[A-Z].{20,}$/);
    }
  });

  it('fit their own keys, and each key stands in one section', () => {
    for (const key of configKeys()) expect(check(specOf(key), specOf(key).default).ok, key).toBe(true);
    expect(
      sections()
        .flatMap(({ keys }) => keys)
        .toSorted(),
    ).toEqual([...configKeys()].toSorted());
  });

  it('need no level', () => {
    for (const levels of [{}, { user: undefined }, { user: {}, shared: {}, project: {} }]) {
      expect(warningsOf(effectiveConfig(levels))).toEqual([]);
      expect(effectiveConfig(levels).all()).toHaveLength(configKeys().length);
    }
  });

  it('have types', () => {
    expectTypeOf(config.get('delete.grace_period_days')).toEqualTypeOf<number>();
    expectTypeOf(config.get('mode')).toEqualTypeOf<'auto' | 'session' | 'manual'>();
    expectTypeOf(config.get('breadcrumb')).toEqualTypeOf<boolean | 'auto'>();
    expectTypeOf(config.get('categories.tech_debt.enabled')).toEqualTypeOf<boolean>();
    expectTypeOf(config.get('capture.exclude')).toEqualTypeOf<readonly string[]>();
    expectTypeOf(config.get('triage.parallel.category_models')).toEqualTypeOf<Readonly<Record<string, string>>>();
    expectTypeOf<'no.such.key'>().not.toExtend<ConfigKey>();
  });
});

describe('levels', () => {
  it('go project over user over default', () => {
    const config = effectiveConfig({ user: { mode: 'manual', retrieval: { max_inject: 7 } }, project: { mode: 'session' } });
    expect([config.get('mode'), config.source('mode')]).toEqual(['session', 'project']);
    expect([config.get('retrieval.max_inject'), config.source('retrieval.max_inject')]).toEqual([7, 'user']);
    expect(config.all().find(({ key }) => key === 'mode')).toEqual({ key: 'mode', value: 'session', source: 'project', default: 'auto' });
    expect(warningsOf(config)).toEqual([]);
  });

  it('join a map entry by entry', () => {
    const config = effectiveConfig({
      user: nest('triage.parallel.category_models', { decision: 'opus' }),
      project: nest('triage.parallel.category_models', { runbook: 'opus' }),
    });
    expect(config.get('triage.parallel.category_models')).toEqual({ decision: 'opus', constraint: 'sonnet', runbook: 'opus' });
  });
});

describe('wrong values', () => {
  it.each<[ConfigKey, unknown, unknown]>([
    ['categories.session_summary.max_retained', 0, 5],
    ['categories.session_summary.max_retained', true, 5],
    ['categories.session_summary.max_retained', 2.5, 5],
    ['categories.session_summary.max_retained', null, 5],
    ['categories.session_summary.max_retained', '3', 5],
    ['delete.grace_period_days', -5, 30],
    ['delete.grace_period_days', Number.NaN, 30],
    ['enabled', 'false', true],
    ['mode', 'Auto', 'auto'],
    ['triage.thresholds.decision', 1.5, 0.4],
    ['capture.exclude', 'secrets/**', []],
    ['capture.exclude', ['a', 5], []],
    ['categories.decision.description', 'two\nlines', 'A choice that was made, with its reasons and the alternatives turned down'],
    ['categories.decision.description', 'x'.repeat(501), 'A choice that was made, with its reasons and the alternatives turned down'],
    ['triage.parallel.category_models', { nonsense: 'opus' }, { decision: 'sonnet', constraint: 'sonnet' }],
    ['inject.subagents', ['brief'], 'brief'],
  ])('%s = %j warns and falls back', (key, wrong, fallback) => {
    const config = effectiveConfig({ project: nest(key, wrong) });
    expect(config.get(key)).toEqual(fallback);
    expect(config.source(key)).toBe('default');
    expect(warningsOf(config)).toEqual([{ key, level: 'project', message: expect.stringMatching(/^must be .*, not .*is used$/) }]);
  });

  it('fall back to the level below, not past it', () => {
    const config = effectiveConfig({ user: { updateThreshold: 7 }, project: { updateThreshold: 'many' } });
    expect([config.get('updateThreshold'), config.source('updateThreshold')]).toEqual([7, 'user']);
  });

  it('take 0 where 0 means something', () => {
    const config = effectiveConfig({ project: { delete: { grace_period_days: 0 }, retrieval: { max_inject: 0 } } });
    expect([config.get('delete.grace_period_days'), config.get('retrieval.max_inject')]).toEqual([0, 0]);
  });

  it('name what is unknown, and what it may have been', () => {
    const warnings = warningsOf(
      effectiveConfig({
        user: { enable: true, $schema: 'x' },
        project: { a: 1, delete: { gracePeriodDays: 3 }, retrieval: 5, categories: { decision: { enabled: true, colour: 'red' }, nonsense: {} } },
      }),
    );
    expect(warnings).toEqual([
      { key: 'enable', level: 'user', message: 'is not a setting; did you mean enabled?' },
      { key: 'a', level: 'project', message: 'is not a setting' },
      { key: 'delete.gracePeriodDays', level: 'project', message: 'is not a setting; did you mean delete.grace_period_days?' },
      { key: 'retrieval', level: 'project', message: 'must be an object that holds settings' },
      { key: 'categories.decision.colour', level: 'project', message: 'is not a setting' },
      { key: 'categories.nonsense', level: 'project', message: 'is not a setting' },
    ]);
  });

  it.each([[null], [[]], ['text'], [5]])('say that %j is no object', (level) => {
    const config = effectiveConfig({ user: level });
    expect(config.get('enabled')).toBe(true);
    expect(warningsOf(config)).toMatchObject([{ key: '', level: 'user' }]);
  });

  it('never get through, whatever the levels hold', () => {
    const leaf = fc.oneof(fc.boolean(), fc.integer({ min: -10, max: 100 }), fc.double(), fc.string(), fc.constant(null), fc.array(fc.string()));
    const level = fc.array(fc.tuple(fc.constantFrom(...configKeys(), '__proto__.enabled', 'constructor', 'delete'), leaf), { maxLength: 6 }).map((pairs) => {
      const object: Record<string, unknown> = {};
      for (const [key, value] of pairs) {
        let at = object;
        const names = key.split('.');
        for (const name of names.slice(0, -1))
          at = (
            Object.hasOwn(at, name) && typeof at[name] === 'object' && at[name] !== null
              ? at[name]
              : Object.defineProperty(at, name, { value: {}, enumerable: true, configurable: true, writable: true })[name]
          ) as Record<string, unknown>;
        Object.defineProperty(at, names.at(-1) ?? '', { value, enumerable: true, configurable: true, writable: true });
      }
      return object;
    });
    fc.assert(
      fc.property(level, level, level, (user, shared, project) => {
        const config = effectiveConfig({ user, shared, project });
        for (const { key, value } of config.all()) expect(check(specOf(key), value).ok).toBe(true);
        expect(Array.isArray(warningsOf(config))).toBe(true);
      }),
    );
  });
});

describe('cost', () => {
  it('is a few microseconds a config', () => {
    const levels = { user: { enabled: true }, project: { mode: 'session', delete: { grace_period_days: 3 } } };
    const start = spent();
    for (let n = 0; n < 2000; n += 1) {
      const config = effectiveConfig(levels);
      config.get('enabled');
      config.get('mode');
      config.get('inject.startTokens');
    }
    const each = ((spent() - start) * 1000) / 2000;
    console.log(`config: ${each.toFixed(1)} µs`);
    expect(each).toBeLessThan(500);
  });
});
