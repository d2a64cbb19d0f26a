import { localMinutes } from './layers.ts';
import { idOfStem } from '../../core/project/filename.ts';
import type { MemoryRecord, RecordOf } from '../../core/record/schema.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { currentRecord } from '../write/current.ts';
import type { DroppedSection } from './compress.ts';
import type { MovedSummary } from './plan.ts';

/** The notes that a session leaves for the next one. */
export interface SessionNotes {
  /** Stored in the session's log, not in MEMORY.md. */
  readonly taskSummaries?: readonly string[];
  readonly filesModified?: readonly string[];
  readonly decisions?: readonly string[];
  readonly patterns?: readonly string[];
  readonly issues?: readonly string[];
}

export const SUMMARY_HEADING = 'Session Summary - ';

const bullet = (text: string): string => `- ${text.replace(/\s*\r?\n\s*/g, ' ').trim()}`;

const section = (heading: string, items: readonly string[] = []): readonly string[] => (items.length === 0 ? [] : [`### ${heading}`, ...items.map(bullet), '']);

/** The entry of a session in MEMORY.md: its time, and a section for each kind of notes that it has. */
export const summaryText = ({ filesModified, decisions, patterns, issues }: SessionNotes, at: number): string =>
  [
    `## ${SUMMARY_HEADING}${localMinutes(at)}\n`,
    ...section('Key Decisions', decisions),
    ...section('Files Modified', filesModified),
    ...section('Patterns Established', patterns),
    ...section('Issues/Notes', issues),
  ].join('\n');

export interface SessionAccount {
  readonly notes: Required<SessionNotes>;
  /** Whether the session changed the architecture. */
  readonly significant: boolean;
}

/** So many newest records are searched for those of a session. */
const MAX_RECORDS_CHECKED = 200;

type Summary = RecordOf<'session_summary'>;

/** The entry for MEMORY.md from a session's summary and its other records; undefined while it has no summary. */
export async function readSessionAccount(memory: Memory, sessionId: string): Promise<SessionAccount | undefined> {
  await catchUp(memory);
  const id = idOfStem('session_summary', sessionId);
  const item = memory.index.byId(id).find(({ category }) => category === 'session_summary');
  const current = item && (await currentRecord(memory, item));
  if (!current?.ok || current.value.record.category !== 'session_summary') return undefined;
  const summary = current.value.record;
  const records = await recordsOf(memory, sessionId);
  return {
    notes: notesOf(summary, records),
    significant: records.some(isArchitecture) || decisionsIn(summary).some((sectionText) => ARCHITECTURE_WORDS.test(sectionText)),
  };
}

async function recordsOf(memory: Memory, sessionId: string): Promise<readonly MemoryRecord[]> {
  const records: MemoryRecord[] = [];
  for (const item of memory.index.recent({ kind: 'record', status: 'active' }, MAX_RECORDS_CHECKED)) {
    if (item.category === 'session_summary' || item.trust === 'quarantined') continue;
    const current = await currentRecord(memory, item);
    if (current.ok && current.value.record.origin?.session_id === sessionId) records.push(current.value.record);
  }
  return records;
}

/** Words that show that a decision without an area is about architecture. */
const ARCHITECTURE_WORDS =
  /\barchitect|\b(?:monoliths?|micro-?services?|service bound\w+|event[- ]driven|event sourcing|data model|database schema|plug-?in system)\b/i;

const isArchitecture = (record: MemoryRecord): boolean =>
  record.category === 'decision' &&
  (record.content.area === undefined ? ARCHITECTURE_WORDS.test(`${record.title} ${record.content.decision}`) : record.content.area === 'architecture');

const labelled = ({ content }: Summary, label: RegExp): string[] =>
  (content.tracking_points ?? []).filter((point) => label.test(point.label)).map(({ text }) => text);

const decisionsIn = (summary: Summary): string[] => labelled(summary, /^decision/i);

const distinct = (texts: readonly string[]): string[] => [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];

/** A decision with its reason. */
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
    decisions: distinct([...records.flatMap(decisionLine), ...decisionsIn(summary)]),
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

/** One session's entry in the log. */
export interface LogEntry {
  readonly heading: string;
  readonly text: string;
}

/** `session-{id}.md`; characters that a file name cannot hold become hyphens. */
export const sessionLogName = (id: string): string =>
  `session-${
    id
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[.-]+|[.-]+$/g, '')
      .slice(0, 100) || 'unnamed'
  }.md`;

/** The log of a summary that was moved out of MEMORY.md is named by its time. */
export const movedLogName = ({ time }: MovedSummary): string => sessionLogName(time.replace(/[ :]/g, '-'));

export const taskEntry = (tasks: readonly string[]): LogEntry => ({
  heading: 'Tasks',
  text: tasks.map((task) => `- ${task.replace(/\s+/g, ' ').trim()}`).join('\n'),
});

export const droppedEntries = (dropped: readonly DroppedSection[]): LogEntry[] =>
  dropped.map(({ heading, text }) => ({ heading: `Taken out of MEMORY.md: ${heading}`, text }));

/** The text of a log with more entries; an entry that it has already is not added again. */
export function withEntries(existing: string | undefined, id: string, entries: readonly LogEntry[]): string {
  let text = existing === undefined || existing.trim() === '' ? `# Session ${id}\n` : existing;
  for (const entry of entries) {
    const sectionText = entry.heading === '' ? entry.text : `## ${entry.heading}\n\n${entry.text}`;
    if (!text.includes(sectionText)) text = `${text.trimEnd()}\n\n${sectionText}\n`;
  }
  return text;
}
