import { EPISODES } from './episodes.ts';
import { MEMORIES } from './memories.ts';
import { CONVERSATIONS, SEARCH, TEAM, TOKEN_PARENTS } from './team.ts';
import { VECTORS } from './vectors.ts';

/** One migration; never changed after its release. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** An extension that it needs; it runs once the extension is available. */
  readonly needs?: string;
}

/**
 * Every key begins with the organisation. `protect` is called for each table: it lets a transaction see the rows of its own organisation only, its owner included,
 * and gives the server's role the right to work with them. `current_org` is null outside `asOrganisation`, which no row equals.
 */
const SECURITY = `
create function current_org() returns integer language sql stable parallel safe as
  $$ select nullif(current_setting('holdfast.org', true), '')::integer $$;

create function protect(named text) returns void language plpgsql as $$
begin
  execute format('alter table holdfast.%I enable row level security', named);
  execute format('alter table holdfast.%I force row level security', named);
  execute format('create policy own_organisation on holdfast.%I using (org = holdfast.current_org()) with check (org = holdfast.current_org())', named);
  execute format('grant select, insert, update, delete on holdfast.%I to holdfast_app', named);
end $$;
revoke execute on function protect(text) from public;
`;

/** All steps, oldest first. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '001 row-level security', sql: SECURITY },
  { name: '002 memories', sql: MEMORIES },
  { name: '003 episodes', sql: EPISODES },
  { name: '004 team', sql: TEAM },
  { name: '005 search', sql: SEARCH },
  { name: '006 conversations', sql: CONVERSATIONS },
  { name: '007 vectors', sql: VECTORS, needs: 'vector' },
  { name: '008 what tokens were made from', sql: TOKEN_PARENTS },
];
