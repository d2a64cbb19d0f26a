import type { OfferedVersion } from '../../../core/ports/team/sync.ts';
import type { Proposal, ProposalState, TeamProject, TeamStore, TeamTransaction } from '../../../core/ports/team/store.ts';
import type { ChunkVectors } from '../../../core/ports/team/search.ts';
import type { Postgres } from '../connect.ts';
import { createOrganisation, organisationNamed } from '../organisations.ts';
import type { Sql } from '../sql.ts';
import { PostgresRecallIndex } from '../search-index/recall-index.ts';
import { accountsIn } from './accounts.ts';
import { chunkVectorsIn } from './chunk-vectors.ts';
import { conversationsIn } from './conversations.ts';
import { itemIndexIn } from './item-index.ts';
import { openVersionLog } from './version-log.ts';

interface ProposalRow {
  readonly number: number;
  readonly version: OfferedVersion;
  readonly author: string;
  readonly state: ProposalState;
  readonly at: Date;
  readonly reviewer: string | null;
  readonly reason: string | null;
}

const proposalOf = ({ at, reviewer, reason, ...row }: ProposalRow): Proposal => ({
  ...row,
  at: at.toISOString(),
  ...(reviewer !== null && { reviewer }),
  ...(reason !== null && { reason }),
});

type Projects = Pick<TeamTransaction, 'projects' | 'project' | 'addProject' | 'setReview'>;
type Proposals = Pick<TeamTransaction, 'proposals' | 'proposal' | 'propose' | 'decideProposal'>;

const projectsIn = (sql: Sql, org: number): Projects => {
  const project = async (key: string): Promise<TeamProject | undefined> =>
    (await sql<TeamProject>`select project, key, review from projects where org = ${org} and key = ${key}`)[0];
  return {
    project,
    projects: async () => [...(await sql<TeamProject>`select project, key, review from projects where org = ${org} order by key`)],
    addProject: async (key) => {
      // The organisation's row is the lock for numbering its projects.
      await sql`select from organisations where org = ${org} for no key update`;
      await sql`insert into projects (org, project, key) select ${org}, coalesce(max(project), 0) + 1, ${key} from projects where org = ${org}
        on conflict (org, key) do nothing`;
      const added = await project(key);
      if (!added) throw new Error(`the project ${key} was not created`);
      return added;
    },
    setReview: async (number, review) => void (await sql`update projects set review = ${review} where org = ${org} and project = ${number}`),
  };
};

const proposalsIn = (sql: Sql, org: number): Proposals => ({
  proposals: async (project, state) => {
    const rows = await sql<ProposalRow>`select number, version, author, state, at, reviewer, reason from proposals
      where org = ${org} and project = ${project} and state = coalesce(${state ?? null}, state) order by number`;
    return rows.map(proposalOf);
  },
  proposal: async (project, number) => {
    const [row] = await sql<ProposalRow>`select number, version, author, state, at, reviewer, reason from proposals
      where org = ${org} and project = ${project} and number = ${number}`;
    return row && proposalOf(row);
  },
  propose: async (project, version, author) => {
    await sql`select from projects where org = ${org} and project = ${project} for no key update`;
    await sql`insert into proposals (org, project, number, id, hash, version, author)
      select ${org}, ${project}, coalesce(max(number), 0) + 1, ${version.id}, ${version.hash}, ${JSON.stringify(version)}, ${author}
      from proposals where org = ${org} and project = ${project} on conflict (org, project, id, hash) do nothing`;
    const [row] = await sql<ProposalRow>`select number, version, author, state, at, reviewer, reason from proposals
      where org = ${org} and project = ${project} and id = ${version.id} and hash = ${version.hash}`;
    if (!row) throw new Error('the proposal was not created');
    return proposalOf(row);
  },
  decideProposal: async (project, number, state, reviewer, reason) =>
    void (await sql`update proposals set state = ${state}, reviewer = ${reviewer}, reason = ${reason}
      where org = ${org} and project = ${project} and number = ${number}`),
});

interface SearchableTransaction extends TeamTransaction {
  /** The port of recall on one project, or on all of the organisation. */
  recallIndex(project: number | undefined): PostgresRecallIndex;
  readonly vectors?: ChunkVectors;
}

/** A team's accounts and versions in PostgreSQL. */
export const teamStoreOn = (postgres: Postgres): TeamStore<SearchableTransaction> => ({
  organisationNamed: (name) => organisationNamed(postgres, name),
  addOrganisation: (name) => createOrganisation(postgres, name),
  inOrganisation: (org, work) =>
    postgres.asOrganisation(org, (sql) =>
      work({
        ...accountsIn(sql, org),
        ...projectsIn(sql, org),
        ...proposalsIn(sql, org),
        items: (project) => itemIndexIn(sql, { org, project }),
        conversations: (project) => conversationsIn(sql, { org, project }),
        recallIndex: (project) => new PostgresRecallIndex(sql, { org, ...(project !== undefined && { project }) }),
        ...(postgres.hasVectors && { vectors: chunkVectorsIn(sql, org) }),
        log: (project, space, use) => openVersionLog(sql, { org, project, space }, use),
      }),
    ),
  check: async () => void (await postgres.withoutOrganisation((sql) => sql`select 1`)),
  close: () => postgres.close(),
});
