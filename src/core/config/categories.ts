import { once } from '../value.ts';
import { CATEGORIES, type Category } from '../record/category.ts';
import { bool, int, number, text } from './spec.ts';

/** The categories that triage looks for in a conversation. */
export const TRIAGED = ['session_summary', 'decision', 'runbook', 'constraint', 'tech_debt', 'preference'] as const satisfies readonly Category[];
type Triaged = (typeof TRIAGED)[number];

const DESCRIPTIONS: Readonly<Record<Category, string>> = {
  session_summary: 'Where the work stood when a session ended, so that the next one can resume it',
  decision: 'A choice that was made, with its reasons and the alternatives turned down',
  runbook: 'How to diagnose, fix and verify a problem that was met before',
  constraint: 'A lasting limit set by the system, its surroundings or a rule',
  tech_debt: 'Work put off on purpose: what is missing and why it waits',
  preference: 'A convention that the user wants followed',
  analysis: 'What was learned by studying a file, component, module or service',
  subagent_report: 'What a subagent found and what it recommends',
};

const THRESHOLDS: Readonly<Record<Triaged, number>> = {
  session_summary: 0.6,
  decision: 0.4,
  runbook: 0.4,
  constraint: 0.5,
  tech_debt: 0.4,
  preference: 0.4,
};

/** Below, nearly everything would be proposed; above, nearly nothing. */
const SHARED_THRESHOLDS = [0.3, 0.9] as const;

const SESSION_RETENTION_DAYS = 90;

const each = <P extends string, C extends string, F extends string, S>(prefix: P, names: readonly C[], field: F, make: (name: C, family: string) => S) =>
  Object.fromEntries(names.map((name) => [`${prefix}${name}${field}`, make(name, `${prefix}<name>${field}`)])) as { readonly [N in C as `${P}${N}${F}`]: S };

/** `categories.<name>.*`, for all eight. */
export const CATEGORY_KEYS = once(
  () =>
    ({
      ...each('categories.', CATEGORIES, '.enabled', (_name, family) => bool(true, 'nothing', family)),
      ...each('categories.', CATEGORIES, '.description', (name, family) => text(DESCRIPTIONS[name], 'harmless', family)),
      ...each('categories.', CATEGORIES, '.auto_capture', (_name, family) => bool(true, 'tighten', family)),
      ...each('categories.', CATEGORIES, '.retention_days', (name, family) =>
        int(name === 'session_summary' ? SESSION_RETENTION_DAYS : 0, 'nothing', { max: 36_500, family }),
      ),
      'categories.session_summary.max_retained': int(5, 'nothing', { min: 1, max: 100_000 }),
    }) as const,
);

/** `triage.thresholds.<name>`: the score from which a category is proposed. */
export const THRESHOLD_KEYS = once(() =>
  each('triage.thresholds.', TRIAGED, '', (name, family) => number(THRESHOLDS[name], 'harmless', { sharedRange: SHARED_THRESHOLDS, family })),
);
