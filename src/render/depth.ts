/** Deeper than any record, and shallow enough for code that recurses. */
const DEPTH_LIMIT = 64;

export const isTooDeep = (value: unknown, limit = DEPTH_LIMIT): boolean =>
  value !== null && typeof value === 'object' && (limit === 0 || Object.values(value).some((inner) => isTooDeep(inner, limit - 1)));
