import { foreignText } from '../../capture/triage/tool-answers.ts';
import { titleOf } from '../../core/record/from-text.ts';
import type { RecordOf } from '../../core/record/schema.ts';
import { ok, type Result } from '../../core/result.ts';
import { trustFrom, type UnconfirmedTrust } from '../../core/trust/trust.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { createRecord } from '../write/create.ts';
import { currentRecord } from '../write/current.ts';
import { moveRecord } from '../write/status.ts';
import type { Written } from '../write/written.ts';
import { readReport } from './read-report.ts';

export interface ReportRequest {
  /** Explore, Plan, Bash …; empty for the client's own helpers, which make no report. */
  readonly agentType: string;
  /** Tells one subagent from another: a report that comes twice is kept once. */
  readonly agentId?: string;
  readonly task?: string;
  /** What the subagent said last. */
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

/** Keeps what a subagent reports, under a name of its own: the date, the second and the task, and a suffix where that is taken. */
export async function saveReport(memory: Memory, request: ReportRequest): Promise<Result<SavedReport>> {
  const { agentType, agentId, sessionId, client, trust = trustFrom('capture'), channel = 'hook' } = request;
  if (agentType.trim() === '') return skipped('it comes from no subagent with a name');
  const text = foreignText(request.text).trim();
  if (text.length < LEAST) return skipped('it says too little');
  await catchUp(memory);
  if (agentId !== undefined && (await reportOf(memory, agentId, sessionId)) !== undefined) return skipped('it is kept already');
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

/** How a subagent stands in a record's origin. */
const agentMark = (agentId: string): string => `agent-${agentId.replace(/^agent-/, '')}`;

/** The report of a subagent, if there is one. */
async function reportOf(memory: Memory, agentId: string, sessionId: string | undefined): Promise<RecordOf<'subagent_report'> | undefined> {
  for (const item of memory.index.items({ kind: 'record', category: 'subagent_report' })) {
    const current = await currentRecord(memory, item);
    if (!current.ok || current.value.record.category !== 'subagent_report') continue;
    const { origin } = current.value.record;
    if (origin?.message_ids?.includes(agentMark(agentId)) && (sessionId === undefined || origin.session_id === sessionId)) return current.value.record;
  }
  return undefined;
}

/** Subagents are many, and a full category must not cost the newest report: the oldest goes to the archive, where it is kept. */
async function makeRoom(memory: Memory): Promise<readonly string[]> {
  const root = memory.config.get('storage.root');
  const active = memory.index.items({ kind: 'record', category: 'subagent_report', status: 'active', root });
  const over = active.length - memory.config.get('max_memories_per_category') + 1;
  const oldest = active.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)).slice(0, Math.max(0, over));
  const said: string[] = [];
  for (const item of oldest) {
    const moved = await moveRecord(memory, 'archive', item, { actor: 'capture', reason: 'newer reports needed the room' });
    if (moved.ok) said.push(`${item.category}/${item.id} was archived: the category was full`);
  }
  return said;
}
