import { createTwoFilesPatch } from 'diff';
import { useMemo } from 'preact/hooks';
import { Diff } from '../parts/texts.tsx';

interface ChangesProps {
  readonly before: string;
  readonly after: string;
  readonly names: readonly [before: string, after: string];
}

/** How a text changed, a line each. */
export function Changes({ before, after, names }: ChangesProps) {
  const text = useMemo(() => (before === after ? '' : createTwoFilesPatch(names[0], names[1], before, after).replace(/^=+\n/, '')), [before, after]);
  return <Diff text={text} />;
}

/** The text that a version’s body holds. */
export function textOfBody(body: string): string {
  const value: unknown = JSON.parse(body);
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string' ? value.text : '';
}
