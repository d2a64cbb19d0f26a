import { jsonIn } from '../../../app/drafting/answer.ts';
import type { summaryFromText } from '../../../app/episodes/summary-review.ts';
import { redactionNotes } from '../../../app/write/redaction-note.ts';
import { announcementLines, type Written } from '../../../app/write/written.ts';
import { utcSeconds } from '../../../core/instant.ts';
import { CATEGORIES, categoryFrom } from '../../../core/record/category.ts';
import type { Draft } from '../../../core/record/draft.ts';
import { draftFromText } from '../../../core/record/from-text.ts';
import type { Trust } from '../../../core/record/schema.ts';
import { redact } from '../../../core/redact/text.ts';
import { ok } from '../../../core/result.ts';
import { plain } from '../../../recall/inject/plain.ts';
import { isQuarantined, trustFrom } from '../../../core/trust/trust.ts';
import { REQUEST_FIELD, refusalWhereOff, requestedBy, type ConsentRequest, QUARANTINE_REASONS, writtenTexts } from '../user-consent.ts';
import { findRecord } from '../find-record.ts';
import { RECORDS_FIELD } from './records-field.ts';
import { isObject } from '../../../core/value.ts';
import { type ToolInput, refused, type ToolResult, type ToolContext, stringArgument, textsOf, type Tool, WRITE_SCHEMA, writeResult } from '../tool.ts';

const AUTHOR = { actor: 'agent' };
const STRINGS = { type: 'array', items: { type: 'string' } } as const;
const SUPERSEDES = { ...STRINGS, description: 'ids of records that this one replaces' } as const;
const MASTER_FILE = /(?:^|[\\/])master\.md$/;
const because = (quote: string): string => `asked: ${quote}`;

const missing = (what: string): ToolResult => ({ text: `INPUT_ERROR: ${what}`, isError: true });

