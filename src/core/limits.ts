/** Limits on reading. A larger item is left out, and `doctor` names it. */

const MB = 1024 * 1024;

/** Characters of a new or changed record, as JSON. A save beyond it is refused. */
export const DRAFT_CHARACTERS = 500_000;

/** Characters of a record or a document that is read; more than may be saved, because files are also written by hand. */
export const TEXT_CHARACTERS = 1_000_000;

/** Bytes of a file, by kind. */
export const FILE_BYTES = {
  /** A file of the memory: `TEXT_CHARACTERS` in any alphabet. */
  memory: 4 * MB,
  /** Settings of Holdfast and of clients. */
  settings: 1 * MB,
  /** package.json and its like. */
  manifest: 1 * MB,
  /** README.md, CLAUDE.md and what lies in docs/. */
  document: 1 * MB,
  /** One file of another tool's memory. */
  foreign: 16 * MB,
  /** All files of another tool's memory together. */
  foreignAll: 256 * MB,
} as const;

/** How long a network or FUSE mount may take to answer. */
export const ANSWER_MS = 1_000;

/** How long reading one file, or walking one tree, may take. */
export const READ_MS = 5_000;

/** The most files that are read in one folder, or one tree, that Holdfast does not own. */
export const FILES_LOOKED_AT = 20_000;
