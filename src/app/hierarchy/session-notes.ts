import { idOfStem } from '../../core/project/filename.ts';
import type { MemoryRecord, RecordOf } from '../../core/record/schema.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { currentRecord } from '../write/current.ts';
import type { SessionNotes } from './summary.ts';

export interface SessionAccount {
  readonly notes: Required<SessionNotes>;
  /** Whether the session changed the architecture. */
  readonly significant: boolean;
}

/** Records looked at for what a session left behind, newest first. */
const LOOKED_AT = 200;

type Summary = RecordOf<'session_summary'>;

/** What a session's summary and its other records say to MEMORY.md; undefined while it has no summary. */
export async function accountOf(memory: Memory, sessionId: string): Promise<SessionAccount | undefined> {
  await catchUp(memory);
  const id = idOfStem('session_summary', sessionId);
  const item = memory.index.byId(id).find(({ category }) => category === 'session_summary');
  const found = item && (await currentRecord(memory, item));
  if (!found?.ok || found.value.record.category !== 'session_summary') return undefined;
  const summary = found.value.record;
  const records = await recordsOf(memory, sessionId);
  return { notes: notesOf(summary, records), significant: records.some(isArchitecture) || decisionsSaid(summary).some((said) => BUILT.test(said)) };
}

async function recordsOf(memory: Memory, sessionId: string): Promise<readonly MemoryRecord[]> {
  const records: MemoryRecord[] = [];
  for (const item of memory.index.recent({ kind: 'record', status: 'active' }, LOOKED_AT)) {
    if (item.category === 'session_summary' || item.trust === 'quarantined') continue;
    const current = await currentRecord(memory, item);
    if (current.ok && current.value.record.origin?.session_id === sessionId) records.push(current.value.record);
  }
  return records;
}

/** Words by which a decision that names no area is known to be about how things are built. */
const BUILT = /\barchitect|\b(?:monoliths?|micro-?services?|service bound\w+|event[- ]driven|event sourcing|data model|database schema|plug-?in system)\b/i;

const isArchitecture = (record: MemoryRecord): boolean =>
  record.category === 'decision' &&
  (record.content.area === undefined ? BUILT.test(`${record.title} ${record.content.decision}`) : record.content.area === 'architecture');

const labelled = ({ content }: Summary, label: RegExp): string[] =>
  (content.tracking_points ?? []).filter((point) => label.test(point.label)).map(({ text }) => text);

const decisionsSaid = (summary: Summary): string[] => labelled(summary, /^decision/i);

const distinct = (texts: readonly string[]): string[] => [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];

/** A decision keeps its reason. */
function decisionLine(record: MemoryRecord): string[] {
  if (record.category !== 'decision') return [];
  const reason = record.content.rationale[0];
  return [reason === undefined || record.title.includes(reason) ? record.title : `${record.title}: ${reason}`];
}

const patternLine = (record: MemoryRecord): string[] => (record.category === 'preference' ? [record.content.value || record.title] : []);
const issueLine = (record: MemoryRecord): string[] => (record.category === 'tech_debt' || record.category === 'constraint' ? [record.title] : []);

function notesOf(summary: Summary, records: readonly MemoryRecord[]): Required<SessionNotes> {
  const { content } = summary;
  return {
    taskSummaries: content.completed,
    filesModified: distinct(summary.related_files ?? []),
    decisions: distinct([...records.flatMap(decisionLine), ...decisionsSaid(summary)]),
    patterns: distinct([...records.flatMap(patternLine), ...labelled(summary, /^(?:pattern|preference)/i)]),
    issues: distinct([
      ...(content.blockers ?? []),
      ...records.flatMap(issueLine),
      ...(content.in_progress ?? []),
      ...content.next_actions,
      ...labelled(summary, /^(?:learning|discovery|dead end)/i),
    ]),
  };
}