export const saveTool = (context: ToolContext): Tool => ({
  name: 'memory_save',
  description:
    'Remember what the user asks to remember: a decision with its reason, a fix that worked, a constraint, a preference, work put off. Not what the code or git already says.',
  inputSchema: {
    type: 'object',
    properties: {
      category: { type: 'string', enum: [...CATEGORIES] },
      text: { type: 'string', description: 'what is to be remembered, with the why: "use X because Y"' },
      asked: REQUEST_FIELD,
      title: { type: 'string', maxLength: 120 },
      tags: STRINGS,
      files: { ...STRINGS, description: 'files of the project it is about' },
      applies_to: { ...STRINGS, description: 'of a rule: actions (commit, push, test …), commands or files it applies to' },
      supersedes: SUPERSEDES,
      content: { type: 'object', description: "fields of the category's schema, in place of what the text gives" },
      scope: { type: 'string', enum: ['project', 'user'], description: 'user: true in every project' },
      session: { type: 'string', description: 'of a session_summary: its session, if not this one' },
      file: {
        type: 'string',
        description:
          'with json: the draft or verdict file that a memory hook named; with text: the file in subagent/ that a subagent is to write its report to, or master.md with the synthesis that the user has seen and approved (asked: their yes)',
      },
      json: { type: 'object', description: 'the draft or the verdict' },
      staged: { type: 'string', description: 'a session id, alone: saves the verified drafts that a memory hook asked for' },
      records: RECORDS_FIELD,
    },
  },
  outputSchema: WRITE_SCHEMA,
  annotations: { title: 'Save to memory', readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  run: async (given) => {
    const [file, word, text] = [stringArgument(given, 'file'), stringArgument(given, 'category'), stringArgument(given, 'text')];
    if (text !== undefined && given['json'] === undefined && file !== undefined && MASTER_FILE.test(file)) return saveMaster(context, given, text);
    const isForHook = file !== undefined || Array.isArray(given['records']) || given['staged'] !== undefined;
    if (isForHook) return (await refusalWhereOff(context)) ?? saveForHook(context, given, file, text);
    const category = word === undefined ? undefined : categoryFrom(word);
    if (category === undefined) return missing(`category must be one of ${CATEGORIES.join(', ')}`);
    if (text === undefined) return missing('text says what is to be remembered');
    const request = await requestedBy(context, given, writtenTexts(given));
    if (!request.ok) return refused(request.error);
    const { quote, source } = request.value;
    const off = source === 'agent-asked' ? undefined : await refusalWhereOff(context);
    if (off) return off;
    const forUser = given['scope'] === 'user';
    const memory = forUser ? await context.user() : (await context.project()).memory;
    const files = textsOf(given, 'files');
    // Redact before splitting into title and steps: half a secret is not recognised.
    const clean = redact(text).text;
    const session = (category === 'session_summary' ? stringArgument(given, 'session') : undefined) ?? context.session();
    const client = context.clientName();
    const shown = category === 'session_summary' && session !== undefined ? await summaryOf(session, clean, context.now()) : ok(undefined);
    if (!shown.ok) return refused(shown.error);
    const made = shown.value ?? draftFromText(category, clean, stringArgument(given, 'title'), files[0]);
    const draft: Draft = {
      ...made,
      content: { ...(made['content'] as object), ...(isObject(given['content']) ? given['content'] : {}) },
      tags: [...textsOf(given, 'tags')],
      related_files: [...new Set([...textsOf(made, 'related_files'), ...files])],
      ...(textsOf(given, 'applies_to').length > 0 && { applies_to: [...textsOf(given, 'applies_to')] }),
      trust: trustFrom(source),
      confidence: 0.8,
      origin: { channel: 'agent', ...(client !== undefined && { client }), ...(session !== undefined && { session_id: session }), asked: quote },
    };
    const replaced = await (await context.drafting()).recordsToReplace(memory, textsOf(given, 'supersedes'));
    if (!replaced.ok) return refused(replaced.error);
    const root = forUser ? 'user' : memory.config.get('storage.root');
    // A session has one summary; update it.
    const drafting = await context.drafting();
    const author = { ...AUTHOR, reason: because(quote) };
    const written =
      category === 'session_summary' && session !== undefined && !forUser
        ? await drafting.saveSummary(memory, session, draft, author)
        : await drafting.save(memory, { ...author, category, draft: withReplaced(draft, replaced.value), root });
    if (written.ok) context.noteSaved(category);
    return written.ok ? writtenResult(written.value, source) : refused(written.error);
  },
});

const summaryOf = async (...given: Parameters<typeof summaryFromText>) => (await import('../../../app/episodes/summary-review.ts')).summaryFromText(...given);

const withReplaced = (draft: Draft, names: readonly string[]): Draft => (names.length === 0 ? draft : { ...draft, supersedes: [...new Set(names)] });

/** Saves drafts, verdicts, reports and records that a hook or a task asked the agent for, not the user. */
async function saveForHook(context: ToolContext, given: ToolInput, file: string | undefined, text: string | undefined): Promise<ToolResult> {
  if (Array.isArray(given['records'])) return (await import('./save-turn.ts')).saveTurn(context, given['records']);
  const staged = stringArgument(given, 'staged');
  if (staged !== undefined) return saveStaged(context, staged);
  if (file === undefined) return missing('staged is the id of a session');
  return text !== undefined && given['json'] === undefined ? saveReport(context, file, text) : submitDraft(context, file, given['json']);
}

/** Writes a draft or verdict into the staging folder, which clients may not let agents write to. */
async function submitDraft(context: ToolContext, file: string, value: unknown): Promise<ToolResult> {
  const json = typeof value === 'string' ? jsonIn(value) : value;
  if (!isObject(json)) return missing('json is the draft or the verdict, as one object');
  const { memory } = await context.project();
  const put = await (await context.drafting()).submitDraft(memory, file, json);
  return put.ok ? writeResult(`handed in: ${put.value}`) : refused(put.error);
}

const REPORT_FILE = /(?:^|[\\/])subagent[\\/](?:\d{4}-\d\d-\d\d_\d{4,6}_)?([\w.-]+)\.md$/;

/** Saves a subagent's report, because clients let no agent write below their own folder. It stays quarantined until the end of the subagent shows which texts it read. */
async function saveReport(context: ToolContext, file: string, text: string): Promise<ToolResult> {
  const [, name] = REPORT_FILE.exec(file) ?? [];
  if (name === undefined) return missing('with text, file is a report in subagent/, such as subagent/2026-01-19_223000_security-scan.md');
  const { memory } = await context.project();
  const [by, session] = [context.reporter(file), context.session()];
  const saved = await (
    await context.drafting()
  ).saveReport(memory, {
    agentType: by?.agentType ?? 'subagent',
    ...(by && { agentId: by.agentId }),
    task: name.replaceAll(/[-_]+/g, ' ').trim(),
    text,
    trust: trustFrom('tool-output'),
    channel: 'agent',
    ...(session !== undefined && { sessionId: session }),
  });
  if (!saved.ok) return refused(saved.error);
  if (saved.value.status === 'skipped') return { text: `INPUT_ERROR: the report was not saved: ${saved.value.why}`, isError: true };
  return writeResult(`created ${saved.value.written.place.path}`);
}

/** Saves a synthesis that the user has seen and approved as master.md; the old one can be restored. */
async function saveMaster(context: ToolContext, given: ToolInput, text: string): Promise<ToolResult> {
  const request = await requestedBy(context, given, ['']);
  if (!request.ok) return refused(request.error);
  if (request.value.source !== 'agent-asked') return missing('show the synthesis to the user and quote their yes in asked');
  const { memory } = await context.project();
  const { adoptMaster } = await import('../../../app/synthesis/adopt.ts');
  const written = await adoptMaster(memory, text, { ...AUTHOR, reason: because(request.value.quote) });
  if (!written.ok) return refused(written.error);
  return writeResult(`${written.value.status} master.md; holdfast undo brings the old one back`);
}

/** Saves all verified drafts in one call; checks paths, schema, candidates and verdicts again. */
async function saveStaged(context: ToolContext, session: string): Promise<ToolResult> {
  const { memory } = await context.project();
  const saved = await (await context.drafting()).saveStaged(memory, { sessionId: session });
  if (!saved.ok) return refused(saved.error);
  const lines = saved.value.map(
    ({ category, status, id, justification, issues, warnings }) =>
      `${status} ${id === undefined ? category : `${category}/${id}`}: ${[justification, ...issues, ...warnings].filter((part) => part !== '').join('; ')}`,
  );
  const ids = saved.value.flatMap(({ category, id }) => (id === undefined ? [] : [`${category}/${id}`]));
  return { ...writeResult(lines.join('\n') || 'There is nothing to save.', ids), isError: saved.value.some(({ status }) => status === 'failed') };
}

export const updateTool = (context: ToolContext): Tool => ({
  name: 'memory_update',
  description: 'Change a record when the user asks for it. Lists grow, single fields are replaced; the old version is kept.',
  inputSchema: {
    type: 'object',
    properties: {
      id: { type: 'string' },
      change: { type: 'string', description: 'one sentence: what is different now, and why' },
      asked: REQUEST_FIELD,
      title: { type: 'string', maxLength: 120 },
      content: { type: 'object', description: 'the fields that change' },
      supersedes: SUPERSEDES,
      tags: STRINGS,
      files: STRINGS,
    },
    required: ['id', 'change', 'asked'],
  },
  outputSchema: WRITE_SCHEMA,
  annotations: { title: 'Update a memory', readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  run: async (given) => {
    const [id, change] = [stringArgument(given, 'id'), stringArgument(given, 'change')];
    if (id === undefined || change === undefined) return missing('id and change are needed');
    const request = await requestedBy(context, given, writtenTexts(given));
    if (!request.ok) return refused(request.error);
    const found = await findRecord(context, id);
    if (!found.ok) return refused(found.error);
    const { memory, shown } = found.value;
    const { record, item, hash } = shown;
    const refusal = refusalWithoutRequest(request.value, record?.trust);
    if (refusal) return refusal;
    if (!record) return missing(`${id} is a document: edit its file`);
    const replaced = await (await context.drafting()).recordsToReplace(memory, textsOf(given, 'supersedes'));
    if (!replaced.ok) return refused(replaced.error);
    const draft: Draft = {
      ...withReplaced(record, [...(record.supersedes ?? []), ...replaced.value]),
      title: stringArgument(given, 'title') ?? record.title,
      content: mergedContent(record.content, isObject(given['content']) ? given['content'] : {}),
      tags: [...new Set([...record.tags, ...textsOf(given, 'tags')])],
      related_files: [...new Set([...(record.related_files ?? []), ...textsOf(given, 'files')])],
      changes: [...(record.changes ?? []), { date: utcSeconds(context.now()), summary: change.slice(0, 300) }],
    };
    const written = await (
      await context.drafting()
    ).update(memory, { ...AUTHOR, reason: because(request.value.quote), place: { root: item.root, path: item.path }, draft, hash });
    if (written.ok) context.noteSaved(record.category);
    return written.ok ? writtenResult(written.value) : refused(written.error);
  },
});

/** Appends to lists, replaces other fields. */
const mergedContent = (old: ToolInput, next: ToolInput): ToolInput =>
  Object.fromEntries(
    Object.entries({ ...old, ...next }).map(([name, value]) => {
      const before = old[name];
      if (!Array.isArray(before) || !Array.isArray(value)) return [name, value];
      const known = new Set(before.map((item) => JSON.stringify(item)));
      return [name, [...before, ...value.filter((item) => !known.has(JSON.stringify(item)))]];
    }),
  );

export const retireTool = (context: ToolContext): Tool => ({
  name: 'memory_retire',
  description: 'Take a record out of use when the user asks to forget it and has said yes to this one. It can be restored for 30 days.',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'string' }, reason: { type: 'string' }, asked: REQUEST_FIELD },
    required: ['id', 'reason', 'asked'],
  },
  outputSchema: WRITE_SCHEMA,
  annotations: { title: 'Retire a memory', readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  run: async (given) => {
    const [id, reason] = [stringArgument(given, 'id'), stringArgument(given, 'reason')];
    if (id === undefined || reason === undefined) return missing('id and reason are needed');
    const request = await requestedBy(context, given, ['']);
    if (!request.ok) return refused(request.error);
    const found = await findRecord(context, id);
    if (!found.ok) return refused(found.error);
    const { memory, shown } = found.value;
    const refusal = request.value.source === 'agent-alone' ? refusalWithoutRequest(request.value, undefined) : undefined;
    if (refusal) return refusal;
    const { root, path } = shown.item;
    const written = await (
      await context.drafting()
    ).move(memory, 'retire', { root, path }, { ...AUTHOR, reason: `${reason} (${because(request.value.quote)})` });
    return written.ok ? writtenResult(written.value) : refused(written.error);
  },
});

/** A quarantined change may not touch a record that is not quarantined. */
function refusalWithoutRequest({ source }: ConsentRequest, trust: Trust | undefined): ToolResult | undefined {
  if (source === 'agent-asked' || (source === 'tool-output' && isQuarantined(trust))) return undefined;
  return refused({
    code: 'SECURITY_ERROR',
    message: `nothing was changed: ${QUARANTINE_REASONS[source]}`,
    hint: 'the user can change it with holdfast edit or holdfast retire',
  });
}

const writtenResult = (written: Written, source: ConsentRequest['source'] = 'agent-asked'): ToolResult => {
  const { status, record, warnings, redactions } = written;
  const why = source === 'agent-asked' ? 'it was saved so before' : QUARANTINE_REASONS[source];
  const waits = isQuarantined(record.trust) ? [`quarantined: ${why}. It is shown to no agent until the user runs: holdfast confirm ${record.id}`] : [];
  return writeResult(
    [
      `${status} ${record.category}/${record.id}`,
      ...announcementLines(written).map((line) => `Tell the user in a line of its own: ${plain(line)}`),
      ...waits,
      ...warnings,
      ...redactionNotes(redactions),
    ].join('\n'),
    [`${record.category}/${record.id}`],
  );
};
