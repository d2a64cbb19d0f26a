import type { Scene, Step } from '../model/script.ts';
import { SAVE } from './plugin.ts';

/** How the request for drafts and verdicts begins. */
export const REQUEST = 'Memory: this session settled something';
/** How the request for one call begins. */
export const INLINE_REQUEST = 'Memory: look again at';

interface Asked {
  readonly category: string;
  readonly context: string;
  readonly draft: string;
}

/** What the request of the Stop hook names: what to read and write for each category, and the session to save. */
export const requested = (words: string): { readonly rows: readonly Asked[]; readonly session: string } => ({
  rows: [...words.matchAll(/^- (\w+): read (\S+); write (\S+);/gm)].map(([, category = '', context = '', draft = '']) => ({ category, context, draft })),
  session: /\{"staged": "([^"]+)"\}/.exec(words)?.[1] ?? '',
});

export const handIn = (file: string, json: object, tool = SAVE) => ({ tool, input: { file, json } });
export const PASSED = { result: 'PASS', issues: [] };
export const verdictOf = (draft: string): string => draft.replace('.memory-draft-', '.memory-verdict-');

/** A model that saves what the request quotes in one call, and ends with the line that the call gave it. */
export const savesInline = (records: readonly object[] | ((words: string) => readonly object[]), ending = 'Memory was told.', tool = SAVE): Scene => ({
  when: INLINE_REQUEST,
  steps: (words): readonly Step[] => [{ calls: [{ tool, input: { records: typeof records === 'function' ? records(words) : records } }] }, { text: ending }],
});
