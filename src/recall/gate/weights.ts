/** Every number the gate knows, found on the tuning half of bench/gate-prompts.jsonl and checked on the other half. */
export const GATE = {
  /** How much a word can tell at most: by how common it is in any software project, and for a pair of letters of a script without spaces. */
  words: { hollow: 0.08, everyday: 0.4, digits: 0.15, pair: 0.5 },
  /** A term in this share of the memory or more tells nothing there. */
  commonShare: 0.35,
  /** Units that a small memory is taken to have besides its own: a word in one of three records is not common for that. */
  unseen: 100,
  /** What a term has to tell to count as one of those that make a match. */
  telling: 0.12,
  /** Share of a prompt that a match must cover. */
  leastCovered: 0.15,
  /** Share of a prompt that a single word must be to stand for all of it. */
  allItIsAbout: { past: 0.6, otherwise: 0.85 },
  /** Weight of the matched terms from which the share they cover counts in full. */
  solid: 0.9,
  /** Distinct terms of a person's own words from which what they pasted is left aside. */
  enoughWords: 4,
  /** Terms of a text that are weighed together. */
  stretch: 48,
  /** Hits that are looked at. */
  looked: 12,
  /** Points for what speaks for a hit. */
  points: {
    /** For the weight of the matched terms. */
    matched: 1,
    /** For the share of the prompt that they are. */
    covered: 2,
    /** For each pair of words that stands together in both, up to three. */
    together: 0.5,
    /** For an identifier, path or code written alike, up to two, by what it tells. */
    exact: 1,
    /** For the share of the match that lies in title, tags and file names. */
    title: 0.5,
    /** For a prompt that asks what was decided or done before. */
    past: 0.5,
    /** For what is about a file open in the work. */
    open: 0.4,
    /** Taken off for a hit that the ranker puts far below its best. */
    behind: 0.5,
    /** For each useful, off for each wrong or outdated, up to two. */
    feedback: 0.75,
    /** At most so much for what agents used or the user repeated, off for what was contradicted or never used. */
    use: 0.5,
  },
  /** Points from which a record is injected, and from which a message or a document is pointed to. */
  open: { record: 2.6, pointer: 3.6 },
  /** Share of the best hit's points below which another one is left out. */
  besides: 0.6,
  /** Messages and documents that are pointed to at most. */
  pointers: 2,
} as const;
