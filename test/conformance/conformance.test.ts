import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildDist } from '../../scripts/build.js';
import { root } from '../../scripts/bundle.js';
import { sample } from '../core/sample.ts';

const program = path.join(root, 'dist', 'conformance.js');
const cases = path.join(root, '..', 'shared', 'conformance');

beforeAll(async () => {
  if (!existsSync(program)) await buildDist();
});

interface Answer {
  readonly id: string;
  readonly steps: readonly Readonly<Record<string, unknown>>[];
  readonly final: { readonly files: Readonly<Record<string, unknown>>; readonly index: readonly { readonly path: string }[] };
}

function answers(...asked: readonly object[]): readonly Answer[] {
  const run = spawnSync(process.execPath, [program], { input: asked.map((one) => JSON.stringify(one)).join('\n'), encoding: 'utf8' });
  expect(run.stderr).toBe('');
  return run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer);
}

describe('the program that works lifecycle cases', () => {
  it('refuses an unknown category in every operation, and guesses none', () => {
    const record = sample('decision', { id: 'first', related_files: [] });
    const category = 'decison';
    const ops = ['create', 'update', 'retire', 'restore', 'archive', 'unarchive', 'candidate'];
    const steps = ops.map((op) => ({ op, category, target: 'decisions/first.json', input: record, new_info: 'x' }));
    const [answer] = answers({ id: 'unknown-category', given: { records: { 'decisions/first.json': record } }, steps });
    expect(answer?.steps.map(({ error }) => error)).toEqual(ops.map(() => 'VALIDATION_ERROR'));
  });

  it('works each on fresh files through the real use cases, and says what became of every step', () => {
    const record = sample('decision', { id: 'first', related_files: [] });
    const [whole, guard] = answers(
      {
        id: 'whole-life',
        given: {},
        steps: [
          { op: 'create', category: 'decision', target: 'decisions/first.json', input: record },
          { op: 'create', category: 'decision', target: 'decisions/first.json', input: record },
          { op: 'capture_hash', target: 'decisions/first.json', as: '$h' },
          {
            op: 'update',
            category: 'decision',
            target: 'decisions/first.json',
            input: { ...record, changes: [...record.changes!, { date: '2026-02-01T00:00:00Z', summary: 'x' }] },
            hash: '$h',
          },
          { op: 'update', category: 'decision', target: 'decisions/first.json', input: record, hash: '$h' },
          { op: 'retire', target: 'decisions/first.json' },
          { op: 'gc' },
          { op: 'restore', target: 'decisions/first.json' },
          { op: 'validate_index' },
        ],
      },
      {
        id: 'guard',
        given: {},
        steps: [
          { op: 'guard_write', file_path: '<MEMORY>/decisions/x.json' },
          { op: 'guard_write', file_path: '<PROJECT>/src/x.ts' },
          { op: 'slugify', text: 'Hello, World' },
        ],
      },
    );
    expect(whole?.steps.map((step) => step['status'] ?? step['error'] ?? step['ok'])).toEqual([
      'created',
      'CREATE_OVERWRITE_ERROR',
      true,
      'updated',
      'OCC_CONFLICT',
      'retired',
      true,
      'restored',
      true,
    ]);
    expect(whole?.final.files).toMatchObject({ 'decisions/first.json': { times_updated: 1, record_status: 'active' } });
    expect(whole?.final.index).toMatchObject([{ path: 'decisions/first.json' }]);
    expect(guard?.steps).toMatchObject([{ permission: 'deny' }, { permission: 'none' }, { slug: 'hello-world' }]);
  });

  it.skipIf(!existsSync(cases))('passes every case that is not disputed (skipped where the cases are absent)', { timeout: 300_000 }, () => {
    const run = spawnSync(process.execPath, [path.join(cases, 'check.mjs'), '--cmd', `"${process.execPath}" "${program}"`], { encoding: 'utf8', cwd: root });
    const disputed = Object.keys(JSON.parse(readFileSync(path.join(root, 'test/conformance/disputed.json'), 'utf8')) as object);
    const failed = [...run.stdout.matchAll(/^([a-z-]+-\d+) \(/gm)].map(([, id]) => id);
    expect(failed.filter((id) => !disputed.includes(id ?? ''))).toEqual([]);
    const [, passed = '0'] = /(\d+) passed/.exec(run.stdout) ?? [];
    process.stdout.write(`conformance: ${passed} cases passed, ${failed.length} disputed\n`);
    expect(Number(passed)).toBeGreaterThan(100);
  });
});
