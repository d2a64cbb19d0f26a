/** Every number the gate knows. They are round: `npm run bench -- gate` chooses thresholds with whole projects left out and finds no others that do better there. */
export const GATE = {
  /** How much a word can tell at most: by how common it is in developers' talk (`common-terms`), and for a pair of letters of a script without spaces. */
  words: { common: [0.05, 0.25, 0.5, 0.75], digits: 0.1, pair: 0.5 },
  /** A prompt without a word that tells so much has too little to go by. */
  telling: 0.5,
  /** Share of its weight that a word has in a path: a file is named for many reasons. */
  inPath: 0.5,
  /** A term in this share of the memory or more tells nothing there. */
  commonShare: 0.35,
  /** Units that a small memory is taken to have besides its own: a word in one of three records is not common for that. */
  unseen: 100,
  /** Share of a prompt that a match must cover: a long one shares some word with anything. */
  leastCovered: 0.05,
  /** Distinct terms of a person's own words from which what they pasted is left aside. */
  enoughWords: 4,
  /** Terms of a text that are weighed together. */
  stretch: 48,
  /** Hits that are looked at. */
  looked: 12,
  /** Points for what speaks for a hit. */
  points: {
    /** For the weight of the prompt's words that stand in title and tags, and in the best stretch of the text. */
    title: 0.7,
    text: 0.5,
    /** More for those of them that it rules out: the task may break it. */
    ruledOut: 0.3,
    /** For the share of its title that the prompt has, and for the share of the prompt that it has. */
    carried: 1,
    covered: 1,
    /** For a prompt that asks what was decided or done before. */
    past: 0.5,
    /** For what is about a file open in the work. */
    open: 0.3,
    /** For each useful, off for each wrong or outdated, up to two. */
    feedback: 0.5,
    /** At most so much for what agents used or the user repeated, off for what was contradicted or never used. */
    use: 0.3,
    /** For nearness in meaning, from 0 to 1, where an embedder says it. */
    meaning: 0.8,
  },
  /** Points from which a record is named, from which it is shown, and from which a document is pointed to. */
  name: 0.8,
  show: 1.9,
  point: 2.5,
  /** Share of a title that the prompt's words carry or weight of those that the record rules out, and points of words, from which a named record comes with its deciding sentence. */
  sentence: { carried: 0.3, ruledOut: 0.5, points: 1.3 },
  /** Share of the best hit's points below which another one is left out. */
  besides: 0.75,
  /** The same for a record that says it replaces another. */
  successor: 0.5,
  /** Records that are named at most, and documents that are pointed to. */
  named: 2,
  pointers: 2,
} as const;
