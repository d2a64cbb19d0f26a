import type { TextCategory } from '../../capture/triage/settings.ts';
import { TRIAGED } from '../../core/config/categories.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { isObject } from '../../core/value.ts';

/** A record as the agent submits it at the end of a turn. */
export interface TurnRecord {
  readonly category: TextCategory;
  readonly text: string;
  readonly why?: string;
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly files?: readonly string[];
  /** Actions, commands or files that a rule applies to. */
  readonly appliesTo?: readonly string[];
  /** The user's own words, if the record is a rule that the user stated. */
  readonly rule?: string;
  /** The id of the record that it replaces. */
  readonly replaces?: string;
}

const MOST_RECORDS = 8;
const LONGEST_TEXT = 2_000;

/** Reads the records of a call. A malformed record refuses the whole call, so that the agent sends all of them again. */
export function readTurnRecords(value: readonly unknown[]): Result<readonly TurnRecord[]> {
  if (value.length > MOST_RECORDS)
    return refuse('INPUT_ERROR', `${value.length} records at once; at most ${MOST_RECORDS}`, { hint: 'send only the most important ones' });
  const records: TurnRecord[] = [];
  for (const [at, entry] of value.entries()) {
    const record = isObject(entry) ? recordIn(entry) : undefined;
    if (!record) return refuse('INPUT_ERROR', `records[${at}] needs a category (${TEXT_CATEGORIES.join(', ')}) and a text`);
    records.push(record);
  }
  return ok(records);
}

const TEXT_CATEGORIES = TRIAGED.filter((category): category is TextCategory => category !== 'session_summary');
const isRuleCategory = (category: TextCategory): boolean => category === 'preference' || category === 'constraint';

function recordIn(fields: Readonly<Record<string, unknown>>): TurnRecord | undefined {
  const text = (name: string): string | undefined => {
    const value = fields[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, LONGEST_TEXT) : undefined;
  };
  const texts = (name: string): readonly string[] => {
    const value = fields[name];
    return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string' && item.trim() !== '') as string[];
  };
  const [statement, rule, why, title, replaces] = [text('text'), text('rule'), text('why'), text('title'), text('replaces')];
  const givenCategory = TEXT_CATEGORIES.find((one) => one === fields['category']);
  const category = rule !== undefined && (givenCategory === undefined || !isRuleCategory(givenCategory)) ? 'preference' : givenCategory;
  if (category === undefined || statement === undefined) return undefined;
  return {
    category,
    text: statement,
    tags: texts('tags'),
    files: texts('files'),
    appliesTo: texts('applies_to'),
    ...(rule !== undefined && { rule }),
    ...(why !== undefined && { why }),
    ...(title !== undefined && { title }),
    ...(replaces !== undefined && { replaces }),
  };
}
