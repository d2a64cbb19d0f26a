import { existsSync, readFileSync } from 'node:fs';
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

/** A model that drafts a decision by itself, without subagents; other categories are left alone. */
export const draftsAlone = (titleOf: (context: string) => string, tool = SAVE): Scene => ({
  when: REQUEST,
  steps: (words): readonly Step[] => {
    const { rows, session } = requested(words);
    const row = rows.find(({ category }) => category === 'decision');
    if (!row) return [{ text: 'nothing to keep' }];
    // The context file is gone once everything is saved, and then the draft does not matter any more.
    const title = existsSync(row.context) ? titleOf(readFileSync(row.context, 'utf8')) : '';
    const content = { status: 'accepted', context: 'a day of work', decision: title, rationale: ['it was said'] };
    const record = { title, tags: ['soak'], confidence: 0.8, content };
    return [
      { calls: [handIn(row.draft, { action: 'create', justification: 'said so', record }, tool), handIn(verdictOf(row.draft), PASSED, tool)] },
      { calls: [{ tool, input: { staged: session } }] },
      { text: 'kept' },
    ];
  },
});

/** A model that saves what the request quotes in one call, and ends with the line that the call gave it. */
export const savesInline = (records: readonly object[] | ((words: string) => readonly object[]), ending = 'Memory was told.', tool = SAVE): Scene => ({
  when: INLINE_REQUEST,
  steps: (words): readonly Step[] => [{ calls: [{ tool, input: { records: typeof records === 'function' ? records(words) : records } }] }, { text: ending }],
});
