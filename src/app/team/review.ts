import type { Proposal, ProposalState, TeamTransaction } from '../../core/ports/team/store.ts';
import type { OfferedVersion } from '../../core/ports/team/sync.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { plainCodec } from '../sync/plain-codec.ts';
import { projectFor, type TeamCaller, type TeamMeans } from './access.ts';
import { indexVersions } from './search.ts';
import { takeVersion } from './versions.ts';

/** A proposal for its reviewer. */
export interface ProposalView extends Omit<Proposal, 'version'> {
  readonly kind: Proposal['version']['kind'];
  /** Absent for a removal. */
  readonly path?: string;
  readonly text?: string;
  /** The team's current version; absent if the record is new. */
  readonly before?: string;
}

const missing = (): Result<never> => refuse('NOT_FOUND', 'There is no such proposal.', { missing: true, hint: 'holdfast review lists those that wait' });

async function viewOf(
  transaction: TeamTransaction,
  project: number,
  { version, ...rest }: Proposal,
  { sha256 }: Pick<TeamMeans, 'sha256'>,
): Promise<ProposalView> {
  const codec = plainCodec(sha256);
  const offered = version.body === undefined ? undefined : codec.unpack(version.body);
  const head = await (await transaction.log(project, 'shared', 'reading')).head(version.id);
  const before = head?.body === undefined ? undefined : codec.unpack(head.body);
  const path = offered?.ok ? offered.value.path : before?.ok ? before.value.path : undefined;
  return {
    ...rest,
    kind: version.kind,
    ...(path !== undefined && { path }),
    ...(offered?.ok && { text: offered.value.text }),
    ...(before?.ok && { before: before.value.text }),
  };
}

export async function listProposals(
  transaction: TeamTransaction,
  key: string,
  state: ProposalState | undefined,
  means: Pick<TeamMeans, 'sha256'>,
): Promise<Result<readonly ProposalView[]>> {
  const project = await projectFor(transaction, key);
  if (!project.ok) return project;
  const { project: id } = project.value;
  const views: ProposalView[] = [];
  for (const proposal of await transaction.proposals(id, state)) views.push(await viewOf(transaction, id, proposal, means));
  return ok(views);
}

/** Accepts a proposal, which makes it the team's version, or rejects it. Authors cannot accept their own proposals. */
export async function decideProposal(
  transaction: TeamTransaction,
  caller: TeamCaller,
  {
    project: key,
    number,
    verdict,
    reason,
  }: { readonly project: string; readonly number: number; readonly verdict: 'accepted' | 'rejected'; readonly reason: string },
  means: Pick<TeamMeans, 'now' | 'sha256'>,
): Promise<Result<ProposalView>> {
  const project = await projectFor(transaction, key);
  if (!project.ok) return project;
  const { project: id } = project.value;
  // Lock the log first, so that a second reviewer waits here.
  const log = await transaction.log(id, 'shared', 'writing');
  const proposal = await transaction.proposal(id, number);
  if (!proposal) return missing();
  const reviewer = caller.member.member;
  if (proposal.state !== 'open')
    return refuse('OCC_CONFLICT', `Proposal ${number} was ${proposal.state} by ${proposal.reviewer ?? 'someone'} already.`, {
      hint: 'holdfast review lists those that wait',
    });
  if (verdict === 'accepted') {
    if (proposal.author === reviewer) return refuse('SECURITY_ERROR', 'Another member has to accept what you proposed.');
    const appended: OfferedVersion[] = [];
    const outcome = await takeVersion(log, means.sha256, proposal.version, proposal.author, appended);
    if (outcome.state !== 'accepted')
      return refuse('OCC_CONFLICT', `The record has changed since proposal ${number} was made.`, {
        hint: `ask ${proposal.author} to run holdfast sync, which merges and proposes it again`,
      });
    await indexVersions(transaction.items(id), appended, means);
  }
  const view = await viewOf(transaction, id, { ...proposal, state: verdict, reviewer, reason }, means);
  await transaction.decideProposal(id, number, verdict, reviewer, reason);
  await transaction.audit(reviewer, `proposal.${verdict}`, `${key} ${number}`);
  return ok(view);
}
