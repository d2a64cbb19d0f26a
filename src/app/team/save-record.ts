import { newRecord } from '../../core/lifecycle/create.ts';
import type { TeamTransaction } from '../../core/ports/team/store.ts';
import type { OfferOutcome, VersionCodec } from '../../core/ports/team/sync.ts';
import { fileStem, idOfStem, Stems } from '../../core/project/filename.ts';
import { slugOr, uniqueSlug } from '../../core/project/slug.ts';
import type { Category } from '../../core/record/category.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { draftFromText } from '../../core/record/from-text.ts';
import { redact } from '../../core/redact/text.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { renderRecordFile } from '../../render/record-file.ts';
import { folderIn, stemOf } from '../memory/layout.ts';
import { plainCodec } from '../sync/plain-codec.ts';
import { mayDo, projectFor, type TeamCaller, type TeamMeans } from './access.ts';
import { offerFor } from './exchange.ts';

export interface TeamSaveRequest {
  readonly project: string;
  readonly category: Category;
  readonly text: string;
  readonly title?: string;
  readonly tags: readonly string[];
  readonly files: readonly string[];
}

export interface TeamSaved {
  readonly id: string;
  readonly outcome: OfferOutcome;
}

/** Most names that are compared to find a free one. */
const MOST_NAMES = 10_000;

/** Makes a team record from a text: a reviewer's is written, another member's is proposed. */
export async function saveForTeam(transaction: TeamTransaction, caller: TeamCaller, request: TeamSaveRequest, means: TeamMeans): Promise<Result<TeamSaved>> {
  if (!mayDo(caller, 'write'))
    return refuse('SECURITY_ERROR', 'This token may not write.', { hint: 'ask an admin for the role writer and a token with the scope write' });
  const project = await projectFor(transaction, request.project);
  if (!project.ok) return project;
  const { category, files } = request;
  const clean = redact(request.text).text;
  const drafted = draftFromText(category, clean, request.title === undefined ? undefined : redact(request.title).text, files[0]);
  const draft = { ...drafted, tags: [...request.tags], related_files: [...files], confidence: 0.8, origin: { channel: 'agent' } };
  const log = await transaction.log(project.value.project, 'shared', 'writing');
  const codec = plainCodec(means.sha256);
  const folder = folderIn('shared', category);
  const known = await transaction.items(project.value.project).list({ limit: MOST_NAMES, type: 'record' });
  const proposed = (await transaction.proposals(project.value.project, 'open')).flatMap(({ version: { body } }) => pathIn(codec, body));
  const used = [...known.map(({ path }) => path), ...proposed].filter((path) => path.startsWith(`${folder}/`)).map(stemOf);
  const ids = known.filter((item) => item.category === category).map(({ name }) => name);
  const [usedIds, stems] = [new Set([...ids, ...used.map((stem) => idOfStem(category, stem))]), new Stems(used)];
  const title = typeof drafted['title'] === 'string' ? drafted['title'] : '';
  for (;;) {
    const id = uniqueSlug(
      slugOr(title, (text) => means.sha256(text)),
      usedIds,
    );
    const record = newRecord(draft, category, id, means.now());
    if (!record.ok) return record;
    const stem = fileStem(
      category,
      { id, createdAt: record.value.created_at, ...(record.value.category === 'analysis' && { path: record.value.content.path }) },
      stems,
    );
    if (!stem.ok) return stem;
    const path = `${folder}/${stem.value}.md`;
    // Never reuse the path of a deleted record: members' machines still know its old versions.
    if (!(await log.head(codec.idOf(path)))) return offerNew(transaction, caller, { ...request, id, path, record: record.value }, means);
    usedIds.add(id);
    stems.add(stem.value);
  }
}

const pathIn = (codec: VersionCodec, body: string | undefined): readonly string[] => {
  const unpacked = body === undefined ? undefined : codec.unpack(body);
  return unpacked?.ok ? [unpacked.value.path] : [];
};

interface NewTeamRecord extends TeamSaveRequest {
  readonly id: string;
  readonly path: string;
  readonly record: MemoryRecord;
}

async function offerNew(
  transaction: TeamTransaction,
  caller: TeamCaller,
  { project, category, id, path, record }: NewTeamRecord,
  means: TeamMeans,
): Promise<Result<TeamSaved>> {
  const [codec, text] = [plainCodec(means.sha256), renderRecordFile(path, { ...record, scope: 'shared' })];
  const version = { id: codec.idOf(path), hash: codec.hashOf(path, text), kind: 'text', base: null, ancestors: [], body: codec.pack(path, text) } as const;
  const offered = await offerFor(transaction, caller, { project, space: 'shared' }, [version], means, !mayDo(caller, 'review'));
  if (!offered.ok) return offered;
  const [outcome] = offered.value.outcomes;
  if (outcome?.state === 'conflict') return refuse('OCC_CONFLICT', `The team has another record at ${path}.`, { hint: 'give it another title' });
  if (!outcome || outcome.state === 'refused') return refuse('VALIDATION_ERROR', `The server did not take it: ${outcome?.message ?? 'it said nothing'}.`);
  await transaction.audit(caller.member.member, `record.${outcome.state}`, `${project} ${category}/${id}`);
  return ok({ id: `${category}/${id}`, outcome });
}
