import type { Trust } from '../record/schema.ts';

/** Sources that never make a record confirmed. */
export type UnconfirmedTrust = Exclude<Trust, 'confirmed'>;

/**
 * The one table of trust: who wrote the words of a record, and the most that the record can be for it. docs/security.md shows the same rows, and a test
 * compares the two.
 */
export const HIGHEST_TRUST = {
  /** At a terminal that no agent runs, or a program that uses the library. */
  person: 'confirmed',
  /** A file changed in an editor: it says itself what it is. */
  'manual-edit': 'confirmed',
  /** A bundle that a person imports: its records say themselves what they are. */
  bundle: 'confirmed',
  /** An agent that quotes the user's request. */
  'agent-asked': 'observed',
  /** A command in an agent's shell, `/memory:` commands included. */
  'agent-shell': 'observed',
  /** Rules or a model that read a session: the user's own words and the agent's reasoning about the project. */
  capture: 'observed',
  commits: 'observed',
  migration: 'observed',
  /** Records that came with a clone: anyone who can commit can write `confirmed` into them. */
  'shared-repository': 'observed',
  /** Records that came from a team's server: anyone who may write there can write `confirmed` into them. */
  'team-server': 'observed',
  /** Sealed with the user's own key on another machine of theirs: its records say themselves what they are. */
  'own-machine': 'confirmed',
  /** An agent whose user's prompts Holdfast does not get. */
  'agent-alone': 'quarantined',
  /** A tool's output, unless it only touched the project's own files. */
  'tool-output': 'quarantined',
  web: 'quarantined',
  /** A record's file that an agent's shell wrote past the writer. */
  'agent-file-write': 'quarantined',
} as const satisfies Readonly<Record<string, Trust>>;

export type TrustSource = keyof typeof HIGHEST_TRUST;

const ORDER: readonly Trust[] = ['quarantined', 'observed', 'confirmed'];

/** The source behind a name in the journal. A name that is not listed is an agent's. */
const SOURCE_OF_ACTOR: Readonly<Record<string, TrustSource>> = {
  command: 'person',
  page: 'person',
  write: 'person',
  library: 'person',
  conformance: 'person',
  feedback: 'person',
  hand: 'manual-edit',
  import: 'bundle',
  shell: 'agent-shell',
  capture: 'capture',
  hook: 'capture',
  git: 'commits',
  migration: 'migration',
  sync: 'team-server',
  'sync-own': 'own-machine',
};

export const sourceOfActor = (actor: string): TrustSource => (Object.hasOwn(SOURCE_OF_ACTOR, actor) ? (SOURCE_OF_ACTOR[actor] as TrustSource) : 'agent-asked');

/** Names in the journal of writers without a user's word; `agent-draft` is an agent that drafts at Holdfast's request. */
const AUTOMATIC: ReadonlySet<string> = new Set(['capture', 'hook', 'git', 'agent-draft']);

export const isAutomatic = (actor: string): boolean => AUTOMATIC.has(actor);

/** The trust of what a source wrote: the most it can have, or less where the record itself claims less. */
export function trustFrom<S extends TrustSource>(source: S, claimed?: Trust): (typeof HIGHEST_TRUST)[S] | UnconfirmedTrust;
export function trustFrom(source: TrustSource, claimed: Trust = 'confirmed'): Trust {
  const highest = HIGHEST_TRUST[source];
  return ORDER.indexOf(claimed) < ORDER.indexOf(highest) ? claimed : highest;
}

/** Of two versions that become one record, the trust of the less trusted. */
export const lowerTrust = (one: Trust | undefined, other: Trust | undefined): Trust => {
  const [a, b] = [one ?? trustFrom('capture'), other ?? trustFrom('capture')];
  return ORDER.indexOf(a) < ORDER.indexOf(b) ? a : b;
};

const isTrust = (value: unknown): value is Trust => ORDER.includes(value as Trust);

/**
 * The trust that the writer stores in a new or updated record: never more than its author may give. One that claims nothing counts as observed, and stays so where
 * its author may be observed.
 */
export function writtenTrust(actor: string, claimed: unknown): Trust | undefined {
  const source = sourceOfActor(actor);
  if (isTrust(claimed)) return trustFrom(source, claimed);
  return HIGHEST_TRUST[source] === 'quarantined' ? 'quarantined' : undefined;
}

/** Only a person says that a record is true. */
export const mayConfirm = (actor: string): boolean => sourceOfActor(actor) === 'person';

/** The trust of a file as the index shows it, by the root that holds it. */
export const storedTrust = (isShared: boolean, claimed: Trust | undefined): Trust =>
  trustFrom(isShared ? 'shared-repository' : 'manual-edit', claimed ?? trustFrom('capture'));

/** Reads a trust back from a file that Holdfast left for itself; what is unclear is not trusted. */
export const stagedTrust = (value: unknown): UnconfirmedTrust => (value === trustFrom('capture') ? trustFrom('capture') : trustFrom('tool-output'));

/** The label of a record that waits for the user, wherever an agent can see it. */
export const QUARANTINED = 'quarantined: from tool output, unconfirmed';

export const isQuarantined = (trust: Trust | undefined): boolean => trust === 'quarantined';
