/** Every number the gate knows, found on the tuning half of bench/gate-prompts.jsonl and checked on the other half. */
export const GATE = {
  /** How much a word can tell at most, by how common it is in any software project. */
  words: { hollow: 0.08, everyday: 0.4, digits: 0.15 },
  /** A term in this share of the memory or more tells nothing there. */
  commonShare: 0.35,
  /** A whole identifier, path or code found as it is written counts so much more. */
  identifier: 1.5,
  /** Distinct terms of a person's own words from which what they pasted is left aside. */
  enoughWords: 4,
  /** Terms of a text that are weighed together. */
  stretch: 48,
  /** Hits that are looked at. */
  looked: 12,
  points: { mass: 1, coverage: 2, pairs: 0.5, identifiers: 0.5, title: 0.5, feedback: 0.4 },
  open: 3,
} as const;
