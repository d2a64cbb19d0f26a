import { foreignText } from '../../capture/triage/tool-answers.ts';
import { stripInjected } from '../../core/episode/injected.ts';
import { titleOf } from '../../core/record/from-text.ts';
import type { ContentOf } from '../../core/record/schema.ts';
import { ok, type Result } from '../../core/result.ts';
import { isQuarantined, trustFrom, type UnconfirmedTrust } from '../../core/trust/trust.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { createRecord } from '../write/create.ts';
import { currentRecord, type CurrentRecord } from '../write/current.ts';
import { journalName, writing } from '../write/transaction.ts';
import { renderRecordFile } from '../../render/record-file.ts';
import { moveRecord } from '../write/status.ts';
import type { Written } from '../write/written.ts';

/** The last message of a subagent, split into the sections of a report. */
export type ReportParts = Pick<ContentOf<'subagent_report'>, 'summary'> & {
  readonly title?: string;
  readonly agent?: string;
  readonly task?: string;
  readonly parentContext?: string;
  readonly details?: string;
  readonly files: readonly string[];
  readonly recommendations: readonly string[];
};

const LONGEST_DETAILS = 24_000;
const LONGEST_SUMMARY = 600;
const MOST_ITEMS = 20;
const ITEM = /^\s*(?:[-*•]|\d+[.)])\s+/;
const PATH = /`([\w@./-]+\/[\w.-]+\.\w{1,8}|[\w-]+\.(?:tsx?|jsx?|mjs|py|rs|go|rb|java|md|json|ya?ml|toml|sql|sh|css|html?))(?::[\d-]+)?`/g;

