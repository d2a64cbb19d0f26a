import { epochOf } from '../../core/instant.ts';
import type { IndexItem } from '../../core/ports/index.ts';
import type { IndexedItem, ItemIndex, ItemPage, TeamItem } from '../../core/ports/team/search.ts';
import type { TeamTransaction } from '../../core/ports/team/store.ts';
import type { OfferedVersion } from '../../core/ports/team/sync.ts';
import type { Category } from '../../core/record/category.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { isQuarantined } from '../../core/trust/trust.ts';
import { unpackTexts } from '../../recall/chunks/packed-texts.ts';
import type { RecallIndex } from '../../recall/port.ts';
import { rankChunks } from '../../recall/rank/rank-chunks.ts';
import { analyze } from '../../recall/text/analyze.ts';
import { itemOfFile } from '../index/item.ts';
import { type Hit, hitOf } from '../search/hit.ts';
import type { HitKind } from '../search/search.ts';
import { plainCodec } from '../sync/plain-codec.ts';
import { projectFor, type TeamMeans } from './access.ts';
import { nearInTeam, type VectorTransaction } from './meaning.ts';

/** A transaction that can search everything in the organisation. */
export interface TeamSearchTransaction extends VectorTransaction {
  recallIndex(project: number | undefined): RecallIndex;
}

/** Updates the index with versions that were just stored. */
export async function indexVersions(index: ItemIndex, versions: readonly OfferedVersion[], { now, sha256 }: Pick<TeamMeans, 'now' | 'sha256'>): Promise<void> {
  if (versions.length === 0) return;
  const last = new Map(versions.map((version) => [version.id, version]));
  const known = await index.units([...last.keys()]);
  const codec = plainCodec(sha256);
  const items: { readonly id: string; readonly item: IndexItem }[] = [];
  for (const { id, body } of last.values()) {
    const unpacked = body === undefined ? undefined : codec.unpack(body);
    const item = unpacked?.ok ? itemOfFile({ root: 'shared', ...unpacked.value, hash: '', mtimeMs: now(), size: 0 }) : undefined;
    if (item?.ok && item.value) items.push({ id, item: item.value });
  }
  if (known.size > 0) await index.remove([...known.keys()]);
  const fresh = items.filter(({ id }) => !known.has(id)).length;
  let next = fresh === 0 ? 0 : await index.drawUnits(fresh);
  await index.put(items.map(({ id, item }) => indexed(id, known.get(id) ?? next++, item)));
}

function indexed(id: string, unit: number, item: IndexItem): IndexedItem {
  const { kind, path, title, files, category, status, trust, supersededBy, createdAt, updatedAt, packedTexts } = item;
  const { chunks, size } = unpackTexts(unit, packedTexts, item);
  const [startedAt, endedAt] = [epochOf(createdAt), epochOf(updatedAt)];
  return {
    ...{ id, unit, type: kind, name: item.id, path, title, files, status, trust, chunks, size },
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
    ...(category !== undefined && { category }),
    ...(supersededBy !== undefined && { supersededBy }),
    words: item.words.map((word) => [word, ...new Set(analyze(word))] as const),
  };
}

export interface TeamSearchRequest {
  readonly query: string;
  /** All projects of the organisation if absent. */
  readonly project?: string;
  readonly kind?: HitKind;
  readonly category?: Category;
  /** Instants: `since` is included, `until` is not. */
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
  readonly includeRetired?: boolean;
  /** Leaves out quarantined items; for agents. */
  readonly withholds?: boolean;
}

/** Records, documents and messages of a project or of all projects in one ranked list. */
export async function searchTeam(
  transaction: TeamSearchTransaction,
  request: TeamSearchRequest,
  { now, meaning }: Pick<TeamMeans, 'now' | 'meaning'>,
): Promise<Result<readonly Hit[]>> {
  const { query, project: key, kind = 'all', category, since, until, limit, includeRetired = false, withholds = false } = request;
  const found = key === undefined ? ok(undefined) : await projectFor(transaction, key);
  if (!found.ok) return found;
  const project = found.value?.project;
  const [from, to] = [epochOf(since), epochOf(until)];
  const filter = {
    includeRetired,
    ...(kind !== 'all' && { type: kind === 'message' ? ('session' as const) : kind }),
    ...(category !== undefined && { category }),
    ...(from !== undefined && { since: from }),
    ...(to !== undefined && { until: to }),
  };
  const index = transaction.recallIndex(project);
  const near = await nearInTeam({ index, vectors: transaction.vectors, meaning, query, project, filter });
  const { hits } = await rankChunks([{ index }], { text: query, limit: withholds ? limit * 2 : limit, now: now(), filter, near });
  const visible = hits.filter(({ candidate }) => !withholds || !isQuarantined(candidate.row.trust)).slice(0, limit);
  const terms = analyze(query);
  return ok(visible.map((hit) => hitOf(hit, { terms, explains: false, file: hit.candidate.row.file ?? '' })));
}

/** A record or document with its text and its last author. */
export interface TeamItemText extends TeamItem {
  readonly text: string;
  readonly hash: string;
}

/** The records and documents of a project, newest first. */
export async function teamItems(transaction: TeamTransaction, key: string, page: ItemPage): Promise<Result<readonly TeamItem[]>> {
  const project = await projectFor(transaction, key);
  if (!project.ok) return project;
  return ok(await transaction.items(project.value.project).list(page));
}

/** A record by its id with or without its category, or a document by its name. */
export async function itemNamed(transaction: TeamTransaction, key: string, name: string, { sha256 }: Pick<TeamMeans, 'sha256'>): Promise<Result<TeamItemText>> {
  const project = await projectFor(transaction, key);
  if (!project.ok) return project;
  const items = transaction.items(project.value.project);
  const slash = name.indexOf('/');
  const matches = [
    ...(await items.named(name)),
    ...(slash < 0 ? [] : await items.named(name.slice(slash + 1))).filter(({ category }) => category === name.slice(0, slash)),
  ];
  const [item] = matches;
  const head = item && (await (await transaction.log(project.value.project, 'shared', 'reading')).head(item.id));
  const unpacked = head?.body === undefined ? undefined : plainCodec(sha256).unpack(head.body);
  if (!item || !head || !unpacked?.ok)
    return refuse('NOT_FOUND', `The team has no record ${name} in this project.`, { missing: true, hint: 'find its id with holdfast team search' });
  return ok({ ...item, text: unpacked.value.text, hash: head.hash });
}
