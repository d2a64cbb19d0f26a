import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setConfig, unsetConfig } from '../../../src/app/config/change.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { configWarnings, getConfig, listConfig } from '../../../src/app/config/show.ts';
import { switchOf } from '../../../src/app/project/switch.ts';
import type { ConfigFiles } from '../../../src/core/config/effective.ts';
import type { Level } from '../../../src/core/config/spec.ts';
import { temporaryFolder } from '../../scratch.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(temporaryFolder(), 'holdfast-config-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const places = (): Record<Level, string> => ({
  user: join(folder, 'home', 'settings.json'),
  shared: join(folder, 'project', '.claude', 'memory', 'memory-config.json'),
  project: join(folder, 'home', 'projects', 'app', 'memory-config.json'),
});

/** The port on real files, as simply as it can be. */
function filesOn(at: Partial<Record<Level, string>> = places()): ConfigFiles {
  const read = (level: Level): string | undefined => {
    const place = at[level];
    return place !== undefined && existsSync(place) ? readFileSync(place, 'utf8') : undefined;
  };
  return {
    place: (level) => at[level],
    read,
    write(level, text, before) {
      if (read(level) !== before) return false;
      const place = at[level] ?? '';
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, text);
      return true;
    },
  };
}

const put = (level: Level, text: string): void => {
  mkdirSync(dirname(places()[level]), { recursive: true });
  writeFileSync(places()[level], text);
};
const textOf = (level: Level): string => readFileSync(places()[level], 'utf8');

describe('loading', () => {
  it('takes defaults without files, without the object and without the key', () => {
    for (const text of [undefined, '', '{}', '{"memory": {}}', '{"model": "opus", "hooks": {}}']) {
      if (text !== undefined) put('user', text);
      const loaded = loadConfig(filesOn());
      const { config } = loaded;
      expect([config.get('enabled'), config.get('updateThreshold')]).toEqual([true, 3]);
      expect(configWarnings(loaded)).toEqual([]);
    }
  });

  it("reads the user's memory object and the project's file", () => {
    put('user', '\uFEFF{"enabled": false, "memory": {"autoLoad": false, "maxMemorySize": 2000}}');
    put('project', '{"maxMemorySize": 3000}');
    const { config } = loadConfig(filesOn());
    expect([config.get('enabled'), config.get('autoLoad'), config.get('maxMemorySize')]).toEqual([true, false, 3000]);
  });

  it('switches memory off while a file of yours is broken, and names it', () => {
    put('user', '{"memory": {"mode": "manual"}}');
    put('project', '{"mode": "session"');
    const loaded = loadConfig(filesOn());
    const { config } = loaded;
    expect(config.get('mode')).toBe('manual');
    expect(configWarnings(loaded)).toMatchObject([{ key: '', level: 'project', message: expect.stringMatching(/memory-config\.json is not JSON/) }]);
    expect(config.get('enabled')).toBe(false);
    expect(switchOf(config, true).because).toMatch(/^Memory is off: .*memory-config\.json is not JSON .*\. Fix the file or delete it\.$/);
  });
});

describe('list and get', () => {
  it('show each value with its source', () => {
    put('user', '{"memory": {"mode": "manual"}}');
    put('project', '{"delete": {"grace_period_days": -5}}');
    const { rows, warnings } = listConfig(filesOn());
    expect(rows.find(({ key }) => key === 'mode')).toEqual({ key: 'mode', value: 'manual', source: 'user', default: 'auto' });
    expect(rows.find(({ key }) => key === 'delete.grace_period_days')).toMatchObject({ value: 30, source: 'default' });
    expect(warnings).toMatchObject([{ key: 'delete.grace_period_days', level: 'project' }]);
  });

  it('explain one, by the names people use', () => {
    put('user', '{"memory": {"enabled": false}}');
    expect(getConfig(filesOn(), 'memory.enabled')).toMatchObject({
      ok: true,
      value: { key: 'enabled', value: false, source: 'user', default: true, takes: 'true or false', place: places().user },
    });
    expect(getConfig(filesOn(), 'AUTOLOAD')).toMatchObject({ ok: true, value: { key: 'autoLoad' } });
    expect(getConfig(filesOn(), 'session_summary.max_retained')).toMatchObject({
      ok: true,
      value: { key: 'categories.session_summary.max_retained', value: 5 },
    });
    expect(getConfig(filesOn(), 'triage.parallel.category_models.decision')).toMatchObject({ ok: true, value: { value: 'sonnet' } });
    expect(getConfig(filesOn(), 'triage.parallel.category_models.runbook')).toMatchObject({ ok: true, value: { value: undefined } });
  });

  it('name the key that was meant', () => {
    expect(getConfig(filesOn(), 'delete.grace_period')).toMatchObject({ ok: false, error: { code: 'CONFIG_ERROR' } });
    expect(getConfig(filesOn(), 'retrieval.maxinject')).toMatchObject({
      ok: false,
      error: { message: 'Unknown setting retrieval.maxinject. Did you mean retrieval.max_inject?' },
    });
    expect(getConfig(filesOn(), '__proto__')).toMatchObject({ ok: false });
  });
});

