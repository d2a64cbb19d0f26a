import { epochOf, utcSeconds } from '../../../core/instant.ts';
import type { ConversationDigest } from '../../../core/ports/episodes.ts';
import type { ItemFacts } from '../../../core/ports/index.ts';
import { isChat } from '../../../recall/exchange/quote.ts';
import { quotableSentences } from '../../../recall/exchange/sentences.ts';
import { cut, plain } from '../../../recall/inject/plain.ts';
import { saysRule } from '../../../recall/rules/standing.ts';
import type { Memory } from '../../memory/memory.ts';
import { recordSections } from '../gist.ts';
import { readSettled } from '../recall-context.ts';
import type { BriefItem } from './items.ts';

const SESSIONS = '## Last sessions';
const MOST_SESSIONS = 6;
/** So many retired records are compared: a session did not end with withdrawn work. */
const MAX_RETIRED = 20;
const MIN_TITLE_WORDS = 3;
const OUTCOME_LENGTH = 120;
const NEXT_LENGTH = 90;
/** The last answers of a session, of which the longest is its report. */
const LAST_ANSWERS = 8;
const MIN_SENTENCE_LENGTH = 15;
const MIN_OPENING_LENGTH = 40;
/** Chat is short. */
const MAX_CHAT_LENGTH = 60;

/** How the newest sessions ended, and for the newest what comes next. A confirmed summary counts before the agent's last answers. */
export async function outcomeItems(
  memory: Memory,
  { sessions, answers }: ConversationDigest,
  summaries: readonly ItemFacts[],
  except: string | undefined,
): Promise<readonly BriefItem[]> {
  const items: BriefItem[] = [];
  const retired = memory.index.recent({ kind: 'record', status: 'retired' }, MAX_RETIRED).map((item) => item.title);
  for (const { id, title, endedAt, summary } of recentSessions(sessions, summaries).filter((session) => session.id !== except)) {
    const sections = await sectionsOf(memory, summary);
    const lastAnswers = answers.find(({ session }) => session === id)?.texts ?? [];
    const ending =
      summary?.trust === 'confirmed' ? summaryOutcome(summary.title, sections) : (resultWithoutDeadEnd(sections) ?? openingOfReport(lastAnswers, retired));
    const isNewest = items.length === 0;
    const outcome = cut(plain(ending === '' && isNewest ? title : ending), OUTCOME_LENGTH);
    if (outcome === '') continue;
    const at = utcSeconds(endedAt);
    const day = at.slice(0, 10);
    const isSameDay = items.at(-1)?.updatedAt.startsWith(day) === true;
    items.push({
      line: {
        id: `session:${id}`,
        section: SESSIONS,
        rank: 3 + items.length / 2,
        forms: [`- ${isSameDay ? '' : `${day}: `}${outcome}${isNewest ? nextSteps(sections, outcome) : ''}`],
      },
      title: outcome,
      updatedAt: at,
      reason: 'how a recent session ended',
    });
  }
  return items;
}

interface RecentSession {
  readonly id: string;
  readonly title: string;
  readonly endedAt: number;
  readonly summary: ItemFacts | undefined;
}

/** The newest sessions, from conversations and from summaries whose conversation is not known. */
function recentSessions(sessions: ConversationDigest['sessions'], summaries: readonly ItemFacts[]): readonly RecentSession[] {
  const usable = summaries.filter(({ trust }) => trust !== 'quarantined');
  const byId = new Map(usable.map((item) => [item.id, item]));
  const known = new Set(sessions.map(({ id }) => id));
  const onlySummarised = usable.slice(0, MOST_SESSIONS).filter(({ id }) => !known.has(id));
  return [
    ...sessions.map(({ id, title, endedAt }) => ({ id, title, endedAt, summary: byId.get(id) })),
    ...onlySummarised.map((summary) => ({ id: summary.id, title: summary.title, endedAt: epochOf(summary.updatedAt) ?? 0, summary })),
  ]
    .toSorted((a, b) => b.endedAt - a.endedAt)
    .slice(0, MOST_SESSIONS);
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []);

