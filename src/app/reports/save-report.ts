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
const SUMMARY = 600;
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

/** The text under its headings; code that looks like a heading stays where it is. */
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

/** A list, or what stands there without one. */
const listOf = (section: Section | undefined): string[] => {
  const items = itemsOf(section);
  if (items.length > 0 || section === undefined) return items;
  const body = bodyOf(section);
  return body === '' || /^(?:none|n\/a|-)\.?$/i.test(body) ? [] : [body];
};

/** The first two or three sentences; a line of a list is one. */
function opening(text: string): string {
  const sentences = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !isHeading(line) && !/^\s*(?:```|\||>)/.test(line))
    .flatMap((line) =>
      line
        .replace(ITEM, '')
        .trim()
        .split(/(?<=[.!?])\s+(?=[\p{Lu}`"(])/u),
    );
  let report = '';
  for (const sentence of sentences.slice(0, 3)) {
    if (report !== '' && report.length + sentence.length > SUMMARY) break;
    report = report === '' ? sentence : `${report}${/[.!?:]$/.test(report) ? '' : '.'} ${sentence}`;
  }
  return report.slice(0, SUMMARY);
}

const labelIn = (text: string, name: string): string | undefined => new RegExp(String.raw`^\*\*${name}:?\*\*:?[ \t]*(.+)$`, 'im').exec(text)?.[1]?.trim();

/** Reads the last message of a subagent: a report in the agreed form, or any other text. */
function readReport(report: string): ReportParts {
  const text = stripInjected(report).trim();
  const sections = sectionsOf(text);
  const named = (pattern: RegExp): Section | undefined => sections.find(({ name }) => pattern.test(name));
  const summary = named(/^(?:executive )?summary\b|^overview\b|^conclusion\b/);
  const files = named(/^files (?:analy[sz]ed|examined|read|reviewed)|^(?:key|relevant) files\b/);
  const advice = named(/^(?:recommendations?|next steps|suggested (?:actions|next steps|fix\w*))\b/);
  const details = named(/^details\b/);
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
    summary: short === '' ? opening(text) : short.slice(0, SUMMARY * 3),
    ...(rest !== '' && { details: rest.slice(0, LONGEST_DETAILS) }),
    files: [...new Set(listed.length > 0 ? listed : mentioned)].slice(0, MOST_ITEMS),
    recommendations: listOf(advice),
  };
}

export interface ReportRequest {
  /** Explore, Plan, Bash …; empty for the client's own helpers, which make no report. */
  readonly agentType: string;
  /** Tells one subagent from another: a report that comes twice is kept once. */
  readonly agentId?: string;
  readonly task?: string;
  /** The subagent's last message. */
  readonly text: string;
  readonly sessionId?: string;
  readonly client?: string;
  readonly parentContext?: string;
  /** `quarantined` when the subagent repeats what tools or the web say. */
  readonly trust?: UnconfirmedTrust;
  readonly channel?: 'hook' | 'agent' | 'command' | 'import';
}

export type SavedReport = { readonly status: 'saved'; readonly written: Written } | { readonly status: 'skipped'; readonly why: string };

/** Shorter than this, a report says nothing that its parent has not read. */
const LEAST = 120;

const skipped = (why: string): Result<SavedReport> => ok({ status: 'skipped', why });

/** Saves a subagent's report under a name of its own: the date, the second and the task, with a suffix if that name is taken. */
export async function saveReport(memory: Memory, request: ReportRequest): Promise<Result<SavedReport>> {
  const { agentType, agentId, sessionId, client, trust = trustFrom('capture'), channel = 'hook' } = request;
  if (agentType.trim() === '') return skipped('it comes from no subagent with a name');
  const text = foreignText(request.text).trim();
  await catchUp(memory);
  const there = agentId === undefined ? undefined : await reportOf(memory, agentId, sessionId);
  if (there) {
    await settleTrust(memory, there, trust);
    return skipped('it is kept already');
  }
  if (text.length < LEAST) return skipped('it says too little');
  const parts = readReport(text);
  const task = (request.task ?? parts.task ?? parts.title ?? '').trim() || `${agentType} report`;
  const parent = request.parentContext ?? parts.parentContext;
  const full = await makeRoom(memory);
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
  return written.ok ? ok({ status: 'saved', written: { ...written.value, warnings: [...full, ...written.value.warnings] } }) : written;
}

/** How a record's origin names a subagent. */
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

/** A report that the subagent submitted itself waited for its end, because only then is it known what it had read. */
async function settleTrust(memory: Memory, { file, record, asWritten, layout }: CurrentRecord, trust: UnconfirmedTrust): Promise<void> {
  if (record.origin?.channel !== 'agent' || !isQuarantined(record.trust) || isQuarantined(trust)) return;
  const { root, path } = file;
  await writing(memory, { actor: 'hook', reason: 'the subagent has read nothing from outside' }, (write) =>
    write.apply({ root, path, text: renderRecordFile(path, { ...asWritten, trust }, layout), op: 'update', ...journalName(record) }),
  );
}

/** Subagents are many, and a full category must not cost the newest report: the oldest goes to the archive, where it is kept. */
async function makeRoom(memory: Memory): Promise<readonly string[]> {
  const root = memory.config.get('storage.root');
  const active = memory.index.items({ kind: 'record', category: 'subagent_report', status: 'active', root });
  const over = active.length - memory.config.get('max_memories_per_category') + 1;
  const oldest = active.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)).slice(0, Math.max(0, over));
  const report: string[] = [];
  for (const item of oldest) {
    const moved = await moveRecord(memory, 'archive', item, { actor: 'capture', reason: 'newer reports needed the room' });
    if (moved.ok) report.push(`${item.category}/${item.id} was archived: the category was full`);
  }
  return report;
}
