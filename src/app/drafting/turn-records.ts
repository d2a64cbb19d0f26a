import type { TextCategory } from '../../capture/triage/settings.ts';
import { TRIAGED } from '../../core/config/categories.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { isObject } from '../../core/value.ts';

/** A record as the agent hands it in at the end of a turn. */
export interface TurnRecord {
  readonly category: TextCategory;
  readonly text: string;
  readonly why?: string;
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly files?: readonly string[];
  /** Actions, commands or files that a rule applies to. */
  readonly appliesTo?: readonly string[];
  /** The user's own words, where the record is a rule that the user stated. */
  readonly rule?: string;
  /** The id of the record that it takes the place of. */
  readonly replaces?: string;
}

const MOST_RECORDS = 8;
const LONGEST = 2_000;

/** Reads the records of a call; one that is malformed refuses the call, so that the agent sends it again whole. */
export function readTurnRecords(value: readonly unknown[]): Result<readonly TurnRecord[]> {
  if (value.length > MOST_RECORDS) return refuse('INPUT_ERROR', `${value.length} records at once; at most ${MOST_RECORDS}`, { hint: 'keep what matters most' });
  const records: TurnRecord[] = [];
  for (const [at, one] of value.entries()) {
    const record = isObject(one) ? recordIn(one) : undefined;
    if (!record) return refuse('INPUT_ERROR', `records[${at}] needs a category (${TEXT_CATEGORIES.join(', ')}) and a text`);
    records.push(record);
  }
  return ok(records);
}

const TEXT_CATEGORIES = TRIAGED.filter((category): category is TextCategory => category !== 'session_summary');
const isRuleCategory = (category: TextCategory): boolean => category === 'preference' || category === 'constraint';

function recordIn(given: Readonly<Record<string, unknown>>): TurnRecord | undefined {
  const text = (name: string): string | undefined => {
    const value = given[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, LONGEST) : undefined;
  };
  const texts = (name: string): readonly string[] => {
    const value = given[name];
    return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string' && one.trim() !== '') as string[];
  };
  const [statement, rule, why, title, replaces] = [text('text'), text('rule'), text('why'), text('title'), text('replaces')];
  const named = TEXT_CATEGORIES.find((one) => one === given['category']);
  const category = rule !== undefined && (named === undefined || !isRuleCategory(named)) ? 'preference' : named;
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
