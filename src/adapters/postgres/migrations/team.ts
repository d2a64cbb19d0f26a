/** Members, their tokens, the versions that machines exchange, proposals and the audit log. A space is `shared`, or a member's own. */
export const TEAM = `
alter table projects add column review boolean not null default false;

create table members (
  org integer not null references organisations,
  member text collate "C" not null,
  name text not null check (length(name) between 1 and 200),
  role text collate "C" not null check (role in ('reader', 'writer', 'reviewer', 'admin')),
  subject text collate "C",
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (org, member)
);
create unique index members_subject on members (org, subject);
select protect('members');

create table tokens (
  org integer not null,
  token text collate "C" not null,
  member text collate "C" not null,
  hash text collate "C" not null,
  scopes text[] not null,
  label text not null,
  created_at timestamptz not null default now(),
  expires_at double precision not null,
  revoked_at double precision,
  primary key (org, token),
  foreign key (org, member) references members
);
select protect('tokens');

-- The row of a space is the lock of its one writer.
create table spaces (
  org integer not null,
  project integer not null,
  space text collate "C" not null,
  seq bigint not null default 0,
  mark text collate "C" not null default '',
  primary key (org, project, space),
  foreign key (org, project) references projects on delete cascade
);
select protect('spaces');

create table record_versions (
  org integer not null,
  project integer not null,
  space text collate "C" not null,
  seq bigint not null,
  id text collate "C" not null,
  hash text collate "C" not null,
  base text collate "C",
  kind text collate "C" not null check (kind in ('text', 'deleted', 'forgotten')),
  body text,
  ancestors text[] not null,
  author text collate "C" not null,
  mark text collate "C" not null,
  at timestamptz not null default now(),
  primary key (org, project, space, seq),
  foreign key (org, project, space) references spaces on delete cascade
);
create index record_versions_id on record_versions (org, project, space, id, hash);
select protect('record_versions');

create table record_heads (
  org integer not null,
  project integer not null,
  space text collate "C" not null,
  id text collate "C" not null,
  seq bigint not null,
  primary key (org, project, space, id),
  foreign key (org, project, space, seq) references record_versions on delete cascade
);
create unique index record_heads_seq on record_heads (org, project, space, seq);
select protect('record_heads');

create table proposals (
  org integer not null,
  project integer not null,
  number integer not null,
  id text collate "C" not null,
  hash text collate "C" not null,
  version json not null,
  author text collate "C" not null,
  state text collate "C" not null default 'open' check (state in ('open', 'accepted', 'rejected')),
  at timestamptz not null default now(),
  reviewer text collate "C",
  reason text,
  primary key (org, project, number),
  unique (org, project, id, hash),
  foreign key (org, project) references projects on delete cascade
);
select protect('proposals');

create table audit (
  org integer not null references organisations,
  entry bigint generated always as identity,
  at timestamptz not null default now(),
  member text collate "C" not null,
  action text collate "C" not null,
  target text not null,
  primary key (org, entry)
);
select protect('audit');
-- What was written there stays as it is.
revoke update, delete on audit from holdfast_app;
`;

/** Records and documents of a team are units like sessions, so that one search finds all three. Their vocabulary is kept, so that it goes with them. */
export const SEARCH = `
alter table units
  add column kind text collate "C" not null default 'session' check (kind in ('session', 'record', 'document')),
  add column name text collate "C",
  add column facts json,
  add column vocabulary json;
create index units_kind on units (org, project, kind, ended);
create index units_name on units (org, name) where name is not null;
`;

/** Conversations that members send: whose they are, and a digest of what they sent. */
export const CONVERSATIONS = `
alter table units
  add column author text collate "C",
  add column digest text collate "C";
`;

/** What a token was made from: who revokes that revokes it too. */
export const TOKEN_PARENTS = `
alter table tokens add column parent text collate "C";
alter table tokens add foreign key (org, parent) references tokens;
create index tokens_parent on tokens (org, parent);
`;
