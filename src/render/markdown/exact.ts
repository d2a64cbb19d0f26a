import { sameValue } from '../../core/equal.ts';
import type { Field } from './fields.ts';
import { trimBlank } from './text.ts';

/**
 * Front matter may carry a key `exact`: the values whose Markdown loses something (line ends, control characters, blanks at an edge).
 * Such a value counts only while the body still says what it renders to, so a hand-edited body always wins and nothing can hide in it.
 */
export const EXACT = 'exact';

export interface RenderedField {
  readonly value: unknown;
  readonly text: string;
  /** Whether reading the text gives something else than the value. */
  readonly lossy: boolean;
}

export function writtenOf(field: Field, value: unknown, careful: boolean): RenderedField {
  const text = field.form.render(value, careful);
  return { value, text, lossy: !sameValue(field.form.parse(text), value) };
}

/** The value of a field's text: the exact one if the text is still its rendering, else what the text says; undefined when it says none. */
export function readingOf(field: Field, text: string, exact: Readonly<Record<string, unknown>>): unknown {
  const kept = Object.hasOwn(exact, field.key) ? exact[field.key] : undefined;
  const isKept =
    kept !== undefined && field.form.accepts(kept) && [false, true].some((careful) => trimBlank(field.form.render(kept, careful)) === trimBlank(text));
  return isKept ? kept : field.form.parse(text);
}
