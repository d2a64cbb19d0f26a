/** Labels with which Holdfast shows a record's trust; no title may have one. */
const LABEL =
  /\[\s*(?:(?:confidence|trust|status|origin|category)\s*[:=][^\]]*|(?:confirmed|observed|quarantined|retired|archived|superseded|verified)(?:\s*:[^\]]*)?|(?:may be outdated|replaces)\b[^\]]*|from the repository)\s*\]|#tags:/gi;

/** Repeats, because removing one label may produce another. */
export function withoutLabels(title: string): string {
  let [clean, before] = [title.replace(LABEL, ''), title];
  while (clean !== before) [before, clean] = [clean, clean.replace(LABEL, '')];
  return clean === title ? title : clean.replace(/ {2,}/g, ' ').trim();
}

/** The tag of a record without tags, because the schema requires one. */
export const UNTAGGED = 'untagged';

/** The tags without the placeholder. */
export const realTags = (tags: readonly string[]): readonly string[] => tags.filter((tag) => tag !== UNTAGGED);
