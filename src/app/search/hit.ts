import { utcSeconds } from '../../core/instant.ts';
import type { Trust } from '../../core/record/schema.ts';
import { isQuarantined } from '../../core/trust/trust.ts';
import type { ScorePart } from '../../recall/rank/score.ts';
import type { ScoredHit } from '../../recall/rank/rank-chunks.ts';

const SNIPPET_LENGTH = 160;

/**
 * The line of a text that holds most of the terms, of equals the longest, cut to one line of a terminal. The title is left out, because it is shown beside the
 * snippet. Terms are stems, so a word that begins with one counts.
 */
function snippet(body: string, terms: readonly string[], title: string): string {
  let best = { line: '', points: -1 };
  for (const line of body.split('\n')) {
    const text = line.trim();
    if (text === '' || text === title) continue;
    const folded = text.toLowerCase();
    const points = terms.filter((term) => folded.includes(term)).length;
    if (points > best.points || (points === best.points && text.length > best.line.length)) best = { line: text, points };
  }
  const flat = (best.line === '' ? title : best.line).replace(/\s+/g, ' ');
  return flat.length <= SNIPPET_LENGTH ? flat : `${flat.slice(0, SNIPPET_LENGTH - 1)}…`;
}

const MIN_SHARED_TERMS = 0.5;

/** Whether a hit shares less than half of the terms, and no similarity in meaning supports it. Terms are stems, so a word that begins with one counts. */
function isWeak({ candidate: { row, chunk }, parts }: ScoredHit, terms: readonly string[]): boolean {
  const distinctTerms = [...new Set(terms)];
  const text = `${row.title}\n${chunk.text}`.toLowerCase();
  return (
    distinctTerms.filter((term) => text.includes(term)).length < MIN_SHARED_TERMS * distinctTerms.length &&
    !parts.some(({ signal, points }) => signal === 'meaning' && points > 0)
  );
}

/** A reason for a hit's score. The points of all of them sum to it. */
export interface HitPart {
  readonly signal: string;
  readonly points: number;
  readonly value: number;
}

export interface Hit {
  readonly kind: 'record' | 'document' | 'message';
  readonly id: string;
  readonly project: string;
  readonly session_id: string | null;
  readonly message_id: string | null;
  readonly category: string | null;
  readonly status: string;
  /** The label of an item that waits for the user's confirmation. */
  readonly trust?: Trust;
  /** The label of an item that came with the repository. */
  readonly from?: 'repository';
  readonly title: string;
  readonly snippet: string;
  readonly score: number;
  /** Whether it shares less than half of the words of the query. */
  readonly weak?: true;
  readonly file: string;
  readonly at: string | null;
  /** The record that took its place, or that it took the place of. */
  readonly replaced_by?: string;
  readonly replaces?: string;
  readonly explain?: readonly HitPart[];
}

/** Four digits, so that the shown parts sum to the shown score. */
const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;
const partOf = ({ signal, points, value }: ScorePart): HitPart => ({ signal, points: rounded(points), value: rounded(value) });

export interface HitView {
  readonly terms: readonly string[];
  readonly explains: boolean;
  readonly file: string;
  readonly from?: 'repository';
  /** The whole text of a record or document of which only the title matched. */
  readonly body?: string;
}

/** A hit as command line, tools and library show it. */
export function hitOf(hit: ScoredHit, { terms, explains, file, from, body }: HitView): Hit {
  const { row, chunk } = hit.candidate;
  const parts = hit.parts.map(partOf);
  const isMessage = row.type === 'session';
  const session = isMessage || row.category === 'session_summary' ? row.id : null;
  const at = chunk.at ?? row.endedAt;
  return {
    kind: row.type === 'session' ? 'message' : row.type,
    id: isMessage ? (chunk.messageId ?? row.id) : row.category === undefined ? row.id : `${row.category}/${row.id}`,
    project: row.project ?? '',
    session_id: session,
    message_id: isMessage ? (chunk.messageId ?? null) : null,
    category: row.category ?? null,
    status: row.status ?? 'active',
    ...(isQuarantined(row.trust) && { trust: row.trust }),
    ...(from && { from }),
    title: row.title === '' ? row.id : row.title,
    snippet: snippet(body ?? chunk.text, terms, row.title),
    score: rounded(parts.reduce((sum, { points }) => sum + points, 0)),
    ...(isWeak(hit, terms) && { weak: true as const }),
    file,
    at: at === undefined ? null : utcSeconds(at),
    ...(hit.replacedBy !== undefined && { replaced_by: hit.replacedBy }),
    ...(hit.replaces !== undefined && { replaces: hit.replaces }),
    ...(explains && { explain: parts }),
  };
}
