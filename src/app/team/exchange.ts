import { TEXT_CHARACTERS } from '../../core/limits.ts';
import { hasConflictMarkers } from '../../core/record/conflict-markers.ts';
import type { ChangePage, OfferAnswer, OfferedVersion, OfferOutcome, Space } from '../../core/ports/team/sync.ts';
import type { TeamTransaction } from '../../core/ports/team/store.ts';
import type { VersionLog } from '../../core/ports/team/version-log.ts';
import { redact } from '../../core/redact/text.ts';
import { ok, type Result } from '../../core/result.ts';
import { checkSource } from '../../render/record.ts';
import { parseStored } from '../index/item.ts';
import { syncedRole } from '../memory/layout.ts';
import { plainCodec, type Sha256 } from '../sync/plain-codec.ts';
import { mayDo, projectFor, type TeamCaller, type TeamMeans } from './access.ts';
import { indexVersions } from './search.ts';
import { changesSince, takeVersion, tipCursor } from './versions.ts';

/** Members share one space, and each has a private one. */
const spaceOf = (space: Space, { member }: TeamCaller): string => (space === 'shared' ? 'shared' : `private:${member.member}`);

export interface ExchangePlace {
  readonly project: string;
  readonly space: Space;
}

export async function changesFor(
  transaction: TeamTransaction,
  caller: TeamCaller,
  { project: key, space }: ExchangePlace,
  cursor: string | undefined,
  tip: string | undefined,
): Promise<Result<ChangePage>> {
  const project = await projectFor(transaction, key);
  if (!project.ok) return project;
  return ok(await changesSince(await transaction.log(project.value.project, spaceOf(space, caller), 'reading'), cursor, tip));
}

export async function bodyFor(
  transaction: TeamTransaction,
  caller: TeamCaller,
  { project: key, space }: ExchangePlace,
  id: string,
  hash: string,
): Promise<Result<string | undefined>> {
  const project = await projectFor(transaction, key);
  if (!project.ok) return project;
  return ok(await (await transaction.log(project.value.project, spaceOf(space, caller), 'reading')).body(id, hash));
}

/** Stores versions in one transaction. In a project with review, a writer's versions become proposals. */
export async function offerFor(
  transaction: TeamTransaction,
  caller: TeamCaller,
  { project: key, space }: ExchangePlace,
  versions: readonly OfferedVersion[],
  { now, sha256 }: Pick<TeamMeans, 'now' | 'sha256'>,
  proposes = false,
): Promise<Result<OfferAnswer>> {
  const project = await projectFor(transaction, key);
  if (!project.ok) return project;
  const { project: number, review } = project.value;
  const log = await transaction.log(number, spaceOf(space, caller), 'writing');
  const isProposed = space === 'shared' && (proposes || (review && !mayDo(caller, 'review')));
  const [outcomes, appended]: [OfferOutcome[], OfferedVersion[]] = [[], []];
  for (const version of versions) {
    const problem = space === 'shared' ? problemWith(version, sha256) : problemWithSealed(version);
    if (problem !== undefined) outcomes.push({ id: version.id, state: 'refused', message: problem });
    else if (isProposed && (await log.head(version.id))?.hash !== version.hash)
      outcomes.push(await propose(transaction, log, number, version, caller.member.member));
    else outcomes.push(await takeVersion(log, sha256, version, caller.member.member, appended));
  }
  if (space === 'shared') await indexVersions(transaction.items(number), appended, { now, sha256 });
  return ok({ outcomes, tip: await tipCursor(log) });
}

async function propose(transaction: TeamTransaction, log: VersionLog, project: number, version: OfferedVersion, author: string): Promise<OfferOutcome> {
  const { id, hash, base } = version;
  const head = await log.head(id);
  if ((head?.hash ?? null) !== base)
    return (await log.has(id, hash, base)) ? { id, state: 'accepted' } : { id, state: 'conflict', ...(head && { current: head }) };
  const { number, state, reviewer = '', reason = '' } = await transaction.propose(project, version, author);
  if (state === 'rejected') return { id, state: 'refused', message: `${reviewer} rejected it${reason === '' ? '' : `: ${reason}`} (proposal ${number})` };
  // The version was accepted once and replaced since, so it needs a new review.
  if (state === 'accepted') await transaction.decideProposal(project, number, 'open', '', '');
  return { id, state: 'proposed', proposal: String(number) };
}

/** Why a version is refused: the server accepts only versions that a member's machine would accept. */
function problemWith({ id, hash, kind, body }: OfferedVersion, sha256: Sha256): string | undefined {
  if (kind !== 'text') return body === undefined ? undefined : 'a removal has no text';
  const codec = plainCodec(sha256);
  const unpacked = codec.unpack(body ?? '');
  if (!unpacked.ok) return unpacked.error.message;
  const { path, text } = unpacked.value;
  if (codec.idOf(path) !== id) return 'its id does not match its path';
  if (codec.hashOf(path, text) !== hash) return 'its hash does not match its text';
  if (text.length > TEXT_CHARACTERS || hasConflictMarkers(text)) return 'it is not a readable record';
  const role = syncedRole({ root: 'shared', path });
  // Backslashes separate folders on some members' machines.
  if (role.role === 'other' || /[\\\p{Cc}]/u.test(path) || path.split('/').some((part) => part === '' || part === '.' || part === '..'))
    return 'it is not the file of a record or document';
  const parsed = role.role === 'document' ? checkSource(text) : parseStored({ root: 'shared', path, text, hash, mtimeMs: 0, size: text.length }, role.category);
  if (!parsed.ok) return `it is not a readable ${role.role}: ${parsed.error.message}`;
  return redact(text).redactions.length > 0 ? 'it holds a secret' : undefined;
}

const problemWithSealed = ({ kind, body }: OfferedVersion): string | undefined => {
  if (kind !== 'text') return body === undefined ? undefined : 'a removal has no text';
  return body !== undefined && /^[A-Za-z0-9+/]{38,}={0,2}$/.test(body) ? undefined : 'private records travel sealed only';
};
