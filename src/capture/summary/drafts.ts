import type { SessionFacts } from '../../core/episode/episode.ts';
import type { Draft } from '../../core/record/draft.ts';
import { trustFrom } from '../../core/trust/trust.ts';
import { titleOf } from '../../core/record/from-text.ts';
import type { TriageMatch } from '../triage/score.ts';
import type { TextCategory } from '../triage/settings.ts';
import { answerIn, contentOf, type SaidCategory } from './draft-content.ts';
import { type Runbook, runbookOf } from './draft-runbook.ts';
import { isAnnouncement } from './open-work.ts';
import { isDiagnosis, wholeText } from './tasks.ts';
import type { SessionSummary } from './summary.ts';
import { tagsFor, firstSentence, isAlike, listItem, shortened } from './text.ts';

/** More of a kind from one session is more than a person will read. */
const MOST: Readonly<Record<TextCategory, number>> = { decision: 5, preference: 4, constraint: 4, tech_debt: 4, runbook: 3 };
const MOST_IN_ALL = 12;
const CATEGORIES = Object.keys(MOST) as TextCategory[];
const UNSAID = 'Not recorded';
const LEAST = 30;
const LONGEST = 400;
/** What points to something outside it needs more words to be understood. */
const POINTS_BACK = /^(?:this|that|it|these)\b/i;
const POINTING = 60;
const FILE = /`([\w@./-]+\/[\w.-]+\.\w{1,8}|[\w-]+\.(?:tsx?|jsx?|mjs|py|rs|go|rb|java|md|json|ya?ml|toml|sql|sh|css|html?))(?::[\d-]+)?`/g;
/** A person who pastes what a program wrote says nothing by it. */
const PASTED = /^(?:std(?:err|out)|error|warning|fatal|traceback|panic)\b/i;
/** An agent's trouble with its own tools says nothing about the project. */
const OWN_TOOLS = /\b(?:edit tool|tabs? vs|tab-based|indentation is|string to replace)\b/i;
const NAME = /`[^`]{3,60}`/g;

interface Candidate {
  readonly category: TextCategory;
  readonly match: TriageMatch;
  readonly text: string;
  readonly worth: number;
  readonly runbook?: Runbook;
}

/** Between "it was said" and "it was confirmed": never sure, the surer the clearer it was said. */
const confidenceOf = (score: number): number => Math.round((0.7 + 0.15 * Math.min(1, score)) * 100) / 100;

const isPasted = ({ sentence, passage }: TriageMatch): boolean =>
  sentence.text.length > LONGEST || (passage.voice === 'user' && PASTED.test(sentence.label || sentence.plain));

function saidOnes(category: SaidCategory, matches: readonly TriageMatch[]): Candidate[] {
  return matches
    .filter((match) => !isPasted(match) && !(category === 'decision' && isDiagnosis(match)) && !isAnnouncement(match.sentence.plain))
    .map((match) => ({ category, match, text: wholeText(match), worth: match.score }))
    .filter((candidate) => candidate.text.length >= (POINTS_BACK.test(candidate.text) ? POINTING : LEAST));
}

/** One runbook a message: its sentences tell of one trouble. */
function runbooks(matches: readonly TriageMatch[], task: string): Candidate[] {
  const messages = [...new Set(matches.map((match) => match.passage.messageId))];
  const told = messages.flatMap((id): Candidate[] => {
    const group = matches.filter((match) => match.passage.messageId === id);
    const [match] = group;
    const runbook = runbookOf(group, task);
    if (match === undefined || runbook === undefined) return [];
    const text = runbook.root_cause ?? runbook.steps[0] ?? runbook.trigger;
    const worth = match.score + (runbook.steps.length > 0 ? 0.15 : 0) + (runbook.verification === '' ? 0 : 0.05);
    return text.length >= LEAST && !OWN_TOOLS.test(text) ? [{ category: 'runbook', match, text, worth, runbook }] : [];
  });
  const whole = told.filter((candidate) => candidate.runbook?.steps.length !== 0);
  return whole.length > 0 ? whole : told.slice(0, 1);
}

const wholeOf = ({ text, runbook }: Candidate): string => (runbook === undefined ? text : [text, ...runbook.steps].join(' '));

/** Most of the words in common, or for a trouble told before and after it was mended two names: they tell of one thing. */
function isSame(a: Candidate, b: Candidate): boolean {
  if (a.match.sentence === b.match.sentence || isAlike(a.text, b.text)) return true;
  if (a.runbook === undefined || b.runbook === undefined) return false;
  const names = new Set(wholeOf(a).match(NAME));
  return isAlike(wholeOf(a), wholeOf(b)) || new Set((wholeOf(b).match(NAME) ?? []).filter((name) => names.has(name))).size >= 2;
}

function chosen(candidates: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of candidates.toSorted((a, b) => b.worth - a.worth)) {
    const full = kept.filter((other) => other.category === candidate.category).length >= MOST[candidate.category];
    if (!full && !kept.some((other) => isSame(other, candidate))) kept.push(candidate);
  }
  return kept.slice(0, MOST_IN_ALL).toSorted((a, b) => CATEGORIES.indexOf(a.category) - CATEGORIES.indexOf(b.category));
}

/** Draft records for what triage found in a session: said by those at work, or quarantined where a tool or the web may have said it. */
export function draftsOf(summary: SessionSummary, facts: SessionFacts): Draft[] {
  const task = shortened(summary.content(facts).goal, 120);
  const candidates = CATEGORIES.flatMap((category) => {
    const matches = summary.matches(category);
    return category === 'runbook' ? runbooks(matches, task) : saidOnes(category, matches);
  });
  return chosen(candidates).map((candidate) => draftOf(candidate, summary, facts));
}

function draftOf(candidate: Candidate, summary: SessionSummary, facts: SessionFacts): Draft {
  const { category, match, text, runbook } = candidate;
  const isDeadEnd = category === 'decision' && summary.deadEnds.has(match);
  const files = [...new Set([...wholeOf(candidate).matchAll(FILE)].map((found) => found[1] as string))].slice(0, 6);
  const answered = answerIn(match);
  const title = titleOf(listItem(answered === undefined ? firstSentence(text) : `${answered.answer} — ${answered.question}`, 110));
  return {
    category,
    title: isDeadEnd ? titleOf(`Dead end: ${title}`) : title,
    tags: [...tagsFor(text, files), ...(isDeadEnd ? ['dead-end'] : [])],
    ...(files.length === 0 ? {} : { related_files: files }),
    confidence: confidenceOf(match.score),
    trust: trustFrom(summary.triage.isForeign(match) ? 'tool-output' : 'capture'),
    origin: { channel: 'capture', client: facts.client, session_id: facts.sessionId, message_ids: [match.passage.messageId] },
    content: category === 'runbook' ? { ...runbook, steps: runbook?.steps.length ? runbook.steps : [UNSAID] } : contentOf(category, match, isDeadEnd),
  };
}
