import { epochOf } from '../../../core/instant.ts';
import type { SkippedItem, SourceItem, SourceContents } from '../source.ts';
import { draftOf } from './note.ts';

export type Row = Readonly<Record<string, unknown>>;

/** The tables that were found, under the names they have in every version that had them. */
export interface ClaudeMemTables {
  readonly sdk_sessions?: readonly Row[];
  readonly observations?: readonly Row[];
  readonly session_summaries?: readonly Row[];
  readonly user_prompts?: readonly Row[];
  readonly directives?: readonly Row[];
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '');

/** A column that holds a JSON list, or plain text. */
function list(value: unknown): string[] {
  const filled = text(value);
  if (!filled.startsWith('[')) return filled === '' ? [] : [filled];
  try {
    const items: unknown = JSON.parse(filled);
    return Array.isArray(items) ? items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).filter((item) => item !== '') : [filled];
  } catch {
    return [filled];
  }
}

/** Seconds in the oldest versions, milliseconds since. */
const timeOf = (row: Row): number => {
  const epoch = row['created_at_epoch'];
  if (typeof epoch === 'number' && epoch > 0) return epoch < 1e11 ? epoch * 1000 : epoch;
  return epochOf(text(row['created_at'])) ?? 0;
};

const paragraphs = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');

/** Observations, summaries, prompts and rules of the project; what belongs to other projects is named and left. */
export function readClaudeMem(tables: ClaudeMemTables, isMine: (project: string) => boolean): SourceContents {
  const elsewhere = new Map<string, number>();
  const mine = (rows: readonly Row[] = []): readonly Row[] =>
    rows.filter((row) => {
      const project = text(row['merged_into_project']) || text(row['project']);
      if (isMine(project)) return true;
      elsewhere.set(project, (elsewhere.get(project) ?? 0) + 1);
      return false;
    });
  const sessions = sessionsOf(mine(tables.sdk_sessions));
  const items = [
    ...mine(tables.observations).map((row) => observation(row, sessions)),
    ...summaries(mine(tables.session_summaries), tables.user_prompts ?? [], sessions),
    ...(tables.directives ?? []).filter((row) => text(row['project']) === '' || isMine(text(row['project']))).map(directive),
  ];
  const left: SkippedItem[] = [...elsewhere].map(([project, count]) => ({
    what: `${count} rows of ${project || 'no project'}`,
    why: 'belong to another project: run migrate there',
  }));
  return { items, left };
}

/** The tool numbers sessions by itself; the client's own id is what transcripts carry. */
const sessionsOf = (rows: readonly Row[]): ReadonlyMap<string, string> =>
  new Map(
    rows.flatMap((row) => {
      const client = text(row['content_session_id']) || text(row['claude_session_id']);
      return [text(row['memory_session_id']), text(row['sdk_session_id']), client]
        .filter((id) => id !== '' && client !== '')
        .map((id): [string, string] => [id, client]);
    }),
  );

const sessionOf = (row: Row, sessions: ReadonlyMap<string, string>): string => {
  const own = text(row['memory_session_id']) || text(row['sdk_session_id']) || text(row['content_session_id']) || text(row['claude_session_id']);
  return sessions.get(own) ?? own;
};

function observation(row: Row, sessions: ReadonlyMap<string, string>): SourceItem {
  const type = text(row['type']).toLowerCase() || 'observation';
  const [title, subtitle, narrative] = [text(row['title']), text(row['subtitle']), paragraphs(text(row['narrative']), text(row['text']))];
  const facts = list(row['facts']);
  const files = [...list(row['files_modified']), ...list(row['files_read'])];
  const session = sessionOf(row, sessions);
  const name = title || subtitle || narrative || facts[0] || `${type} ${text(row['id'])}`;
  const common = {
    kind: 'claude-mem',
    title: name,
    at: timeOf(row),
    tags: [type, ...list(row['concepts'])],
    files,
    ...(session !== '' && { sessionId: session }),
  } as const;
  const from = `observations/${text(row['id'])}`;
  if (type === 'decision') {
    const content = { status: 'accepted', context: subtitle, decision: narrative || name, rationale: facts.length > 0 ? facts : ['Not recorded'] };
    return { from, category: 'decision', draft: draftOf({ ...common, content }) };
  }
  if (type === 'bugfix') {
    const content = { trigger: name, steps: facts.length > 0 ? facts : [narrative || name], verification: '', root_cause: paragraphs(subtitle, narrative) };
    return { from, category: 'runbook', draft: draftOf({ ...common, content }) };
  }
  const content = {
    path: files[0] ?? name,
    type: files[0] === undefined ? 'component' : 'file',
    summary: paragraphs(subtitle, narrative) || name,
    key_findings: facts,
  };
  return { from, category: 'analysis', draft: draftOf({ ...common, content }) };
}

function grouped(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

/** A session is summed up after each prompt: the last one stands for it, with the prompts it answers. */
function summaries(rows: readonly Row[], prompts: readonly Row[], sessions: ReadonlyMap<string, string>): SourceItem[] {
  const known = new Set(sessions.values());
  const bySession = grouped(rows, (row) => sessionOf(row, sessions));
  const promptsBy = grouped(prompts, (row) => sessionOf(row, sessions));
  for (const session of promptsBy.keys()) if (known.has(session) && !bySession.has(session)) bySession.set(session, []);
  return [...bySession].map(([session, own]) =>
    summary(
      session,
      own.toSorted((a, b) => timeOf(a) - timeOf(b)),
      promptsBy.get(session) ?? [],
    ),
  );
}

function summary(session: string, rows: readonly Row[], prompts: readonly Row[]): SourceItem {
  const promptTexts = prompts.toSorted((a, b) => Number(a['prompt_number']) - Number(b['prompt_number'])).map((row) => text(row['prompt_text']));
  const all = (column: string): string[] => [...new Set(rows.flatMap((row) => list(row[column])))];
  const requests = all('request');
  const goal = requests.at(-1) ?? promptTexts[0] ?? 'Not recorded';
  const labelled = [
    ['Request', requests.slice(0, -1)] as const,
    ['Investigated', all('investigated')] as const,
    ['Learning', all('learned')] as const,
    ['Note', all('notes')] as const,
  ];
  const content = {
    goal,
    outcome: 'partial',
    completed: all('completed'),
    next_actions: list(rows.at(-1)?.['next_steps']),
    key_changes: all('files_edited'),
    context: promptTexts.length > 0 ? `Prompts:\n${promptTexts.map((prompt) => `- ${prompt.replaceAll('\n', '\n  ')}`).join('\n')}` : '',
    tracking_points: labelled.flatMap(([label, items]) => items.map((item) => ({ label, text: item }))),
  };
  const at = timeOf(rows.at(-1) ?? prompts.at(-1) ?? {});
  const draft = draftOf({
    kind: 'claude-mem',
    title: goal,
    at,
    tags: ['session'],
    content,
    files: [...all('files_edited'), ...all('files_read')],
    sessionId: session,
  });
  return { from: `session_summaries/${session}`, category: 'session_summary', draft, sessionId: session };
}

function directive(row: Row): SourceItem {
  const filled = text(row['content']);
  const content = { topic: filled.split('\n')[0] ?? filled, value: filled, reason: 'A rule its user gave', strength: 'strong' };
  const draft = draftOf({ kind: 'claude-mem', title: filled, at: timeOf(row), tags: ['directive', text(row['scope']) || 'global'], content });
  return { from: `directives/${text(row['id'])}`, category: 'preference', draft };
}
