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
/** Work that was withdrawn at last: the session did not end with it. */
const RETIRED = 20;
const TITLE_WORDS = 3;
const OUTCOME = 120;
const NEXT = 90;
/** The last answers of a session, of which the longest is its report. */
const LAST_ANSWERS = 8;
const SHORTEST = 15;
const TELLING = 40;
/** Talk around the work is short. */
const CHAT = 60;
/** How the newest sessions ended; the newest also says what comes next. A confirmed summary counts before the agent's last words. */
export async function outcomeItems(
  memory: Memory,
  { sessions, answers }: ConversationDigest,
  summaries: readonly ItemFacts[],
  except: string | undefined,
): Promise<readonly BriefItem[]> {
  const items: BriefItem[] = [];
  const retired = memory.index.recent({ kind: 'record', status: 'retired' }, RETIRED).map((item) => item.title);
  for (const { id, title, endedAt, summary } of newestOf(sessions, summaries).filter((session) => session.id !== except)) {
    const sections = await sectionsOf(memory, summary);
    const given = answers.find(({ session }) => session === id)?.texts ?? [];
    const ending = summary?.trust === 'confirmed' ? summary.title : (lastingOf(sections) ?? outcomeOf(given, retired));
    const isNewest = items.length === 0;
    const outcome = cut(plain(ending === '' && isNewest ? title : ending), OUTCOME);
    if (outcome === '') continue;
    const at = utcSeconds(endedAt);
    const day = at.slice(0, 10);
    const isSameDay = items.at(-1)?.updatedAt.startsWith(day) === true;
    items.push({
      line: {
        id: `session:${id}`,
        section: SESSIONS,
        rank: 3 + items.length / 2,
        forms: [`- ${isSameDay ? '' : `${day}: `}${outcome}${isNewest ? nextOf(sections, outcome) : ''}`],
      },
      title: outcome,
      updatedAt: at,
      reason: 'how a recent session ended',
    });
  }
  return items;
}

interface NewSession {
  readonly id: string;
  readonly title: string;
  readonly endedAt: number;
  readonly summary: ItemFacts | undefined;
}

/** Sessions by their conversation, or by their summary where the conversation is not known; newest first. */
function newestOf(sessions: ConversationDigest['sessions'], summaries: readonly ItemFacts[]): readonly NewSession[] {
  const usable = summaries.filter(({ trust }) => trust !== 'quarantined');
  const byId = new Map(usable.map((item) => [item.id, item]));
  const known = new Set(sessions.map(({ id }) => id));
  const summed = usable.slice(0, MOST_SESSIONS).filter(({ id }) => !known.has(id));
  return [
    ...sessions.map(({ id, title, endedAt }) => ({ id, title, endedAt, summary: byId.get(id) })),
    ...summed.map((summary) => ({ id: summary.id, title: summary.title, endedAt: epochOf(summary.updatedAt) ?? 0, summary })),
  ]
    .toSorted((a, b) => b.endedAt - a.endedAt)
    .slice(0, MOST_SESSIONS);
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []);

/** Whether a sentence says what a record was about: all the words of a title that has some. */
function saysTitle(sentence: string, title: string): boolean {
  const words = wordsOf(title);
  const sentenceWords = wordsOf(sentence);
  return words.size >= TITLE_WORDS && [...words].every((word) => sentenceWords.has(word));
}

/** How the report of a session begins: among the last answers, the longest that says something. */
function outcomeOf(answers: readonly string[], retired: readonly string[]): string {
  for (const answer of answers.slice(0, LAST_ANSWERS).toSorted((a, b) => b.length - a.length)) {
    let opening = '';
    for (const { text } of quotableSentences(answer)) {
      if (text.length < SHORTEST || (isChat(text) && text.length < CHAT) || /[?:]$/.test(text) || retired.some((title) => saysTitle(text, title))) continue;
      opening += `${opening === '' ? '' : ' '}${text}`;
      if (opening.length >= OUTCOME) break;
    }
    if (opening.length >= TELLING) return opening;
  }
  return '';
}

type Sections = ReturnType<typeof recordSections>;

async function sectionsOf(memory: Memory, summary: ItemFacts | undefined): Promise<Sections> {
  const file = summary && (await readSettled(memory, summary));
  return summary && file ? recordSections(summary.path, file.text) : new Map();
}

/** The lasting result of a session that dropped an attempt: its summary can tell the two apart, its answers cannot. */
const lastingOf = (sections: Sections): string | undefined =>
  sections.get('Tracking Points')?.includes('Dead end: ') === true ? (sections.get('Completed') ?? '') : undefined;

/** Blockers and next steps, unless the outcome begins with the same. */
function nextOf(sections: Sections, outcome: string): string {
  const labelled = (heading: string, field: string, label: string): string => {
    const text = plain(sections.get(heading) ?? sections.get(field) ?? '');
    return text === '' || text.includes(outcome.slice(0, TELLING)) ? '' : ` ${label}: ${cut(text, NEXT)}`;
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
