import { TRIAGED } from '../../core/config/categories.ts';
import { type Config, ownConfig } from '../../core/config/effective.ts';

export type TriageCategory = (typeof TRIAGED)[number];
/** All but session_summary, which is known by what was done and not by what was said. */
export type TextCategory = Exclude<TriageCategory, 'session_summary'>;

export interface CategorySettings {
  readonly threshold: number;
  /** False when the category is off or is never to be proposed. */
  readonly proposes: boolean;
  readonly description: string;
}

export type TriageSettings = Readonly<Record<TriageCategory, CategorySettings>>;

export function triageSettings(config: Config): TriageSettings {
  const own = ownConfig(config);
  const of = (name: TriageCategory): CategorySettings => ({
    threshold: config.get(`triage.thresholds.${name}`),
    proposes: config.get(`categories.${name}.enabled`) && config.get(`categories.${name}.auto_capture`),
    // A drafter takes it for an instruction, and anyone who can push can change the shared config.
    description: own.get(`categories.${name}.description`),
  });
  return Object.fromEntries(TRIAGED.map((name) => [name, of(name)])) as Record<TriageCategory, CategorySettings>;
}
