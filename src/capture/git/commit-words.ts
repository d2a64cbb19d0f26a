import { saying } from '../triage/words.ts';

/** Words that give a reason outright. */
export const BECAUSE = saying(
  'because|so that|so (?:it|they|we|you|users?|that) (?:can|does|do|is|are|will|need)|due to|otherwise|the reason|this way|in order (?:to|for)',
  'since (?:it|they|we|this|the|that|there|users?|most|some)',
  'instead of|rather than|in favou?r of|no longer (?:needed|works|supported|possible)',
);

/** Words that hint at one. */
export const AIM = saying(
  'to (?:avoid|prevent|keep|make sure|ensure|reduce|stop|save|preserve|guard|protect|match|let|allow|simplify|speed)',
  'as (?:it|they|we|this|the) (?:is|are|was|were|does|do|would|can|could|has|have)|which (?:means|would|caused?|breaks?|broke|made|makes|leads?|led)',
  'but (?:it|this|that|the)|would (?:break|fail|lose|need|cause)|too (?:slow|large|big|many|much)|unsafe|deprecated|for (?:consistency|safety|performance|simplicity)',
);

/** Subjects that settle how something is done. */
export const CHOOSES = saying(
  'use|switch(?:es)?|replaces?|moves?|drops?|adopts?|prefers?|defaults?|require[sd]?|forbids?|removes?|keeps?|disables?|enables?|introduces?|splits?|migrates?',
  'makes?|allows?|limits?|pins?|renames?|stops?|never|always|only|must|do not|revert',
);

/** Commits in which nothing is decided: housekeeping, and what machines write. */
export const HOUSEKEEPING = new RegExp(
  [
    String.raw`^(?:merge|fixup!|squash!|amend!|wip\b|initial commit|bump|release|version|v?\d+\.\d+|typos?\b|lint\b|format(?:ting)?\b|update (?:the )?(?:lock|dependenc|change\s?log|readme))`,
    String.raw`^(?:chore|build|ci)\((?:deps|release)[^)]*\)|^(?:chore: )?(?:release|bump)\b|\bdependabot\b|\[bot\]|^auto-?generated`,
  ].join('|'),
  'i',
);
