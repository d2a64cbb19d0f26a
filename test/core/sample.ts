import type { Category } from '../../src/core/record/category.ts';
import type { MemoryRecord } from '../../src/core/record/schema.ts';

const CONTENT: Readonly<Record<Category, object>> = {
  session_summary: {
    goal: 'Ship the login page',
    outcome: 'partial',
    completed: ['form'],
    in_progress: ['styles'],
    blockers: [],
    next_actions: ['write tests'],
    key_changes: ['src/login.ts'],
  },
  decision: {
    status: 'accepted',
    context: 'One laptop',
    decision: 'Use SQLite',
    alternatives: [{ option: 'PostgreSQL', rejected_reason: 'needs a server' }],
    rationale: ['no server'],
    consequences: [],
  },
  runbook: {
    trigger: 'Build killed',
    symptoms: ['exit 137'],
    steps: ['raise the limit'],
    verification: 'build passes',
    root_cause: 'limit',
    environment: 'docker',
  },
  constraint: {
    kind: 'limitation',
    rule: '100 requests a minute',
    impact: ['slow batches'],
    workarounds: ['queue'],
    severity: 'high',
    active: true,
    expires: 'none',
  },
  tech_debt: {
    status: 'open',
    priority: 'medium',
    description: 'v1 kept',
    reason_deferred: 'release',
    impact: [],
    suggested_fix: ['remove'],
    acceptance_criteria: [],
  },
  preference: { topic: 'quotes', value: 'single', reason: 'team rule', strength: 'strong', examples: { prefer: ["'a'"], avoid: ['"a"'] } },
  analysis: { path: 'src/auth.ts', type: 'file', summary: 'Checks tokens', key_findings: ['no cache'], issues_found: [], recommendations: ['cache keys'] },
  subagent_report: { agent: 'Explore', task: 'find callers', summary: 'three callers', details: 'a, b, c', files_analyzed: ['src/a.ts'], recommendations: [] },
};

/** A valid record of a category; `more` overrides its fields. */
export function sample(category: Category, more: object = {}): MemoryRecord {
  return {
    schema_version: '1.0',
    category,
    id: 'sample',
    title: `A ${category}`,
    record_status: 'active',
    created_at: '2026-01-10T10:00:00Z',
    updated_at: '2026-01-10T10:00:00Z',
    tags: ['one', 'two'],
    related_files: ['src/a.ts'],
    confidence: 0.8,
    content: CONTENT[category],
    changes: [{ date: '2026-01-10T10:00:00Z', summary: 'Initial creation' }],
    times_updated: 0,
    ...more,
  } as unknown as MemoryRecord;
}
