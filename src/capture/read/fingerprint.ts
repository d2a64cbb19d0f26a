/** A short name for a message whose transcript gives it none: the same text at the same time has the same name on every import. No digest: nothing relies on it being hard to forge. */
export function fingerprint(...parts: readonly (string | undefined)[]): string {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (const part of parts) {
    const text = part ?? '';
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      low = Math.imul(low ^ code, 0x01000193);
      high = Math.imul(high ^ code, 0x85ebca6b);
    }
    low = Math.imul(low ^ 0x1f, 0x01000193);
    high = Math.imul(high ^ (low >>> 13), 0xc2b2ae35);
  }
  return hex(low ^ (high >>> 15)) + hex(high);
}

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');
