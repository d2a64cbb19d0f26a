import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { configFiles } from '../../../src/adapters/files/config-files.ts';
import { setConfig } from '../../../src/app/config/change.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { type Automatic, switchOf } from '../../../src/app/project/switch.ts';
import { scratch } from '../../scratch.ts';

const ALL: readonly Automatic[] = ['load', 'recall', 'subagents', 'capture', 'update', 'guard'];

function project(written: { readonly user?: object; readonly shared?: object; readonly project?: object } = {}) {
  const folder = scratch();
  const places = { user: path.join(folder, 'settings.json'), shared: path.join(folder, 'shared.json'), project: path.join(folder, 'home', 'project.json') };
  if (written.user) fs.writeFileSync(places.user, JSON.stringify({ memory: written.user }));
  if (written.shared) fs.writeFileSync(places.shared, JSON.stringify(written.shared));
  fs.mkdirSync(path.dirname(places.project));
  if (written.project) fs.writeFileSync(places.project, JSON.stringify(written.project));
  const files = configFiles(places);
  const acts = (started = false) => ALL.filter((what) => switchOf(loadConfig(files).config, started).allows(what));
  return { files, places, acts, now: (started = false) => switchOf(loadConfig(files).config, started) };
}

test('nothing acts until its user has said yes', () => {
  const { now, acts } = project();
  expect(now().on).toBe(false);
  expect(now().because).toContain('Memory is off in this project.');
  expect(acts(true)).toEqual([]);
});

test('a cloned repository cannot switch memory on', () => {
  expect(project({ shared: { on: true, enabled: true, mode: 'auto' } }).acts(true)).toEqual([]);
});

test('yes is said for one project or for all, in files of the home, and taken back there', () => {
  const one = project();
  expect(setConfig(one.files, { key: 'on', value: 'true', level: 'project' })).toMatchObject({ ok: true, value: { place: one.places.project } });
  expect(one.acts()).toEqual(ALL);
  setConfig(one.files, { key: 'on', value: 'false', level: 'project' });
  expect(one.acts()).toEqual([]);

  const all = project();
  expect(setConfig(all.files, { key: 'on', value: 'true', level: 'user' })).toMatchObject({ ok: true, value: { place: all.places.user } });
  expect(all.acts()).toEqual(ALL);
  setConfig(all.files, { key: 'on', value: 'false', level: 'project' });
  expect(all.acts()).toEqual([]);
});

test('mode session acts between start and stop, mode manual never; the guard stands in every mode', () => {
  const session = project({ project: { on: true, mode: 'session' } });
  expect(session.acts(false)).toEqual(['guard']);
  expect(session.acts(true)).toEqual(ALL);
  expect(project({ project: { on: true, mode: 'manual' } }).acts(true)).toEqual(['guard']);
});

test('a single switch that was set wins over the mode, one from a repository does not', () => {
  expect(project({ project: { on: true, mode: 'manual', autoLoad: true } }).acts()).toEqual(['load', 'guard']);
  expect(project({ project: { on: true, autoLoad: false } }).acts()).toEqual(['recall', 'subagents', 'capture', 'update', 'guard']);
  expect(project({ project: { on: true, mode: 'manual' }, shared: { autoLoad: true } }).acts()).toEqual(['guard']);
  expect(project({ user: { enabled: false }, project: { on: true } }).acts()).toEqual([]);
});
