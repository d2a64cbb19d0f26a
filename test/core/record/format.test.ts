import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { roleOf } from '../../../src/app/memory/layout.ts';
import { CATEGORIES, FOLDERS, type Category } from '../../../src/core/record/category.ts';
import { validate } from '../../../src/core/record/draft.ts';
import { RECORD_SCHEMAS } from '../../../src/core/record/schema.ts';
import { newRecord } from '../../../src/core/lifecycle/create.ts';
import { sample } from '../sample.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const CHANGE = { date: '2026-01-01T00:00:00Z', summary: 's' };

/** The words that a field may have, as the schema lists them. */
const wordsFor = (category: Category, field: string): unknown => {
  const schema: unknown = z.toJSONSchema(RECORD_SCHEMAS[category], { io: 'input' });
  const { properties } = schema as {
    readonly properties: { readonly content: { readonly properties: Readonly<Record<string, { readonly enum?: unknown }>> } };
  };
  return properties.content.properties[field]?.enum;
};

const holds = (change: object): boolean => validate('decision', sample('decision', change) as object as Record<string, unknown>).ok;

describe('the common fields of a record', () => {
  it.each<[string, readonly object[], readonly object[]]>([
    ['schema_version', [{ schema_version: '1.0' }], [{ schema_version: '1.1' }, { schema_version: 1 }, { schema_version: undefined }]],
    ['category', [{ category: 'decision' }], [{ category: 'runbook' }, { category: 'DECISION' }, { category: undefined }]],
    ['id', [{ id: 'a' }, { id: 'use-it-2' }, { id: 'x'.repeat(80) }], [{ id: 'Use-It' }, { id: '-a' }, { id: 'a_b' }, { id: 'x'.repeat(81) }, { id: '' }]],
    ['title', [{ title: 'x'.repeat(120) }], [{ title: 'x'.repeat(121) }, { title: '' }, { title: undefined }]],
    ['created_at', [{ created_at: '2026-01-31T09:30:00Z' }], [{ created_at: 'yesterday' }, { created_at: 7 }, { created_at: undefined }]],
    ['updated_at', [{ updated_at: '2026-01-31T09:30:00Z' }], [{ updated_at: 'yesterday' }, { updated_at: undefined }]],
    ['tags', [{ tags: ['one'] }], [{ tags: [] }, { tags: 'one' }, { tags: Array.from({ length: 13 }, (_, at) => `t${at}`) }, { tags: [''] }]],
    [
      'related_files',
      [{ related_files: [] }, { related_files: ['src/a.ts'] }, { related_files: undefined }],
      [{ related_files: [1] }, { related_files: 'a.ts' }],
    ],
    ['confidence', [{ confidence: 0 }, { confidence: 1 }], [{ confidence: 1.01 }, { confidence: -0.1 }, { confidence: '0.5' }]],
    [
      'record_status',
      [{ record_status: 'active' }, { record_status: 'retired' }, { record_status: 'archived' }, { record_status: undefined }],
      [{ record_status: 'gone' }],
    ],
    [
      'changes',
      [{ changes: Array.from({ length: 50 }, () => CHANGE) }, { changes: [{ ...CHANGE, field: 'title', old_value: 1, new_value: [2] }] }],
      [{ changes: Array.from({ length: 51 }, () => CHANGE) }, { changes: [{ date: CHANGE.date }] }, { changes: [{ summary: 's' }] }],
    ],
    ['times_updated', [{ times_updated: 0 }, { times_updated: 3 }], [{ times_updated: -1 }, { times_updated: 0.5 }, { times_updated: '1' }]],
    [
      'retired_at, retired_reason, archived_at and archived_reason',
      [
        { retired_at: '2026-01-31T09:30:00Z', retired_reason: 'r', archived_at: '2026-01-31T09:30:00Z', archived_reason: 'a' },
        { retired_at: null, retired_reason: null, archived_at: null, archived_reason: null },
      ],
      [{ retired_at: 'soon' }, { archived_at: 'soon' }, { retired_reason: 1 }, { archived_reason: 1 }],
    ],
  ])('%s takes what it should and nothing else', (_field, right, wrong) => {
    for (const change of right) expect(holds(change), JSON.stringify(change)).toBe(true);
    for (const change of wrong) expect(holds(change), JSON.stringify(change)).toBe(false);
  });

  it('start as they should: active, not updated, with a first change, made now', () => {
    const { title, tags, content } = sample('decision');
    expect(newRecord({ title, tags, content }, 'decision', 'x', NOW)).toMatchObject({
      ok: true,
      value: { schema_version: '1.0', id: 'x', record_status: 'active', times_updated: 0, changes: [{}], created_at: '2026-03-01T12:00:00Z' },
    });
  });
});