const isHeading = (line: string): boolean => /^#{1,4}\s+\S/.test(line) || /^\*\*[^*]{3,60}\*\*:?\s*$/.test(line);
const nameOf = (line: string): string =>
  line
    .replace(/^#+\s+|\*\*|:\s*$/g, '')
    .trim()
    .toLowerCase();

interface Section {
  readonly name: string;
  readonly lines: string[];
}

/** Splits a text at its headings; lines in code blocks are no headings. */
function sectionsOf(text: string): readonly Section[] {
  const sections: Section[] = [{ name: '', lines: [] }];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    if (!isCode && isHeading(line)) sections.push({ name: nameOf(line), lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

const bodyOf = ({ lines }: Section): string => lines.join('\n').trim();
const itemsOf = (section: Section | undefined): string[] =>
  (section?.lines ?? [])
    .filter((line) => ITEM.test(line))
    .map((line) => line.replace(ITEM, '').trim())
    .slice(0, MOST_ITEMS);

/** The items of a section's list, or its whole text if it has no list. */
const listOf = (section: Section | undefined): string[] => {
  const items = itemsOf(section);
  if (items.length > 0 || section === undefined) return items;
  const body = bodyOf(section);
  return body === '' || /^(?:none|n\/a|-)\.?$/i.test(body) ? [] : [body];
};

/** The first two or three sentences; a list item counts as one. */
function firstSentences(text: string): string {
  const sentences = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !isHeading(line) && !/^\s*(?:```|\||>)/.test(line))
    .flatMap((line) =>
      line
        .replace(ITEM, '')
        .trim()
        .split(/(?<=[.!?])\s+(?=[\p{Lu}`"(])/u),
    );
  let summary = '';
  for (const sentence of sentences.slice(0, 3)) {
    if (summary !== '' && summary.length + sentence.length > LONGEST_SUMMARY) break;
    summary = summary === '' ? sentence : `${summary}${/[.!?:]$/.test(summary) ? '' : '.'} ${sentence}`;
  }
  return summary.slice(0, LONGEST_SUMMARY);
}

const labelIn = (text: string, name: string): string | undefined => new RegExp(String.raw`^\*\*${name}:?\*\*:?[ \t]*(.+)$`, 'im').exec(text)?.[1]?.trim();

/** Reads the last message of a subagent: a report in the agreed form, or any other text. */
function readReport(report: string): ReportParts {
  const text = stripInjected(report).trim();
  const sections = sectionsOf(text);
  const sectionNamed = (pattern: RegExp): Section | undefined => sections.find(({ name }) => pattern.test(name));
  const summary = sectionNamed(/^(?:executive )?summary\b|^overview\b|^conclusion\b/);
  const files = sectionNamed(/^files (?:analy[sz]ed|examined|read|reviewed)|^(?:key|relevant) files\b/);
  const advice = sectionNamed(/^(?:recommendations?|next steps|suggested (?:actions|next steps|fix\w*))\b/);
  const details = sectionNamed(/^details\b/);
  const mentioned = [...text.matchAll(PATH)].map(([, path = '']) => path);
  const listed = listOf(files).map((line) => /`([^`]+)`/.exec(line)?.[1] ?? line.split(/\s+[—–-]\s+|\s*:\s/)[0] ?? line);
  const [title, agent, task, parentContext] = [
    /^#\s+(.+)$/m.exec(text)?.[1]?.trim(),
    labelIn(text, 'Agent'),
    labelIn(text, 'Task'),
    labelIn(text, 'Parent Context'),
  ];
  const short = summary === undefined ? '' : bodyOf(summary);
  const rest = details === undefined ? (short === text ? '' : text) : bodyOf(details);
  return {
    ...(title !== undefined && { title }),
    ...(agent !== undefined && { agent }),
    ...(task !== undefined && { task }),
    ...(parentContext !== undefined && { parentContext }),
    summary: short === '' ? firstSentences(text) : short.slice(0, LONGEST_SUMMARY * 3),
    ...(rest !== '' && { details: rest.slice(0, LONGEST_DETAILS) }),
    files: [...new Set(listed.length > 0 ? listed : mentioned)].slice(0, MOST_ITEMS),
    recommendations: listOf(advice),
  };
}

export interface ReportRequest {
  /** Such as Explore, Plan or Bash; empty for the client's internal helpers, which make no report. */
  readonly agentType: string;
  /** Identifies the subagent, so that a report that arrives twice is saved once. */
  readonly agentId?: string;
  readonly task?: string;
  /** The subagent's last message. */
  readonly text: string;
  readonly sessionId?: string;
  readonly client?: string;
  readonly parentContext?: string;
  /** `quarantined` if the subagent read text from tools or the web. */
  readonly trust?: UnconfirmedTrust;
  readonly channel?: 'hook' | 'agent' | 'command' | 'import';
}

export type SavedReport = { readonly status: 'saved'; readonly written: Written } | { readonly status: 'skipped'; readonly why: string };

/** A shorter report adds nothing to what its parent has read. */
const SHORTEST_REPORT = 120;

const skipped = (why: string): Result<SavedReport> => ok({ status: 'skipped', why });

/** Saves a subagent's report under a name of its own: the date, the second and the task, with a suffix if that name is taken. */
export async function saveReport(memory: Memory, request: ReportRequest): Promise<Result<SavedReport>> {
  const { agentType, agentId, sessionId, client, trust = trustFrom('capture'), channel = 'hook' } = request;
  if (agentType.trim() === '') return skipped('its subagent has no type');
  const text = foreignText(request.text).trim();
  await catchUp(memory);
  const existing = agentId === undefined ? undefined : await reportOf(memory, agentId, sessionId);
  if (existing) {
    await settleTrust(memory, existing, trust);
    return skipped('it is saved already');
  }
  if (text.length < SHORTEST_REPORT) return skipped('it is too short');
  const parts = readReport(text);
  const task = (request.task ?? parts.task ?? parts.title ?? '').trim() || `${agentType} report`;
  const parent = request.parentContext ?? parts.parentContext;
  const roomWarnings = await archiveOldReports(memory);
  const written = await createRecord(memory, {
    category: 'subagent_report',
    root: memory.config.get('storage.root'),
    actor: channel,
    draft: {
      title: titleOf(task),
      tags: ['subagent', agentType.toLowerCase().replace(/[^a-z0-9]+/g, '-')],
      related_files: parts.files.filter((file) => memory.projectFileExists(file)),
      confidence: 0.75,
      trust,
      origin: {
        channel,
        ...(client !== undefined && { client }),
        ...(sessionId !== undefined && { session_id: sessionId }),
        ...(agentId !== undefined && { message_ids: [agentMark(agentId)] }),
      },
      content: {
        agent: agentType,
        task,
        ...(parent !== undefined && { parent_context: parent }),
        summary: parts.summary,
        ...(parts.details !== undefined && { details: parts.details }),
        ...(parts.files.length > 0 && { files_analyzed: parts.files }),
        ...(parts.recommendations.length > 0 && { recommendations: parts.recommendations }),
      },
    },
  });
  return written.ok ? ok({ status: 'saved', written: { ...written.value, warnings: [...roomWarnings, ...written.value.warnings] } }) : written;
}

/** The id of a subagent in a record's origin. */
const agentMark = (agentId: string): string => `agent-${agentId.replace(/^agent-/, '')}`;

/** The report of a subagent, if there is one. */
async function reportOf(memory: Memory, agentId: string, sessionId: string | undefined): Promise<CurrentRecord | undefined> {
  for (const item of memory.index.items({ kind: 'record', category: 'subagent_report' })) {
    const current = await currentRecord(memory, item);
    if (!current.ok || current.value.record.category !== 'subagent_report') continue;
    const { origin } = current.value.record;
    if (origin?.message_ids?.includes(agentMark(agentId)) && (sessionId === undefined || origin.session_id === sessionId)) return current.value;
  }
  return undefined;
}

/** Sets the trust of a report that the subagent submitted itself: only at its end is it known what the subagent had read. */
async function settleTrust(memory: Memory, { file, record, asWritten, layout }: CurrentRecord, trust: UnconfirmedTrust): Promise<void> {
  if (record.origin?.channel !== 'agent' || !isQuarantined(record.trust) || isQuarantined(trust)) return;
  const { root, path } = file;
  await writing(memory, { actor: 'hook', reason: 'the subagent has read nothing from outside' }, (write) =>
    write.apply({ root, path, text: renderRecordFile(path, { ...asWritten, trust }, layout), op: 'update', ...journalName(record) }),
  );
}

/** Archives the oldest reports of a full category, so that the newest can be saved. */
async function archiveOldReports(memory: Memory): Promise<readonly string[]> {
  const root = memory.config.get('storage.root');
  const active = memory.index.items({ kind: 'record', category: 'subagent_report', status: 'active', root });
  const excess = active.length - memory.config.get('max_memories_per_category') + 1;
  const oldest = active.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)).slice(0, Math.max(0, excess));
  const warnings: string[] = [];
  for (const item of oldest) {
    const moved = await moveRecord(memory, 'archive', item, { actor: 'capture', reason: 'newer reports needed the room' });
    if (moved.ok) warnings.push(`${item.category}/${item.id} was archived: the category was full`);
  }
  return warnings;
}
