import type { SessionFacts } from '../../core/episode.ts';
import type { Draft } from '../../core/record/draft.ts';
import { titleOf } from '../../core/record/from-text.ts';
import type { Match } from '../triage/score.ts';
import type { TextCategory } from '../triage/settings.ts';
import { contentOf } from './draft-content.ts';
import type { SessionSummary } from './summary.ts';
import { tagsFor } from './tags.ts';
import { isAlike, itemOf } from './text.ts';
import { wholeText } from './tracking.ts';

const CATEGORIES: readonly TextCategory[] = ['decision', 'runbook', 'constraint', 'tech_debt', 'preference'];
const EACH = 5;
const FILE = /`([\w@./-]+\/[\w.-]+\.\w{1,8}|[\w-]+\.(?:tsx?|jsx?|mjs|py|rs|go|rb|java|md|json|ya?ml|toml|sql|sh|css|html?))(?::[\d-]+)?`/g;

/** Between "it was said" and "it was confirmed": never sure, the surer the clearer it was said. */
const confidenceOf = (score: number): number => Math.round((0.7 + 0.15 * Math.min(1, score)) * 100) / 100;

/** Matches that say different things, best first; those of one message about one thing are one. */
function separate(matches: readonly Match[]): Match[] {
  const kept: Match[] = [];
  for (const match of matches) {
    if (kept.length >= EACH) break;
    const text = wholeText(match);
    if (text.length >= 30 && !kept.some((other) => isAlike(wholeText(other), text))) kept.push(match);
  }
  return kept;
}

/** Draft records for what triage found in a session: said by those at work, or quarantined where a tool or the web may have said it. */
export function draftsOf(summary: SessionSummary, facts: SessionFacts): Draft[] {
  return CATEGORIES.flatMap((category) => {
    const fired = summary.triage.result().categories.some((found) => found.category === category && found.fired);
    return fired ? separate(summary.triage.matches(category)).map((match) => draftOf(category, match, summary, facts)) : [];
  });
}

function draftOf(category: TextCategory, match: Match, summary: SessionSummary, facts: SessionFacts): Draft {
  const text = wholeText(match);
  const isDeadEnd = category === 'decision' && summary.deadEnds.has(match);
  const files = [...new Set([...text.matchAll(FILE)].map((found) => found[1] as string))].slice(0, 6);
  const title = titleOf(itemOf(text, 110));
  return {
    category,
    title: isDeadEnd ? titleOf(`Dead end: ${title}`) : title,
    tags: [...tagsFor(text, files), ...(isDeadEnd ? ['dead-end'] : [])],
    ...(files.length === 0 ? {} : { related_files: files }),
    confidence: confidenceOf(match.score),
    trust: summary.triage.isForeign(match) ? 'quarantined' : 'observed',
    origin: { channel: 'capture', client: facts.client, session_id: facts.sessionId, message_ids: [match.passage.messageId] },
    content: contentOf(category, match, isDeadEnd),
  };
}
