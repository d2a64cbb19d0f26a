/** Characters as people count them: a letter outside the basic plane is one, not two. */
export function charactersIn(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    if (isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1))) {
      count -= 1;
      at += 1;
    }
  }
  return count;
}

/** Whether a text has more than `limit` characters; a short one is not counted. */
export const isLongerThan = (text: string, limit: number): boolean => text.length > limit && charactersIn(text) > limit;

/** The first `limit` characters, never half a letter. */
export function firstCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let at = 0;
  for (let count = 0; at < text.length && count < limit; count += 1) at += (text.codePointAt(at) ?? 0) > 0xff_ff ? 2 : 1;
  return text.slice(0, at);
}

const isHigh = (unit: number): boolean => unit >= 0xd8_00 && unit <= 0xdb_ff;
const isLow = (unit: number): boolean => unit >= 0xdc_00 && unit <= 0xdf_ff;
