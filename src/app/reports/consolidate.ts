import { listItem, tagsFor } from '../../capture/summary/text.ts';
import { triageSettings } from '../../capture/triage/settings.ts';
import { Triage } from '../../capture/triage/triage.ts';
import { utcSeconds } from '../../core/instant.ts';
import type { FileRef } from '../../core/ports/store.ts';
import type { Draft } from '../../core/record/draft.ts';
import { draftFromText } from '../../core/record/from-text.ts';
import type { RecordOf } from '../../core/record/schema.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { trustFrom } from '../../core/trust/trust.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { createRecord } from '../write/create.ts';
import { currentRecord } from '../write/current.ts';
import { updateRecord } from '../write/update.ts';
import type { Written } from '../write/written.ts';

/** The result for one report. */
export interface ConsolidatedReport {
  readonly report: string;
  /** Records that were made of it, as `category/id`. */
  readonly into: readonly string[];
  readonly why?: string;
}

const CONSOLIDATED_TAG = 'consolidated';
const MOST_FINDINGS = 12;
const MOST_DECISIONS = 5;
const ITEM = /^\s*(?:[-*•]|\d+[.)])\s+/;
const FEWEST_FINDINGS = 2;

type Report = RecordOf<'subagent_report'>;

const findingsIn = ({ content }: Report): string[] =>
  (content.details ?? '')
    .split('\n')
    .filter((line) => ITEM.test(line))
    .map((line) => line.replace(ITEM, '').replaceAll('**', '').trim())
    .filter((line) => line.length > 20 && !content.recommendations?.includes(line))
    .slice(0, MOST_FINDINGS);

/** The folder or file that the files of a report have in common. */
function commonPath(files: readonly string[]): string {
  const [first, ...rest] = files.map((file) => file.split('/'));
  if (first === undefined) return '';
  const shared = first.findIndex((part, at) => rest.some((other) => other[at] !== part));
  return first.slice(0, shared < 0 ? first.length : shared).join('/');
}

/** The findings of a report, as an analysis of the files it looked at. */
function analysisOf(report: Report): Draft | undefined {
  const files = report.content.files_analyzed ?? [];
  const findings = findingsIn(report);
  if (files.length === 0 && findings.length < FEWEST_FINDINGS) return undefined;
  const place = commonPath(files);
  return {
    title: report.title,
    tags: report.tags.filter((tag) => tag !== CONSOLIDATED_TAG),
    related_files: report.related_files ?? [],
    content: {
      path: place || report.content.task,
      type: files.length === 1 ? 'file' : 'component',
      summary: report.content.summary,
      key_findings: findings,
      issues_found: [],
      recommendations: report.content.recommendations ?? [],
    },
  };
}

/** The decisions that a report states with a reason, in its own words. */
function decisionsIn(memory: Memory, { id, content, origin }: Report): readonly Draft[] {
  const triage = new Triage(triageSettings(memory.config));
  triage.add({ id, sessionId: origin?.session_id ?? 'report', role: 'assistant', text: [content.summary, content.details ?? ''].join('\n\n') });
  return triage
    .matches('decision')
    .slice(0, MOST_DECISIONS)
    .map(({ sentence }) => ({ ...draftFromText('decision', listItem(sentence.text, 400)), tags: tagsFor(sentence.text, []) }));
}

async function create(memory: Memory, category: 'analysis' | 'decision', draft: Draft, report: Report): Promise<Result<Written | undefined>> {
  // Do not save a finding twice; an existing record is changed only by an update.
  if (memory.index.items({ kind: 'record', category, status: 'active' }).some(({ title }) => title === draft['title'])) return ok(undefined);
  return createRecord(memory, {
    category,
    root: memory.config.get('storage.root'),
    actor: 'capture',
    reason: `from subagent_report/${report.id}`,
    draft: { ...draft, confidence: 0.75, trust: trustFrom('capture', report.trust), ...(report.origin && { origin: report.origin }) },
  });
}

/** Merges one report into an analysis and the decisions that it names, and marks it as consolidated. */
async function consolidateReport(memory: Memory, place: FileRef): Promise<Result<ConsolidatedReport>> {
  const current = await currentRecord(memory, place);
  if (!current.ok) return current;
  const { record, file } = current.value;
  if (record.category !== 'subagent_report') return refuse('VALIDATION_ERROR', `${record.category}/${record.id} is not a subagent's report`);
  const name = `subagent_report/${record.id}`;
  if (record.tags.includes(CONSOLIDATED_TAG)) return ok({ report: name, into: [], why: 'it was consolidated before' });
  const analysis = analysisOf(record);
  const drafts = [...(analysis ? [['analysis', analysis] as const] : []), ...decisionsIn(memory, record).map((draft) => ['decision', draft] as const)];
  const into: string[] = [];
  for (const [category, draft] of drafts) {
    const written = await create(memory, category, draft, record);
    if (!written.ok) return written;
    if (written.value) into.push(`${category}/${written.value.record.id}`);
  }
  const marked = await updateRecord(memory, {
    place,
    hash: file.hash,
    actor: 'capture',
    draft: { ...record, tags: [...record.tags, CONSOLIDATED_TAG].slice(-12), changes: [...(record.changes ?? []), noteOf(memory, into)] },
  });
  if (!marked.ok) return marked;
  return ok({ report: name, into, ...(into.length === 0 && { why: 'it holds no finding or decision for a record' }) });
}

const noteOf = (memory: Memory, into: readonly string[]): object => ({
  date: utcSeconds(memory.now()),
  summary: into.length === 0 ? 'Read; nothing to fold in' : `Folded into ${into.join(', ')}`.slice(0, 300),
});

/** Merges reports into records, one after the other; without ids, every report that was not merged yet. */
export async function consolidateReports(memory: Memory, places?: readonly FileRef[]): Promise<Result<readonly ConsolidatedReport[]>> {
  await catchUp(memory);
  const open = memory.index.items({ kind: 'record', category: 'subagent_report', status: 'active' }).filter(({ tags }) => !tags.includes(CONSOLIDATED_TAG));
  const reports: ConsolidatedReport[] = [];
  for (const place of places ?? open.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))) {
    const consolidated = await consolidateReport(memory, place);
    if (!consolidated.ok) return consolidated;
    reports.push(consolidated.value);
  }
  return ok(reports);
}
