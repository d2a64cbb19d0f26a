/**
 * Vectors of chunks, where pgvector is there. Signs of the numbers lie in an index by project, so that a first look reads some 50 bytes a chunk; an index
 * over the vectors themselves would be one of all organisations, and find those of others first.
 */
export const VECTORS = `
create table vectors (
  org integer not null,
  chunk bigint not null,
  project integer not null,
  is_talk boolean not null,
  model text collate "C" not null,
  signs bit varying not null,
  vector vector not null,
  primary key (org, chunk),
  foreign key (org, chunk) references chunks on delete cascade
);
create index vectors_signs on vectors (org, project, is_talk, model) include (chunk, signs);
select protect('vectors');
`;
