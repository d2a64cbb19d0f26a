import { epochOf } from '../../core/instant.ts';
import { eventTime } from '../../core/lifecycle/event-time.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { masterLine, refOf, type Item, type MasterSection } from './item.ts';
import { topicsOf } from './theme.ts';

interface Gist {
  readonly section: MasterSection;
  readonly text: string;
}

const NOT_RECORDED = /^not recorded$/i;
const because = (reasons: readonly string[]): string => {
  const [first] = reasons.filter((reason) => !NOT_RECORDED.test(reason.trim()));
  return first === undefined ? '' : ` – because ${first}`;
};

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether the text contains all words of the title. */
const addsNothing = (title: string, text: string): boolean => {
  const line = new Set(wordsIn(text));
  return wordsIn(title).every((word) => line.has(word));
};

/** Joins a title and its text; a text that begins with words of the title continues it. */
function joined(title: string, text: string): string {
  const [start = ''] = text.split(/ \(|[.:;–—]\s/);
  const rest = text.slice(start.length).trim();
  return start.split(' ').length >= FEWEST_WORDS && title.toLowerCase().includes(start.toLowerCase()) && rest !== '' ? `${title} ${rest}` : `${title}: ${text}`;
}

const FEWEST_WORDS = 3;

/** A record as one line with its section; session summaries are handled elsewhere. */
function gistOf(record: MemoryRecord): Gist | undefined {
  switch (record.category) {
    case 'decision': {
      const { status, decision, rationale } = record.content;
      if (status === 'superseded' || status === 'deprecated') return undefined;
      const line = addsNothing(record.title, `${decision}${because(rationale)}`) ? decision : joined(record.title, decision);
      return status === 'proposed' ? { section: 'questions', text: `Proposed: ${line}` } : { section: 'decisions', text: `${line}${because(rationale)}` };
    }
    case 'constraint':
      return record.content.active
        ? { section: 'learnings', text: `${record.content.rule}${record.content.severity === 'high' ? ' (severe)' : ''}` }
        : undefined;
    case 'runbook':
      return {
        section: 'learnings',
        text: [record.content.trigger, ...record.content.steps.filter((step) => !NOT_RECORDED.test(step.trim())).slice(0, 1)].join(': '),
      };
    case 'preference':
      return { section: 'decisions', text: `${record.content.topic}: ${record.content.value}` };
    case 'tech_debt':
      return ['open', 'in_progress'].includes(record.content.status)
        ? { section: 'questions', text: `${record.content.description} (${record.content.priority})` }
        : undefined;
    case 'analysis':
      return { section: 'learnings', text: `${record.title}: ${record.content.summary}` };
    case 'session_summary':
    case 'subagent_report':
      return undefined;
  }
}

/** Drops the title if the text repeats it, even if the title was cut off or contains a colon. */
const withoutRepeatedTitle = (title: string, text: string): string => {
  const head = text.startsWith(`${title}: `) ? title : (text.split(': ')[0] ?? '');
  const tail = text.slice(head.length + 2);
  const [start, all] = [head.toLowerCase().replace(/…$/, ''), tail.toLowerCase()];
  return all.startsWith(start) ? tail : text;
};

export function itemOfRecord(record: MemoryRecord): Item | undefined {
  const gist = gistOf(record);
  if (gist === undefined) return undefined;
  const files = record.related_files ?? [];
  return {
    section: gist.section,
    text: masterLine(withoutRepeatedTitle(record.title, gist.text)),
    ref: refOf(record),
    // A record drafted from an old session is as old as that session.
    at: epochOf(eventTime(record)) ?? 0,
    topics: topicsOf(gist.text, record.tags, files),
    files,
    worth: 2,
  };
}
