import type { SessionFacts } from '../../core/episode/episode.ts';

const earlier = (a: string | undefined, b: string | undefined): string | undefined => (a === undefined || (b !== undefined && b < a) ? b : a);
const later = (a: string | undefined, b: string | undefined): string | undefined => (a === undefined || (b !== undefined && b > a) ? b : a);

/** Two tellings of one session: project and client stay as first told, the rest follows what was told last. */
export function joinFacts(first: SessionFacts, second: SessionFacts): SessionFacts {
  const startedAt = earlier(first.startedAt, second.startedAt);
  const endedAt = later(first.endedAt, second.endedAt);
  const project = first.project ?? second.project;
  return {
    ...first,
    ...second,
    client: first.client,
    ...(project !== undefined && { project }),
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
  };
}
