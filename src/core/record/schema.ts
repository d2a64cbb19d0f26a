import * as z from 'zod/mini';
import { CATEGORIES, type Category } from './category.ts';

/** The one source of the record model: types, validation and the JSON Schemas in `assets/schemas/` all come from here. */

export const ID_PATTERN = /^[a-z0-9]([a-z0-9-]{0,78}[a-z0-9])?$/;
export const TITLE_LIMIT = 120;
export const SUMMARY_LIMIT = 300;
export const CHANGES_CAP = 50;
export const TAG_CAP = 12;

const text = z.string();
const words = z.string().check(z.minLength(1));
const list = z.array(text);
const someOf = z.array(text).check(z.minLength(1));
const instant = z
  .string()
  .check(z.regex(/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/, 'an ISO 8601 time such as 2026-01-31T09:30:00Z'));

const content = {
  session_summary: z.strictObject({
    goal: text,
    outcome: z.enum(['success', 'partial', 'blocked', 'abandoned']),
    completed: list,
    in_progress: z.optional(list),
    blockers: z.optional(list),
    next_actions: list,
    key_changes: z.optional(list),
    context: z.optional(text),
    tracking_points: z.optional(z.array(z.strictObject({ label: words, text }))),
  }),
  decision: z.strictObject({
    status: z.enum(['proposed', 'accepted', 'deprecated', 'superseded']),
    area: z.optional(z.enum(['architecture', 'implementation', 'configuration', 'dependency', 'process'])),
    context: text,
    decision: text,
    alternatives: z.optional(z.array(z.strictObject({ option: text, rejected_reason: text }))),
    rationale: someOf,
    consequences: z.optional(list),
  }),
  runbook: z.strictObject({
    trigger: text,
    symptoms: z.optional(list),
    steps: someOf,
    verification: text,
    root_cause: z.optional(text),
    environment: z.optional(text),
  }),
  constraint: z.strictObject({
    kind: z.enum(['limitation', 'gap', 'policy', 'technical']),
    rule: text,
    impact: someOf,
    workarounds: z.optional(list),
    severity: z.enum(['high', 'medium', 'low']),
    active: z.boolean(),
    expires: z.optional(text),
  }),
  tech_debt: z.strictObject({
    status: z.enum(['open', 'in_progress', 'resolved', 'wont_fix']),
    priority: z.enum(['critical', 'high', 'medium', 'low']),
    description: text,
    reason_deferred: text,
    impact: z.optional(list),
    suggested_fix: z.optional(list),
    acceptance_criteria: z.optional(list),
  }),
  preference: z.strictObject({
    topic: text,
    value: text,
    reason: text,
    strength: z.enum(['strong', 'default', 'soft']),
    examples: z.optional(z.strictObject({ prefer: z.optional(list), avoid: z.optional(list) })),
  }),
  analysis: z.strictObject({
    path: text,
    type: z.enum(['file', 'component', 'module', 'service']),
    summary: text,
    key_findings: z.optional(list),
    issues_found: z.optional(list),
    recommendations: z.optional(list),
  }),
  subagent_report: z.strictObject({
    agent: text,
    task: text,
    parent_context: z.optional(text),
    summary: text,
    details: z.optional(text),
    files_analyzed: z.optional(list),
    recommendations: z.optional(list),
  }),
} as const;

const change = z.strictObject({
  date: instant,
  summary: z.string().check(z.maxLength(SUMMARY_LIMIT)),
  field: z.optional(text),
  old_value: z.optional(z.unknown()),
  new_value: z.optional(z.unknown()),
});

const origin = z.strictObject({
  channel: z.enum(['command', 'agent', 'hook', 'capture', 'import', 'migration', 'git', 'sync']),
  client: z.optional(text),
  session_id: z.optional(text),
  message_ids: z.optional(list),
  /** The user's words that asked an agent to save it. */
  asked: z.optional(text),
  /** Who verified an automatic draft. */
  verified: z.optional(z.enum(['rules', 'model', 'agent'])),
  /** The version of the rules that drafted it without a model. */
  rules: z.optional(text),
});

const evidence = z.strictObject({ path: words, commit: z.optional(text), blob: z.optional(text) });

const common = {
  schema_version: z.literal('1.0'),
  id: z.string().check(z.regex(ID_PATTERN, '1 to 80 lower-case letters, digits and hyphens')),
  title: z.string().check(z.minLength(1), z.maxLength(TITLE_LIMIT)),
  record_status: z.optional(z.enum(['active', 'retired', 'archived'])),
  created_at: instant,
  updated_at: instant,
  tags: z.array(words).check(z.minLength(1), z.maxLength(TAG_CAP)),
  related_files: z.nullish(list),
  /** The scope of a rule: actions (`commit`), beginnings of commands (`npm publish`), files (`docs/plans/**`). */
  applies_to: z.optional(z.array(words)),
  confidence: z.nullish(z.number().check(z.gte(0), z.lte(1))),
  changes: z.nullish(z.array(change).check(z.maxLength(CHANGES_CAP))),
  times_updated: z.optional(z.number().check(z.int(), z.gte(0))),
  retired_at: z.nullish(instant),
  retired_reason: z.nullish(text),
  archived_at: z.nullish(instant),
  archived_reason: z.nullish(text),
  origin: z.optional(origin),
  trust: z.optional(z.enum(['confirmed', 'observed', 'quarantined'])),
  supersedes: z.optional(list),
  superseded_by: z.optional(text),
  evidence: z.optional(z.array(evidence)),
  scope: z.optional(z.enum(['user', 'private', 'shared'])),
} as const;

const recordOf = <C extends Category>(category: C) => z.strictObject({ category: z.literal(category), ...common, content: content[category] });

export const RECORD_SCHEMAS = Object.fromEntries(CATEGORIES.map((category) => [category, recordOf(category)])) as unknown as {
  readonly [C in Category]: ReturnType<typeof recordOf<C>>;
};

type Frozen<T> = T extends readonly (infer U)[] ? readonly Frozen<U>[] : T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

export type ContentOf<C extends Category> = Frozen<z.infer<(typeof content)[C]>>;
type Common = Frozen<z.infer<z.ZodMiniObject<typeof common>>>;
export type RecordOf<C extends Category> = Common & { readonly category: C; readonly content: ContentOf<C> };
/** One memory: a decision, a fix, a constraint … with its origin and its history. */
export type MemoryRecord = { [C in Category]: RecordOf<C> }[Category];
export type Change = Frozen<z.infer<typeof change>>;
export type Origin = Frozen<z.infer<typeof origin>>;
export type Evidence = Frozen<z.infer<typeof evidence>>;
export type RecordStatus = 'active' | 'retired' | 'archived';
export type Trust = 'confirmed' | 'observed' | 'quarantined';
export type Scope = 'user' | 'private' | 'shared';
