import { DRAFT_CHARACTERS } from '../limits.ts';
import { ok, refuse, type Result } from '../result.ts';
import type { Draft } from './draft.ts';

/** Refuses a record that is too large to be of use, before anything is done with its text. */
export function checkSize(draft: Draft): Result<true> {
  const { length } = JSON.stringify(draft);
  if (length <= DRAFT_CHARACTERS) return ok(true);
  return refuse('VALIDATION_ERROR', `the record has ${length} characters; a record has at most ${DRAFT_CHARACTERS}`, {
    hint: 'save what matters of it, or keep the text in a file and name that in related_files; nothing was saved',
  });
}
