/** Every number that the gate uses. They are round: `npm run bench -- gate` chooses thresholds with whole projects left out, and none did better on those projects. */
export const GATE = {
  /** The largest weight of a word: by how common it is in developers' talk (`COMMON_TERMS`), and for a pair of letters of a script without spaces. */
  words: { common: [0.05, 0.25, 0.5, 0.75], digits: 0.1, pair: 0.5 },
  /** A prompt without a word of this weight is too vague to search for. */
  telling: 0.5,
  /** Share of its weight that a word has in a path: a file is named for many reasons. */
  inPath: 0.5,
  /** A term in this share of the memory or more has no weight. */
  commonShare: 0.35,
  /** Records added to the count of a small memory, so that a word in one of three records does not count as common. */
  unseen: 100,
  /** Share of a prompt that a match must cover: a long prompt shares some word with any record. */
  leastCovered: 0.05,
  /** From this many distinct typed terms, pasted text is ignored. */
  enoughWords: 4,
  /** Terms of a text that are weighed together. */
  stretch: 48,
  /** Hits that the gate weighs. */
  looked: 12,
  /** Points for each reason. */
  points: {
    /** For the weight of the prompt's words that stand in title and tags, and in the best stretch of the text. */
    title: 0.7,
    text: 0.5,
    /** More for words that the record rules out: the task may break the rule. */
    ruledOut: 0.3,
    /** For the share of the title that the prompt covers, and for the share of the prompt that the record covers. */
    carried: 1,
    covered: 1,
    /** For a prompt that asks what was decided or done before. */
    past: 0.5,
    /** For a record about a file that is open in the work. */
    open: 0.3,
    /** Added for each "useful", subtracted for each "wrong" or "outdated", up to two. */
    feedback: 0.5,
    /** At most this much added for a record that agents used or the user repeated, subtracted for one contradicted or never used. */
    use: 0.3,
    /** For nearness in meaning, from 0 to 1, with an embedder. */
    meaning: 0.8,
  },
  /** Points from which a record is named, from which it is shown, and from which a document is pointed to. */
  name: 0.8,
  show: 1.9,
  point: 2.5,
  /** A named record comes with its deciding sentence from this share of the title or weight of ruled-out words, and from these points without similarity. */
  sentence: { carried: 0.3, ruledOut: 0.5, points: 1.3 },
  /** A hit below this share of the best hit's points is left out. */
  besides: 0.75,
  /** The same for a record that replaces another. */
  successor: 0.5,
  /** The most records that are named, and documents that are pointed to. */
  named: 2,
  pointers: 2,
} as const;
