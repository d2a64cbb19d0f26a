/** Deeper than any record, and shallow enough for code that recurses. */
export const DEPTH_LIMIT = 256;

export const isTooDeep = (value: unknown, limit = DEPTH_LIMIT): boolean =>
  value !== null && typeof value === 'object' && (limit === 0 || Object.values(value).some((inner) => isTooDeep(inner, limit - 1)));
