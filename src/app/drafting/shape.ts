import type { TriageCategory } from '../../capture/triage/settings.ts';
import type { ContentOf } from '../../core/record/schema.ts';

/** A category's content as shown to drafters: every field with a description. */
export const DRAFT_SHAPES: { readonly [C in TriageCategory]: Required<ContentOf<C>> } = {
  session_summary: {
    goal: 'what the user wanted',
    outcome: 'partial',
    completed: ['what was finished'],
    in_progress: ['what was begun'],
    blockers: ['what stands in the way'],
    next_actions: ['what comes next'],
    key_changes: ['file or command: what changed'],
    context: 'what a colleague has to know to go on, if anything',
    tracking_points: [{ label: 'Decision', text: 'a point worth finding again; labels are Decision, Discovery, Learning, Status, Dead end' }],
  },
  decision: {
    status: 'accepted',
    area: 'architecture',
    context: 'what made a choice necessary',
    decision: 'what was chosen',
    alternatives: [{ option: 'what was turned down', rejected_reason: 'why' }],
    rationale: ['why it was chosen'],
    consequences: ['what follows from it'],
  },
  runbook: {
    trigger: 'when it is needed',
    symptoms: ['what is seen, such as the error message'],
    steps: ['what to do, in order'],
    verification: 'how to tell that it worked',
    root_cause: 'why it happened',
    environment: 'where it happens',
  },
  constraint: {
    kind: 'technical',
    rule: 'what cannot or must not be done',
    impact: ['what it affects'],
    workarounds: ['what can be done in its place'],
    severity: 'medium',
    active: true,
    expires: 'condition under which it ends, or none',
  },
  tech_debt: {
    status: 'open',
    priority: 'medium',
    description: 'what is missing',
    reason_deferred: 'why it waits',
    impact: ['what it costs meanwhile'],
    suggested_fix: ['how to do it'],
    acceptance_criteria: ['how to tell that it is done'],
  },
  preference: {
    topic: 'what it is about',
    value: 'what the user wants',
    reason: 'why',
    strength: 'default',
    examples: { prefer: ['like this'], avoid: ['not like this'] },
  },
};

/** The words that a field may take, where it takes only these. */
export const DRAFT_CHOICES: Readonly<Record<TriageCategory, string>> = {
  session_summary: 'outcome: success, partial, blocked or abandoned',
  decision: 'status: proposed, accepted, deprecated or superseded; area: architecture, implementation, configuration, dependency or process',
  runbook: '',
  constraint: 'kind: limitation, gap, policy or technical; severity: high, medium or low',
  tech_debt: 'status: open, in_progress, resolved or wont_fix; priority: critical, high, medium or low',
  preference: 'strength: strong, default or soft',
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => value !== null && typeof value === 'object' && !Array.isArray(value);

/** A drafter's content with unknown fields removed and single values turned into lists where needed. */
export function shaped(category: TriageCategory, content: unknown): unknown {
  if (!isObject(content)) return content;
  const shape = DRAFT_SHAPES[category] as Readonly<Record<string, unknown>>;
  const known = Object.entries(content).filter(([key, value]) => Object.hasOwn(shape, key) && value !== null);
  return Object.fromEntries(
    known.map(([key, value]) => [key, Array.isArray(shape[key]) && !Array.isArray(value) ? [value].filter((item) => item !== '') : value]),
  );
}