/** The content of each category: the fields it must have, those it may have, and the words that a field may take. */
const CONTENT: readonly (readonly [Category, { readonly must: string; readonly may: string; readonly choices: Readonly<Record<string, string>> }])[] = [
  [
    'session_summary',
    {
      must: 'goal outcome completed next_actions',
      may: 'in_progress blockers key_changes',
      choices: { outcome: 'success partial blocked abandoned' },
    },
  ],
  ['decision', { must: 'status context decision rationale', may: 'alternatives consequences', choices: { status: 'proposed accepted deprecated superseded' } }],
  ['runbook', { must: 'trigger steps verification', may: 'symptoms root_cause environment', choices: {} }],
  [
    'constraint',
    {
      must: 'kind rule impact severity active',
      may: 'workarounds expires',
      choices: { kind: 'limitation gap policy technical', severity: 'high medium low' },
    },
  ],
  [
    'tech_debt',
    {
      must: 'status priority description reason_deferred',
      may: 'impact suggested_fix acceptance_criteria',
      choices: { status: 'open in_progress resolved wont_fix', priority: 'critical high medium low' },
    },
  ],
  ['preference', { must: 'topic value reason strength', may: 'examples', choices: { strength: 'strong default soft' } }],
];

it('a record lies in the folder of its category, six of them named by the document', () => {
  expect(FOLDERS).toEqual({
    session_summary: 'sessions',
    decision: 'decisions',
    runbook: 'runbooks',
    constraint: 'constraints',
    tech_debt: 'tech-debt',
    preference: 'preferences',
    analysis: 'analysis',
    subagent_report: 'subagent',
  });
});

it('there are eight categories: the six of the document, and two for what an agent and its helpers found', () => {
  expect(CATEGORIES).toEqual(['session_summary', 'decision', 'runbook', 'constraint', 'tech_debt', 'preference', 'analysis', 'subagent_report']);
});

it('what there is one of is a document and no record', () => {
  const documents = [
    'context/current-task.md',
    'context/blockers.md',
    'progress/active.md',
    'progress/completed.md',
    'project.md',
    'memory/MEMORY.md',
    'master.md',
  ];
  expect(documents.map((path) => roleOf({ root: 'private', path }).role)).toEqual(documents.map(() => 'document'));
  expect(CATEGORIES.map((category) => roleOf({ root: 'private', path: `${FOLDERS[category]}/x.md` }))).toEqual(
    CATEGORIES.map((category) => ({ role: 'record', category })),
  );
});

describe('the content of a record', () => {
  it.each(CONTENT)('of a %s has its fields, and its choices of words', (category, { must, may, choices }) => {
    const whole = sample(category).content as Readonly<Record<string, unknown>>;
    const ok = (content: object): boolean => validate(category, { ...sample(category), content }).ok;
    expect(Object.keys(whole).toSorted()).toEqual([...must.split(' '), ...may.split(' ')].toSorted());
    expect(ok(whole)).toBe(true);
    expect(ok({ ...whole, more: 1 })).toBe(false);
    for (const field of must.split(' ')) expect(ok({ ...whole, [field]: undefined }), field).toBe(false);
    for (const field of may.split(' ')) expect(ok({ ...whole, [field]: undefined }), field).toBe(true);
    for (const [field, words] of Object.entries(choices)) {
      for (const word of words.split(' ')) expect(ok({ ...whole, [field]: word }), word).toBe(true);
      expect(wordsFor(category, field), 'and no other').toEqual(words.split(' '));
    }
  });

  it('has an alternative with why it was turned down, and a preference with examples of both sides', () => {
    const decision = sample('decision').content;
    const alternatives = (one: object): boolean =>
      RECORD_SCHEMAS.decision.safeParse({ ...sample('decision'), content: { ...decision, alternatives: [one] } }).success;
    expect(alternatives({ option: 'x', rejected_reason: 'y' })).toBe(true);
    expect(alternatives({ option: 'x' })).toBe(false);
    const preference = sample('preference').content;
    const examples = (one: object): boolean =>
      RECORD_SCHEMAS.preference.safeParse({ ...sample('preference'), content: { ...preference, examples: one } }).success;
    expect(examples({ prefer: ['a'], avoid: ['b'] })).toBe(true);
    expect(examples({ prefer: 'a' })).toBe(false);
  });

  it('has a status of its own, whatever the record’s', () => {
    for (const status of ['active', 'retired', 'archived'])
      for (const word of ['proposed', 'superseded'])
        expect(holds({ record_status: status, content: { ...sample('decision').content, status: word } })).toBe(true);
  });
});
