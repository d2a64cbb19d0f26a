import { analyze } from '../../recall/analyze.ts';

const LENGTH = 160;

/** The line of a text that holds most of the asked terms, cut to fit one line of a terminal. */
export function snippet(body: string, terms: readonly string[]): string {
  const wanted = new Set(terms);
  let best = { line: '', points: -1 };
  for (const line of body.split('\n')) {
    const text = line.trim();
    if (text === '') continue;
    const points = new Set(analyze(text.slice(0, 2_000)).filter((term) => wanted.has(term))).size;
    if (points > best.points) best = { line: text, points };
  }
  const flat = best.line.replace(/\s+/g, ' ');
  return flat.length <= LENGTH ? flat : `${flat.slice(0, LENGTH - 1)}…`;
}
