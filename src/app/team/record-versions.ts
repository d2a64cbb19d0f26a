import type { TeamTransaction } from '../../core/ports/team/store.ts';
import type { VersionFacts } from '../../core/ports/team/version-log.ts';
import { utcSeconds } from '../../core/instant.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { plainCodec } from '../sync/plain-codec.ts';
import { projectFor, type TeamCaller, type TeamMeans } from './access.ts';
import { offerFor } from './exchange.ts';
import { itemNamed } from './search.ts';

/** Most versions of a record that are listed. */
const MOST_VERSIONS = 200;

export interface RecordVersions {
  /** The record's id in the version log, to request a text by its hash. */
  readonly id: string;
  readonly versions: readonly VersionFacts[];
}

/** The versions of a record or document, newest first. */
export async function versionsNamed(
  transaction: TeamTransaction,
  key: string,
  name: string,
  means: Pick<TeamMeans, 'sha256'>,
): Promise<Result<RecordVersions>> {
  const [project, item] = [await projectFor(transaction, key), await itemNamed(transaction, key, name, means)];
  if (!project.ok) return project;
  if (!item.ok) return item;
  const log = await transaction.log(project.value.project, 'shared', 'reading');
  return ok({ id: item.value.id, versions: await log.history(item.value.id, MOST_VERSIONS) });
}

export interface TeamEditRequest {
  readonly project: string;
  readonly name: string;
  readonly text: string;
  /** The hash of the version that was edited. */
  readonly hash: string;
  /** Makes a proposal even if no review is required. */
  readonly propose: boolean;
}

export interface TeamEdited {
  readonly state: 'accepted' | 'proposed';
  readonly proposal?: string;
}

/** Sets `updated_at` in the front matter, as a local edit does. */
const datedText = (text: string, now: number): string =>
  text.replace(/^---\n[^]*?\n---\n/, (head) => head.replace(/^updated_at: .*$/m, `updated_at: ${utcSeconds(now)}`));

/** Changes the text of a record or document, or proposes the change if it needs a review. */
export async function editForTeam(transaction: TeamTransaction, caller: TeamCaller, request: TeamEditRequest, means: TeamMeans): Promise<Result<TeamEdited>> {
  const { project, name, hash, propose } = request;
  const item = await itemNamed(transaction, project, name, means);
  if (!item.ok) return item;
  const changed = (): Result<never> => refuse('OCC_CONFLICT', 'The record has changed in the meantime.', { hint: 'load it again and repeat the change' });
  if (item.value.hash !== hash) return changed();
  if (item.value.text === request.text) return refuse('INPUT_ERROR', 'Nothing was changed.');
  const [codec, path, text] = [plainCodec(means.sha256), item.value.path, datedText(request.text, means.now())];
  const version = {
    ...{ id: item.value.id, hash: codec.hashOf(path, text), base: hash, ancestors: [hash], body: codec.pack(path, text) },
    kind: 'text' as const,
  };
  const offered = await offerFor(transaction, caller, { project, space: 'shared' }, [version], means, propose);
  if (!offered.ok) return offered;
  const [outcome] = offered.value.outcomes;
  if (outcome?.state === 'conflict') return changed();
  if (!outcome || outcome.state === 'refused') return refuse('VALIDATION_ERROR', `The server did not take it: ${outcome?.message ?? 'it said nothing'}.`);
  await transaction.audit(caller.member.member, `record.${outcome.state}`, `${project} ${name}`);
  return ok(outcome.state === 'proposed' ? { state: 'proposed', proposal: outcome.proposal } : { state: 'accepted' });
}
