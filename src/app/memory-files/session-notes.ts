import { localMinutes } from './layers.ts';
import { idOfStem } from '../../core/project/filename.ts';
import type { MemoryRecord, RecordOf } from '../../core/record/schema.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { currentRecord } from '../write/current.ts';
import type { Dropped } from './compress.ts';
import type { Moved } from './plan.ts';

/** The notes that a session leaves for the next one. */
export interface SessionNotes {
  /** Kept in the session's log, not in MEMORY.md. */
  readonly taskSummaries?: readonly string[];
  readonly filesModified?: readonly string[];
  readonly decisions?: readonly string[];
  readonly patterns?: readonly string[];
  readonly issues?: readonly string[];
}

export const SUMMARY_HEADING = 'Session Summary - ';

/** An item is one line, whatever it was before. */
const bullet = (text: string): string => `- ${text.replace(/\s*\r?\n\s*/g, ' ').trim()}`;

const section = (heading: string, items: readonly string[] = []): readonly string[] => (items.length === 0 ? [] : [`### ${heading}`, ...items.map(bullet), '']);

/** A session in MEMORY.md: dated, and a section for everything it has something to say of. */
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

/** Records looked at for what a session left behind, newest first. */
const LOOKED_AT = 200;

type Summary = RecordOf<'session_summary'>;

/** The entry for MEMORY.md from a session's summary and its other records; undefined while it has no summary. */
export async function accountOf(memory: Memory, sessionId: string): Promise<SessionAccount | undefined> {
  await catchUp(memory);
  const id = idOfStem('session_summary', sessionId);
  const item = memory.index.byId(id).find(({ category }) => category === 'session_summary');
  const found = item && (await currentRecord(memory, item));
  if (!found?.ok || found.value.record.category !== 'session_summary') return undefined;
  const summary = found.value.record;
  const records = await recordsOf(memory, sessionId);
  return {
    notes: notesOf(summary, records),
    significant: records.some(isArchitecture) || decisionsIn(summary).some((sectionText) => BUILT.test(sectionText)),
  };
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

const decisionsIn = (summary: Summary): string[] => labelled(summary, /^decision/i);

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

/** `session-{id}.md`; whatever a file name cannot hold becomes a hyphen. */
export const sessionLogName = (id: string): string =>
  `session-${
    id
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[.-]+|[.-]+$/g, '')
      .slice(0, 100) || 'unnamed'
  }.md`;

/** A summary that has left MEMORY.md goes by its own time. */
export const movedLogName = ({ time }: Moved): string => sessionLogName(time.replace(/[ :]/g, '-'));

export const taskEntry = (tasks: readonly string[]): LogEntry => ({
  heading: 'Tasks',
  text: tasks.map((task) => `- ${task.replace(/\s+/g, ' ').trim()}`).join('\n'),
});

export const droppedEntries = (dropped: readonly Dropped[]): LogEntry[] =>
  dropped.map(({ heading, text }) => ({ heading: `Taken out of MEMORY.md: ${heading}`, text }));

/** A log with more in it; what it holds already is not said twice. */
export function withEntries(existing: string | undefined, id: string, entries: readonly LogEntry[]): string {
  let text = existing === undefined || existing.trim() === '' ? `# Session ${id}\n` : existing;
  for (const entry of entries) {
    const sectionText = entry.heading === '' ? entry.text : `## ${entry.heading}\n\n${entry.text}`;
    if (!text.includes(sectionText)) text = `${text.trimEnd()}\n\n${sectionText}\n`;
  }
  return text;
}