describe('set', () => {
  it('writes the value and nothing else', () => {
    const settings =
      '{\n    "hooks": { "Stop": [] },   "odd":1,\n    "memory": {"autoLoad": true},\n    "permissions": {\n        "allow": ["Bash(ls:*)"]\n    }\n}\n';
    put('user', settings);
    const done = setConfig(filesOn(), { key: 'delete.grace_period_days', value: '7', level: 'user' });
    expect(done).toMatchObject({ ok: true, value: { level: 'user', changed: true, place: places().user, now: { value: 7, source: 'user' } } });
    expect(textOf('user')).toBe(settings.replace('{"autoLoad": true}', '{"autoLoad": true, "delete": {"grace_period_days":7}}'));
    expect(existsSync(places().project)).toBe(false);
  });

  it('makes the file where there is none', () => {
    setConfig(filesOn(), { key: 'mode', value: 'manual', level: 'project' });
    setConfig(filesOn(), { key: 'memory.on', value: 'yes', level: 'user' });
    expect(textOf('project')).toBe('{\n  "mode": "manual"\n}\n');
    expect(textOf('user')).toBe('{\n  "memory": {\n    "on": true\n  }\n}\n');
  });

  it.each([
    ['enabled', 'off', false],
    ['breadcrumb', 'true', true],
    ['breadcrumb', 'auto', 'auto'],
    ['archive.maxBytes', '2_000_000', 2_000_000],
    ['triage.thresholds.decision', '.75', 0.75],
    ['capture.exclude', 'a/**, *.pem', ['a/**', '*.pem']],
    ['capture.exclude', '["{a,b}/**"]', ['{a,b}/**']],
    ['capture.exclude', '[]', []],
    ['categories.decision.description', 'What we chose, and why', 'What we chose, and why'],
    ['triage.parallel.category_models', '{"runbook":"opus"}', { decision: 'sonnet', constraint: 'sonnet', runbook: 'opus' }],
  ])('takes %s %j', (key, words, value) => {
    expect(setConfig(filesOn(), { key, value: words, level: 'project' })).toMatchObject({ ok: true, value: { now: { value, source: 'project' } } });
  });

  it('sets one entry of a map', () => {
    expect(setConfig(filesOn(), { key: 'triage.parallel.category_models.runbook', value: 'opus', level: 'project' })).toMatchObject({
      ok: true,
      value: { now: { value: 'opus' } },
    });
    expect(JSON.parse(textOf('project'))).toEqual({ triage: { parallel: { category_models: { runbook: 'opus' } } } });
  });

  it.each([
    ['mode', 'sometimes', 'use one of auto, session, manual'],
    ['categories.session_summary.max_retained', '0', 'use a whole number from 1 to 100000'],
    ['categories.session_summary.max_retained', '2.5', 'use a whole number from 1 to 100000'],
    ['delete.grace_period_days', '-5', 'use a whole number from 0 to 36500'],
    ['delete.grace_period_days', '', 'use a whole number from 0 to 36500'],
    ['delete.grace_period_days', '0x10', 'use a whole number from 0 to 36500'],
    ['delete.grace_period_days', '1e400', 'use a whole number from 0 to 36500'],
    ['enabled', 'maybe', 'use true or false'],
    ['categories.decision.description', 'two\nlines', 'use one line of at most 500 characters'],
    ['capture.exclude', '[1]', 'use a list of at most 200 globs, such as ["secrets/**", "*.pem"]'],
  ])('refuses %s %j and changes nothing', (key, value, hint) => {
    put('project', '{"mode":"manual"}');
    expect(setConfig(filesOn(), { key, value, level: 'project' })).toMatchObject({ ok: false, error: { code: 'CONFIG_ERROR', hint, fields: [key] } });
    expect(textOf('project')).toBe('{"mode":"manual"}');
  });

  it('refuses unknown keys, broken files, a project where there is none, and what a shared config may not say', () => {
    expect(setConfig(filesOn(), { key: 'colour', value: 'red', level: 'user' })).toMatchObject({ ok: false, error: { code: 'CONFIG_ERROR' } });
    put('user', '{"memory": ');
    expect(setConfig(filesOn(), { key: 'mode', value: 'manual', level: 'user' })).toMatchObject({
      ok: false,
      error: { code: 'CONFIG_ERROR', message: expect.stringContaining(places().user) },
    });
    expect(textOf('user')).toBe('{"memory": ');
    expect(setConfig(filesOn({ user: places().user }), { key: 'mode', value: 'manual', level: 'project' })).toMatchObject({
      ok: false,
      error: { message: 'There is no project config here.' },
    });
    expect(setConfig(filesOn(), { key: 'capture.exclude', value: '["[z-a].txt"]', level: 'project' })).toMatchObject({
      ok: false,
      error: { code: 'CONFIG_ERROR', hint: expect.stringContaining('"[z-a].txt" has a range that runs backwards: [z-a]') },
    });
    expect(setConfig(filesOn(), { key: 'model.endpoint', value: 'https://x', level: 'shared' })).toMatchObject({ ok: false, error: { code: 'CONFIG_ERROR' } });
    expect(setConfig(filesOn(), { key: 'retrieval.max_inject', value: '2', level: 'shared' })).toMatchObject({
      ok: true,
      value: { now: { value: 2, source: 'shared' } },
    });
  });

  it('shows that another level still wins', () => {
    put('project', '{"mode": "session"}');
    expect(setConfig(filesOn(), { key: 'mode', value: 'manual', level: 'user' })).toMatchObject({
      ok: true,
      value: { changed: true, now: { value: 'session', source: 'project' } },
    });
  });

  it('starts anew when someone else writes in between, and gives up on one who never stops', () => {
    put('user', '{"theirs": 0}');
    const files = filesOn();
    let meddle = 2;
    const busy: ConfigFiles = {
      ...files,
      write(level, text, before) {
        if (meddle-- > 0) put('user', `{"theirs": ${meddle + 5}}`);
        return files.write(level, text, before);
      },
    };
    expect(setConfig(busy, { key: 'mode', value: 'manual', level: 'user' })).toMatchObject({ ok: true });
    expect(JSON.parse(textOf('user'))).toEqual({ theirs: 5, memory: { mode: 'manual' } });
    meddle = 1000;
    expect(setConfig(busy, { key: 'mode', value: 'auto', level: 'user' })).toMatchObject({ ok: false, error: { code: 'LOCK_TIMEOUT' } });
  });
});

describe('unset', () => {
  it('brings back what lies below, and the file as it was', () => {
    const settings = '{\n  "hooks": {}\n}\n';
    put('user', settings);
    setConfig(filesOn(), { key: 'delete.grace_period_days', value: '7', level: 'user' });
    expect(unsetConfig(filesOn(), { key: 'delete.grace_period_days', level: 'user' })).toMatchObject({
      ok: true,
      value: { changed: true, now: { value: 30, source: 'default' } },
    });
    expect(textOf('user')).toBe(settings);
  });

  it('has nothing to do where nothing is set', () => {
    expect(unsetConfig(filesOn(), { key: 'mode', level: 'project' })).toMatchObject({ ok: true, value: { changed: false } });
    expect(existsSync(places().project)).toBe(false);
    expect(unsetConfig(filesOn(), { key: 'nonsense', level: 'project' })).toMatchObject({ ok: false, error: { code: 'CONFIG_ERROR' } });
  });
});
