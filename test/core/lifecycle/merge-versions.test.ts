import { describe, expect, it } from 'vitest';
import { mergeVersions } from '../../../src/core/lifecycle/merge-versions.ts';
import { mergeUpdate } from '../../../src/core/lifecycle/merge.ts';
import { retire } from '../../../src/core/lifecycle/status.ts';
import type { MemoryRecord } from '../../../src/core/record/schema.ts';
import { must } from '../../app/memory.ts';
import { sample } from '../sample.ts';

const BASE = sample('decision', { tags: ['storage'] });
const HOUR = 3_600_000;
const START = Date.parse('2026-03-02T00:00:00Z');

function updated(record: MemoryRecord, change: object, hours: number): MemoryRecord {
  const now = START + hours * HOUR;
  const changes = [...(record.changes ?? []), { date: new Date(now).toISOString().replace(/\.\d+/, ''), summary: `edit ${hours}` }];
  return must(mergeUpdate(record, { ...record, ...change, changes }, now, () => false)).record;
}
const content = (more: object): object => ({ content: { ...BASE.content, ...more } });

describe('two versions of one record', () => {
  it('are joined when each side changed another field, with and without the version they started from', () => {
    const ours = updated(BASE, content({ decision: 'Use DuckDB' }), 1);
    const theirs = updated(BASE, { tags: ['storage', 'disk'], ...content({ context: 'A server', rationale: ['no server', 'cheap'] }) }, 2);
    for (const base of [BASE, undefined]) {
      const { record, conflicts } = mergeVersions(ours, theirs, base);
      expect(conflicts).toEqual([]);
      expect(record).toMatchObject({
        tags: ['storage', 'disk'],
        updated_at: theirs.updated_at,
        content: { decision: 'Use DuckDB', context: 'A server', rationale: ['no server', 'cheap'] },
      });
      for (const change of [...(ours.changes ?? []), ...(theirs.changes ?? [])]) expect(record.changes).toContainEqual(change);
    }
  });

  it('conflict in a value that both changed; the one not kept stays in the history', () => {
    const [ours, theirs] = [updated(BASE, content({ decision: 'Use DuckDB' }), 1), updated(BASE, content({ decision: 'Use PostgreSQL' }), 2)];
    for (const prefer of ['ours', 'theirs'] as const) {
      const { record, conflicts } = mergeVersions(ours, theirs, undefined, prefer);
      expect(conflicts).toEqual([{ field: 'content.decision', ours: 'Use DuckDB', theirs: 'Use PostgreSQL' }]);
      expect(record.content).toMatchObject({ decision: prefer === 'ours' ? 'Use DuckDB' : 'Use PostgreSQL' });
      expect(record.changes?.at(-1)).toMatchObject({ field: 'content.decision', old_value: prefer === 'ours' ? 'Use PostgreSQL' : 'Use DuckDB' });
    }
  });

  it('conflict when a hand changed a value that no history tells of', () => {
    const theirs = { ...BASE, title: 'Another title' } as MemoryRecord;
    expect(mergeVersions(BASE, theirs).conflicts).toMatchObject([{ field: 'title' }]);
    expect(mergeVersions(BASE, theirs, BASE)).toMatchObject({ conflicts: [], record: { title: 'Another title' } });
  });

  it('keep a retirement and the edit beside it', () => {
    const ours = must(retire(BASE, 'obsolete', START + HOUR)).record as MemoryRecord;
    const theirs = updated(BASE, content({ context: 'A server' }), 2);
    expect(mergeVersions(ours, theirs)).toMatchObject({
      conflicts: [],
      record: { record_status: 'retired', retired_reason: 'obsolete', content: { context: 'A server' } },
    });
    expect(mergeVersions(theirs, ours).record).toMatchObject({ record_status: 'retired', retired_at: ours.retired_at });
  });

  it('take out what one side took out, if it is known what they started from', () => {
    const base = sample('runbook', { content: { trigger: 't', steps: ['one', 'two'], verification: 'v' } });
    const side = (steps: readonly string[]) => ({ ...base, content: { ...base.content, steps } }) as MemoryRecord;
    expect(mergeVersions(side(['one']), side(['one', 'two', 'three']), base).record.content).toMatchObject({ steps: ['one', 'three'] });
    expect(mergeVersions(side(['one']), side(['one', 'two', 'three'])).record.content).toMatchObject({ steps: ['one', 'two', 'three'] });
  });

  it('are trusted no more than the less trusted of them', () => {
    const trusted = (trust: string) => ({ ...BASE, trust }) as MemoryRecord;
    expect(mergeVersions(trusted('confirmed'), trusted('quarantined')).record.trust).toBe('quarantined');
    expect(mergeVersions(trusted('observed'), trusted('confirmed')).record.trust).toBe('observed');
  });

  it('conflict in tags when there would be more than a record may have', () => {
    const many = (prefix: string) => ({ ...BASE, tags: Array.from({ length: 9 }, (_, n) => `${prefix}${n}`) }) as MemoryRecord;
    expect(mergeVersions(many('a'), many('b')).conflicts).toMatchObject([{ field: 'tags' }]);
  });
});