/** Whether a sentence holds all the words of a record's title. */
function saysTitle(sentence: string, title: string): boolean {
  const words = wordsOf(title);
  const sentenceWords = wordsOf(sentence);
  return words.size >= MIN_TITLE_WORDS && [...words].every((word) => sentenceWords.has(word));
}

/** Praise, and rows of checks. */
const SAYS_NOTHING =
  /^(?:that|this|it)(?:'s| is| was) (?:a |an |the )?(?:really |very )?(?:great|good|nice|excellent|same)\b|(?:[—–:-] *(?:passed|pending|success|skipped)\b.*){2}/i;

/** A title that the user confirmed, and the completed work that the summary lists. */
function summaryOutcome(title: string, sections: Sections): string {
  const done = plain(sections.get('Completed') ?? sections.get('completed') ?? '');
  return done === '' || done.includes(title) ? title : `${title}: ${done}`;
}

/** The beginning of a session's report: of the longest of its last answers that has enough content. */
function openingOfReport(answers: readonly string[], retired: readonly string[]): string {
  for (const answer of answers.slice(0, LAST_ANSWERS).toSorted((a, b) => b.length - a.length)) {
    let opening = '';
    for (const { text } of quotableSentences(answer)) {
      if (
        text.length < MIN_SENTENCE_LENGTH ||
        (isChat(text) && text.length < MAX_CHAT_LENGTH) ||
        /[?:]$/.test(text) ||
        SAYS_NOTHING.test(text) ||
        retired.some((title) => saysTitle(text, title))
      )
        continue;
      opening += `${opening === '' ? '' : ' '}${text}`;
      if (opening.length >= OUTCOME_LENGTH) break;
    }
    if (opening.length >= MIN_OPENING_LENGTH) return opening;
  }
  return '';
}

type Sections = ReturnType<typeof recordSections>;

async function sectionsOf(memory: Memory, summary: ItemFacts | undefined): Promise<Sections> {
  const file = summary && (await readSettled(memory, summary));
  return summary && file ? recordSections(summary.path, file.text) : new Map();
}

/** The result of a session that dropped an attempt, from its summary, because its answers do not tell the two apart. */
const resultWithoutDeadEnd = (sections: Sections): string | undefined =>
  sections.get('Tracking Points')?.includes('Dead end: ') === true ? (sections.get('Completed') ?? '') : undefined;

/** Blockers and next steps, unless the outcome begins with the same. */
function nextSteps(sections: Sections, outcome: string): string {
  const labelled = (heading: string, field: string, label: string): string => {
    const text = plain(sections.get(heading) ?? sections.get(field) ?? '');
    return text === '' || text.includes(outcome.slice(0, MIN_OPENING_LENGTH)) ? '' : ` ${label}: ${cut(text, NEXT_LENGTH)}`;
  };
  return `${labelled('Blockers', 'blockers', 'Blocked')}${labelled('Next Actions', 'next_actions', 'Next')}`;
}

/** A rule that a record also holds is shown once, as the record, which replaces the rule when room is short. */
export function rulesBesideRecords(
  rules: readonly BriefItem[],
  records: readonly BriefItem[],
): { readonly rules: readonly BriefItem[]; readonly records: readonly BriefItem[] } {
  const holdsRule = (rule: BriefItem, record: BriefItem): boolean => saysRule(record.line.forms.at(-1) ?? '', rule.title);
  return {
    rules: rules.filter((rule) => !records.some((record) => holdsRule(rule, record))),
    records: records.map((record) => ({
      ...record,
      line: { ...record.line, rank: Math.min(record.line.rank, ...rules.filter((rule) => holdsRule(rule, record)).map((rule) => rule.line.rank)) },
    })),
  };
}
