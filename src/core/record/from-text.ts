import { actionsNamed } from '../rules/actions.ts';
import type { Category } from './category.ts';
import type { Draft } from './draft.ts';
import { TITLE_LIMIT } from './schema.ts';

const UNSAID = 'Not recorded';

/** A title for a text: its first sentence, shortened if necessary. */
export function titleOf(text: string): string {
  const line = text.trim().split('\n')[0]?.trim() ?? '';
  const sentence = /^(.{10,}?(?<!\b(?:e\.g|i\.e|etc|vs|cf))[.!?])(\s|$)/.exec(line)?.[1]?.replace(/[.!?]$/, '') ?? line;
  if (sentence.length <= TITLE_LIMIT) return sentence;
  const cut = sentence.slice(0, TITLE_LIMIT - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), TITLE_LIMIT / 2)).replace(/[\s…]+$/, '')}…`;
}

/** "X because Y" has both the statement and its reason. */
function whatAndWhy(text: string): { readonly what: string; readonly why: string | undefined } {
  const match = /^([\s\S]+?)[,;]?\s+(?:because|since|so that)\s+([\s\S]+)$/i.exec(text.trim());
  return match ? { what: match[1] as string, why: (match[2] as string).trim() } : { what: text.trim(), why: undefined };
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*]|\d+[.)])\s+/, '').trim())
    .filter(Boolean);

const CONTENT: Readonly<Record<Category, (text: string, title: string, file: string | undefined) => object>> = {
  decision: (text) => {
    const { what, why } = whatAndWhy(text);
    return { status: 'accepted', context: '', decision: what, alternatives: [], rationale: [why ?? UNSAID], consequences: [] };
  },
  preference: (text, title) => {
    const { what, why } = whatAndWhy(text);
    return { topic: title, value: what, reason: why ?? 'Stated by the user', strength: 'default' };
  },
  constraint: (text) => ({ kind: 'limitation', rule: text.trim(), impact: [UNSAID], severity: 'medium', active: true, expires: 'none' }),
  tech_debt: (text) => {
    const { what, why } = whatAndWhy(text);
    return { status: 'open', priority: 'medium', description: what, reason_deferred: why ?? UNSAID, impact: [], suggested_fix: [], acceptance_criteria: [] };
  },
  runbook: (text, title) => ({ trigger: title, symptoms: [], steps: linesOf(text), verification: '' }),
  session_summary: (text) => ({ goal: text.trim(), outcome: 'partial', completed: [], in_progress: [], blockers: [], next_actions: [], key_changes: [] }),
  analysis: (text, title, file) => ({
    path: file ?? title,
    type: file === undefined ? 'component' : 'file',
    summary: text.trim(),
    key_findings: [],
    issues_found: [],
    recommendations: [],
  }),
  subagent_report: (text, title) => ({ agent: 'unknown', task: title, summary: text.trim() }),
};

/** Categories of what people state as rules. */
const RULES: ReadonlySet<Category> = new Set(['preference', 'constraint']);

/** A draft from typed text. Nothing is invented; missing parts are marked as missing. */
export function draftFromText(category: Category, text: string, title = titleOf(text), file?: string): Draft {
  const actions = RULES.has(category) ? actionsNamed(text) : [];
  return { title, content: CONTENT[category](text, title, file), ...(actions.length > 0 && { applies_to: actions }) };
}
