import type { RenderedField } from './exact.ts';
import type { Field, Shape } from './fields.ts';
import type { Chunk } from './outline.ts';
import { labelLine, sectionLines, titleLine } from './parts.ts';

/** A stretch of a file that is being put together again. */
export interface BodyPart {
  readonly field?: Field;
  readonly home: Chunk['home'];
  readonly text: string;
}

const ended = (text: string, eol: string): string => (text === '' || text.endsWith('\n') ? text : text + eol);

/** A field's chunk with another text, and everything around it as it was. */
export function replaced(chunk: Chunk, text: string, careful: boolean, shape: Shape, eol: string): string {
  const body = text.replaceAll('\n', eol);
  const { before, after } = chunk;
  if (chunk.home === 'title') return careful ? titleLine(text, shape).replaceAll('\n', eol) : before + body + after;
  if (chunk.home === 'label') return before + (body === '' || /[ \t]$/.test(before) ? '' : ' ') + body + after;
  if (body === '') return before + after;
  const unended = chunk.body !== '' && !chunk.body.endsWith('\n');
  return ended(before, eol) + body + (unended ? '' : eol) + after;
}

const startsSection = ({ home, text }: BodyPart): boolean => home === 'section' || (home === 'other' && /^##?[ \t]/.test(text));

/** Adds the fields that have no place in the file yet, each where a new file would have it. */
export function insertMissing(pieces: readonly BodyPart[], written: ReadonlyMap<Field, RenderedField>, shape: Shape, eol: string): BodyPart[] {
  const result = [...pieces];
  for (const [index, field] of shape.fields.entries()) {
    const made = written.get(field);
    if (!made || result.some((piece) => piece.field === field)) continue;
    const earlier = shape.fields
      .slice(0, index)
      .findLast(({ home, key }) => home === field.home && result.some((piece) => piece.home === home && piece.field?.key === key));
    const at = earlier ? result.findIndex((piece) => piece.field === earlier) + 1 : placeOf(field, result);
    result.splice(at, 0, { field, home: field.home, text: spaced(field, made.text, shape, result, at).replaceAll('\n', eol) });
    const previous = result[at - 1];
    if (previous) result[at - 1] = { ...previous, text: ended(previous.text, eol) };
  }
  return result;
}

function placeOf(field: Field, pieces: readonly BodyPart[]): number {
  if (field.home === 'title') return 0;
  const section = pieces.findIndex(startsSection);
  if (field.home === 'section') return section < 0 ? pieces.length : section;
  const label = pieces.findIndex((piece) => piece.home === 'label');
  return label >= 0 ? label : pieces.findIndex((piece) => piece.home === 'title') + 1;
}

/** A new piece with the blank lines that divide it from its neighbours. */
function spaced(field: Field, text: string, shape: Shape, pieces: readonly BodyPart[], at: number): string {
  const before = pieces
    .slice(0, at)
    .map((piece) => piece.text)
    .join('');
  const after = pieces
    .slice(at)
    .map((piece) => piece.text)
    .join('');
  const gapAfter = after === '' || /^\r?\n/.test(after) ? '' : '\n';
  if (field.home === 'title') return titleLine(text, shape) + gapAfter;
  const gapBefore = before === '' || /\n\r?\n$/.test(before) ? '' : '\n';
  if (field.home === 'section') return gapBefore + sectionLines(field, text) + gapAfter;
  const [joinsBefore, joinsAfter] = [pieces[at - 1]?.home === 'label', /^(?:[-*+][ \t]+)?\*\*/.test(after)];
  return (joinsBefore ? '' : gapBefore) + labelLine(field, text) + (joinsAfter ? '' : gapAfter);
}
