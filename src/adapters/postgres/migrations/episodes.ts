/**
 * Conversations: their text in an archive, and what a search reads. Units are numbered in their organisation, so that the number of a chunk, which begins with its unit's, is
 * the same in a search of a project and of all. Lists of chunks are rows found by equality: under row-level security only such conditions reach an index.
 */
export const EPISODES = `
create table unit_numbers (org integer primary key references organisations, last integer not null default 0);
select protect('unit_numbers');

create table units (
  org integer not null,
  unit integer not null,
  project integer not null,
  id text collate "C" not null,
  client text collate "C" not null,
  folder text,
  branch text,
  version text,
  title text,
  started bigint,
  ended bigint,
  source text not null,
  archive text not null,
  archived bigint not null default 0,
  dropped boolean not null default false,
  messages integer not null default 0,
  prompts integer not null default 0,
  place integer not null default 0,
  size integer not null default 0,
  files text[] not null default '{}',
  primary key (org, unit),
  unique (org, project, id),
  foreign key (org, project) references projects on delete cascade
);
create index units_ended on units (org, project, ended);
select protect('units');

create table messages (
  org integer not null,
  unit integer not null,
  id text collate "C" not null,
  role text collate "C" not null,
  size integer not null,
  primary key (org, unit, id),
  foreign key (org, unit) references units on delete cascade
);
select protect('messages');

create table archives (
  org integer not null,
  unit integer not null,
  start bigint not null,
  packed bytea not null,
  primary key (org, unit, start),
  foreign key (org, unit) references units on delete cascade
);
-- It is compressed already.
alter table archives alter column packed set storage external;
select protect('archives');

create table chunks (
  org integer not null,
  chunk bigint not null,
  message text not null,
  at bigint,
  speaker text,
  asks boolean not null,
  terms bytea not null,
  content text not null,
  primary key (org, chunk)
);
select protect('chunks');

create table terms (
  org integer not null,
  term text collate "C" not null,
  project integer not null,
  chunks integer not null,
  block integer not null,
  primary key (org, term, project)
);
select protect('terms');

create table postings (
  org integer not null,
  project integer not null,
  term text collate "C" not null,
  block integer not null,
  count integer not null,
  last bigint not null,
  ids bytea not null,
  primary key (org, project, term, block)
);
create index postings_last on postings (org, term, last);
select protect('postings');

-- Project 0 stands for all of the organisation.
create table words (
  org integer not null,
  project integer not null,
  word text collate "C" not null,
  primary key (org, project, word)
);
select protect('words');

create table speakers (
  org integer not null,
  project integer not null,
  name text collate "C" not null,
  primary key (org, project, name)
);
select protect('speakers');

create table index_sizes (
  org integer not null,
  project integer not null,
  chunks bigint not null default 0,
  units bigint not null default 0,
  terms bigint not null default 0,
  primary key (org, project)
);
select protect('index_sizes');
`;
