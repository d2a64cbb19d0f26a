import { utcSeconds } from '../instant.ts';
import type { Category } from './category.ts';
import type { Draft } from './draft.ts';
import { realTags, UNTAGGED, withoutLabels } from './labels.ts';
import { CHANGES_CAP, TAG_CAP } from './schema.ts';

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text without lone surrogates, which UTF-8 cannot encode. */
const wellFormed = (text: string): string => text.replace(LONE_SURROGATE, '\ufffd');

function deepWellFormed(value: unknown): unknown {
  if (typeof value === 'string') return wellFormed(value);
  if (Array.isArray(value)) return value.map(deepWellFormed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [wellFormed(key), deepWellFormed(inner)]));
}

/** A title on one line, without text that looks like an index line's path or tags or like one of Holdfast's labels. If nothing is left, it is empty and refused. */
export const cleanTitle = (title: string): string => withoutLabels(title.trim().replace(CONTROL, '').trim().replaceAll(' -> ', ' - '));

const cleanTag = (tag: string): string =>
  tag.toLowerCase().trim().replace(CONTROL, '').replaceAll(',', ' ').replaceAll(' -> ', ' ').replaceAll('#tags:', '').trim();

/** Lower-case, unique, sorted, never empty, never more than the cap. */
export function cleanTags(tags: readonly unknown[]): string[] {
  const cleaned = [
    ...new Set(
      tags
        .filter((tag) => typeof tag === 'string')
        .map(cleanTag)
        .filter(Boolean),
    ),
  ].toSorted();
  const real = realTags(cleaned);
  return real.length === 0 ? [UNTAGGED] : real.slice(0, TAG_CAP);
}

const clamp = (value: unknown): unknown => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? Math.min(1, Math.max(0, number)) : value;
};

const withoutNulls = (value: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined));

/** Repairs common mistakes of drafters; `validate` refuses the rest. */
export function repair(draft: Draft, category: Category, now: number): Record<string, unknown> {
  const record = withoutNulls(deepWellFormed(draft) as object);
  const time = utcSeconds(now);
  record['category'] = category;
  record['schema_version'] ||= '1.0';
  record['updated_at'] ||= time;
  if (typeof record['tags'] === 'string') record['tags'] = [record['tags']];
  if (Array.isArray(record['tags'])) record['tags'] = cleanTags(record['tags']);
  if (typeof record['title'] === 'string') record['title'] = cleanTitle(record['title']);
  if ('confidence' in record) record['confidence'] = clamp(record['confidence']);
  if (Array.isArray(record['changes'])) record['changes'] = record['changes'].slice(-CHANGES_CAP);
  const content = record['content'];
  if (content !== null && typeof content === 'object' && !Array.isArray(content)) record['content'] = withoutNulls(content);
  return record;
}
