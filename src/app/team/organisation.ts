import type { TeamStore } from '../../core/ports/team/store.ts';
import { refuse, type Result } from '../../core/result.ts';
import { issueToken, putMember, type TeamMeans } from './access.ts';

export interface NewOrganisation {
  readonly name: string;
  readonly admin: string;
  /** A trial organisation may exist already, and gets a project. */
  readonly isTrial: boolean;
}

export interface AddedOrganisation {
  readonly organisation: string;
  readonly member: string;
  readonly token: string;
  readonly project?: string;
}

const TRIAL_PROJECT = 'demo';

/** Makes an organisation with its first admin and a token for them. */
export async function addOrganisation(store: TeamStore, means: TeamMeans, { name, admin, isTrial }: NewOrganisation): Promise<Result<AddedOrganisation>> {
  const known = await store.organisationNamed(name);
  if (known !== undefined && !isTrial)
    return refuse('OCC_CONFLICT', `The organisation ${name} already exists.`, { hint: 'its admin adds members with holdfast team member' });
  const org = known ?? (await store.addOrganisation(name));
  return store.inOrganisation(org, async (transaction) => {
    const member = await putMember(transaction, admin, { member: admin, name: admin, role: 'admin' });
    if (!member.ok) return member;
    if (isTrial) await transaction.addProject(TRIAL_PROJECT);
    const token = await issueToken(transaction, org, means, { member: admin, scopes: ['read', 'write', 'review', 'admin'], label: 'first', days: 90 });
    if (!token.ok) return token;
    return { ok: true, value: { organisation: name, member: admin, token: token.value.text, ...(isTrial && { project: TRIAL_PROJECT }) } };
  });
}
