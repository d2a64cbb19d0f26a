/** A run of letters, digits and the marks that join them in names, paths and codes. */
const RUN = /[A-Za-z_$][\w$]*(?:[./-][\w$]+)*/g;

const isIdentifier = (word: string): boolean =>
  /[a-z][A-Z]|_[A-Za-z]|[A-Za-z]\d|\d[A-Za-z]|[A-Z]{2,}[a-z]/.test(word) || /^[\w$.-]+(?:\/[\w$.-]+)+$/.test(word) || /^[\w-]+\.[a-z]{1,5}$/.test(word);

/** Shorter ones are met by chance. */
const SHORTEST = 4;

/** The identifiers, paths and codes of a text as they were written, by the letters and digits they are made of. */
export function identifiersIn(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [word] of text.matchAll(RUN)) {
    const joined = word.toLowerCase().replace(/[^a-z0-9]/g, '');
    if (joined.length >= SHORTEST && isIdentifier(word)) found.set(joined, word);
  }
  return found;
}
