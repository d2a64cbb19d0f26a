import { recordStatus } from '../lifecycle/status.ts';
import type { Category } from '../record/category.ts';
import type { MemoryRecord, Origin } from '../record/schema.ts';
import { isQuarantined } from './trust.ts';

/** The version of the rules that draft without a model. Increase it when they become stricter: drafts of earlier versions are then offered for removal. */
export const DRAFT_RULES = 'v2';

/** The categories that make claims about the project. Summaries and reports are a log of sessions and need no review. */
const CLAIMS: ReadonlySet<Category> = new Set<Category>(['decision', 'runbook', 'constraint', 'tech_debt', 'preference']);
const AUTOMATIC: ReadonlySet<Origin['channel']> = new Set<Origin['channel']>(['capture', 'hook', 'agent']);

type Reviewed = Pick<MemoryRecord, 'category' | 'origin' | 'trust' | 'record_status'>;

/** Whether a record waits in the inbox: it is quarantined, or it was saved automatically and not confirmed by the user. */
export function waitsForReview(record: Reviewed): boolean {
  const { category, origin, trust } = record;
  if (recordStatus(record) !== 'active' || trust === 'confirmed') return false;
  if (isQuarantined(trust)) return true;
  return origin !== undefined && origin.asked === undefined && AUTOMATIC.has(origin.channel) && CLAIMS.has(category);
}

/** Whether a summary was made automatically and the user has not approved it since. */
export const isAutomaticSummary = ({ origin, trust }: Pick<MemoryRecord, 'origin' | 'trust'>): boolean =>
  origin?.channel === 'capture' && trust !== 'confirmed';

/** Whether an earlier version of the rules drafted it and no model or person has reviewed it since. */
export const isOldDraft = (record: Reviewed): boolean => waitsForReview(record) && record.origin?.verified === 'rules' && record.origin.rules !== DRAFT_RULES;
