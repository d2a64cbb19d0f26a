const LENGTH = 160;

/** The line of a text that holds most of the asked terms, cut to fit one line of a terminal. Terms are stems, so a word that begins so will do. */
export function snippet(body: string, terms: readonly string[]): string {
  let best = { line: '', points: -1 };
  for (const line of body.split('\n')) {
    const text = line.trim();
    if (text === '') continue;
    const folded = text.toLowerCase();
    const points = terms.filter((term) => folded.includes(term)).length;
    if (points > best.points) best = { line: text, points };
  }
  const flat = best.line.replace(/\s+/g, ' ');
  return flat.length <= LENGTH ? flat : `${flat.slice(0, LENGTH - 1)}…`;
}
