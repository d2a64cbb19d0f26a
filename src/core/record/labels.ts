/** Labels by which Holdfast says how far a record is to be trusted: no title may wear one. */
const LABEL =
  /\[\s*(?:(?:confidence|trust|status|origin|category)\s*[:=][^\]]*|(?:confirmed|observed|quarantined|retired|archived|superseded|verified)(?:\s*:[^\]]*)?|(?:may be outdated|replaces)\b[^\]]*|from the repository)\s*\]|#tags:/gi;

/** Taking one out may leave another. */
export function withoutLabels(title: string): string {
  let [clean, before] = [title.replace(LABEL, ''), title];
  while (clean !== before) [before, clean] = [clean, clean.replace(LABEL, '')];
  return clean === title ? title : clean.replace(/ {2,}/g, ' ').trim();
}

/** Stands in the tags of a record that has none: its schema wants one. */
export const UNTAGGED = 'untagged';

/** The tags that say something. */
export const realTags = (tags: readonly string[]): readonly string[] => tags.filter((tag) => tag !== UNTAGGED);
