import { existsSync, readFileSync } from 'node:fs';
import type { Scene, Step } from '../model/script.ts';
import { SAVE } from './plugin.ts';

/** How the Stop hook's request begins. */
export const REQUEST = 'Memory: something in this session is worth keeping';

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
