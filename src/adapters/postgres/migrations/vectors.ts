/**
 * Vectors of chunks, if pgvector is installed. The signs of the numbers are in an index by project, so that a first pass reads some 50 bytes a chunk. An
 * index over the vectors would span all organisations, and find those of others first.
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
