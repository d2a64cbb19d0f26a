import type { Category } from '../../core/record/category.ts';
import { RECORD_SCHEMAS } from '../../core/record/schema.ts';
import { heading, instant, lineFormat, prose, word, yesNo, type FieldFormat } from './format.ts';
import { examples, options, points, bullets, steps } from './list.ts';

/** The title and content of a hand-written file, from which missing fields are derived. */
export interface HandWritten {
  readonly title: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/** The place and format of a field in a record's Markdown file. */
export interface Field {
  readonly key: string;
  readonly of: 'record' | 'content';
  readonly home: 'title' | 'label' | 'section';
  /** The heading, or the label between stars. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly form: FieldFormat;
  /** The value of a missing field; without this, the schema decides whether the field may be missing. */
  readonly missing?: (file: HandWritten) => unknown;
}

export interface Shape {
  readonly fields: readonly Field[];
  /** The field that text without a heading belongs to. */
  readonly main: string;
  readonly titlePrefix: string;
  named(home: Field['home'], name: string): Field | undefined;
}

/** Longer than any field's name. */
const LONGEST_NAME = 100;

/** A heading or label for comparison, without case, closing marks and extra blanks. */
const nameOf = (text: string): string =>
  text
    .trim()
    .replace(/[\s:#]+$/, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();

function shape(main: string, fields: readonly Field[], titlePrefix = ''): Shape {
  const names = new Map(fields.flatMap((field) => [field.name, ...field.aliases].map((name) => [`${field.home} ${nameOf(name)}`, field] as const)));
  return { main, fields, titlePrefix, named: (home, name) => (name.length > LONGEST_NAME ? undefined : names.get(`${home} ${nameOf(name)}`)) };
}

const NOT_RECORDED = 'not recorded';

type Missing = Field['missing'];
const optional = (missing: Missing): Pick<Field, 'missing'> => (missing ? { missing } : {});
const label = (key: string, name: string, form: FieldFormat, missing?: Missing): Field => ({
  key,
  of: 'content',
  home: 'label',
  name,
  aliases: [],
  form,
  ...optional(missing),
});
const section = (key: string, name: string, form: FieldFormat, missing?: Missing, aliases: readonly string[] = []): Field => ({
  key,
  of: 'content',
  home: 'section',
  name,
  aliases,
  form,
  ...optional(missing),
});
const date = (name: string): Field => ({ key: 'created_at', of: 'record', home: 'label', name, aliases: [], form: instant });

const TITLE: Field = { key: 'title', of: 'record', home: 'title', name: '', aliases: [], form: heading };
const RELATED: Field = {
  key: 'related_files',
  of: 'record',
  home: 'section',
  name: 'Related Files/Artifacts',
  aliases: ['Related Files', 'Related Artifacts'],
  form: bullets,
};

/** The words that the schema allows for a content field of a category. */
function choice(category: Category, key: string, meanings?: Readonly<Record<string, string>>): FieldFormat {
  const fields = RECORD_SCHEMAS[category].shape.content.shape as Readonly<Record<string, { readonly _zod: { readonly values?: ReadonlySet<unknown> } }>>;
  const values = [...(fields[key]?._zod.values ?? [])].filter((value) => typeof value === 'string');
  return word(values, meanings);
}

const none = (): readonly string[] => [];
const empty = (): string => '';
const title = ({ title: text }: HandWritten): string => text;
/** The context of a decision replaces a missing rationale, which files of the older format do not have. */
const why = ({ content }: HandWritten): readonly string[] => {
  const context = content['context'];
  return [typeof context === 'string' && context.trim() !== '' ? context : NOT_RECORDED];
};

export const RECORD_SHAPES: Readonly<Record<Category, Shape>> = {
  session_summary: shape('context', [
    TITLE,
    label('outcome', 'Outcome', choice('session_summary', 'outcome'), () => 'partial'),
    section('goal', 'Goal', prose, title),
    section('context', 'Context', prose),
    section('tracking_points', 'Tracking Points', points),
    section('completed', 'Completed', bullets, none),
    section('in_progress', 'In Progress', bullets),
    section('blockers', 'Blockers', bullets),
    section('next_actions', 'Next Actions', bullets, none, ['Next Steps']),
    section('key_changes', 'Key Changes', bullets),
    RELATED,
  ]),
  decision: shape('decision', [
    TITLE,
    date('Date'),
    label('area', 'Category', choice('decision', 'area')),
    label('status', 'Status', choice('decision', 'status', { decided: 'accepted', pending: 'proposed' }), () => 'accepted'),
    section('context', 'Context', prose, empty),
    section('decision', 'Decision', prose),
    section('alternatives', 'Alternatives Considered', options, undefined, ['Alternatives']),
    section('rationale', 'Rationale', bullets, why),
    section('consequences', 'Consequences', bullets),
  ]),
  runbook: shape('steps', [
    TITLE,
    section('trigger', 'Trigger', prose, title),
    section('symptoms', 'Symptoms', bullets),
    section('steps', 'Steps', steps),
    section('verification', 'Verification', prose, empty),
    section('root_cause', 'Root Cause', prose),
    section('environment', 'Environment', prose),
  ]),
  constraint: shape('rule', [
    TITLE,
    label('kind', 'Kind', choice('constraint', 'kind'), () => 'technical'),
    label('severity', 'Severity', choice('constraint', 'severity'), () => 'medium'),
    label('active', 'Active', yesNo, () => true),
    label('expires', 'Expires', lineFormat),
    section('rule', 'Rule', prose),
    section('impact', 'Impact', bullets, () => [NOT_RECORDED]),
    section('workarounds', 'Workarounds', bullets),
  ]),
  tech_debt: shape('description', [
    TITLE,
    label('status', 'Status', choice('tech_debt', 'status'), () => 'open'),
    label('priority', 'Priority', choice('tech_debt', 'priority'), () => 'medium'),
    section('description', 'Description', prose),
    section('reason_deferred', 'Reason Deferred', prose, empty),
    section('impact', 'Impact', bullets),
    section('suggested_fix', 'Suggested Fix', bullets),
    section('acceptance_criteria', 'Acceptance Criteria', bullets),
  ]),
  preference: shape('value', [
    TITLE,
    label('topic', 'Topic', lineFormat, title),
    label('strength', 'Strength', choice('preference', 'strength'), () => 'default'),
    section('value', 'Preference', prose, undefined, ['Value']),
    section('reason', 'Reason', prose, empty),
    section('examples', 'Examples', examples),
  ]),
  analysis: shape(
    'summary',
    [
      TITLE,
      date('Analyzed'),
      label('path', 'Path', lineFormat, title),
      label('type', 'Type', choice('analysis', 'type'), () => 'component'),
      section('summary', 'Summary', prose),
      section('key_findings', 'Key Findings', bullets),
      section('issues_found', 'Issues Found', bullets),
      section('recommendations', 'Recommendations', bullets),
    ],
    'Analysis: ',
  ),
  subagent_report: shape('summary', [
    TITLE,
    label('agent', 'Agent', lineFormat, () => 'unknown'),
    date('Date'),
    label('task', 'Task', lineFormat, title),
    label('parent_context', 'Parent Context', lineFormat),
    section('summary', 'Summary', prose),
    section('details', 'Details', prose),
    section('files_analyzed', 'Files Analyzed', bullets),
    section('recommendations', 'Recommendations', bullets),
  ]),
};

export const valueOf = (record: object, field: Field): unknown => {
  const holder = field.of === 'record' ? record : (record as { readonly content: object }).content;
  return (holder as Readonly<Record<string, unknown>>)[field.key];
};
