import type { Md5 } from '../ports/host.ts';

export const SLUG_LIMIT = 80;
/** The pattern of a slug; the record schema uses the same for ids. */
export const SLUG_PATTERN = /^[a-z0-9]([a-z0-9-]{0,78}[a-z0-9])?$/;

export const isSlug = (text: string): boolean => SLUG_PATTERN.test(text);

const cut = (text: string, limit: number): string => text.slice(0, limit).replace(/-+$/, '');

/** Lower-case ASCII words joined by hyphens; empty if the text has none. */
export function slugify(text: string): string {
  const ascii = text
    .normalize('NFKD')
    .replace(/[\p{Pd}\p{Z}]/gu, '-')
    .replace(/[^\x00-\x7f]/g, '');
  const hyphened = ascii.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return cut(hyphened.replace(/^-+|-+$/g, ''), SLUG_LIMIT);
}

/** A slug for any text: one without a single ASCII letter or digit is named by its hash. */
export const slugOr = (text: string, md5: Md5): string => slugify(text) || `x-${md5(text).slice(0, 10)}`;

/** The base itself, or the first of base-2, base-3 … that is free. */
export function uniqueSlug(base: string, usedSlugs: { has(slug: string): boolean }): string {
  if (!usedSlugs.has(base)) return base;
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const candidate = cut(base, SLUG_LIMIT - suffix.length) + suffix;
    if (!usedSlugs.has(candidate)) return candidate;
  }
}

/** Device names that Windows refuses as file names, with any extension and in any letter case. */
const DEVICES = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9]|lpt[0-9])$/i;

export const isReservedName = (name: string): boolean => DEVICES.test(name.split('.', 1)[0] ?? '');
