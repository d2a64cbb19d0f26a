import { useMemo } from 'preact/hooks';
import { Diff } from '../parts/texts.tsx';
import { type ChangedText, patchOf } from './patch.ts';

/** How a text changed, a line each. */
export function Changes({ before, after, names }: ChangedText) {
  const text = useMemo(() => patchOf({ before, after, names }), [before, after]);
  return <Diff text={text} />;
}

/** The text that a version’s body holds. */
export function textOfBody(body: string): string {
  const value: unknown = JSON.parse(body);
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string' ? value.text : '';
}
