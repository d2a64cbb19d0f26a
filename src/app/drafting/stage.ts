import type { TriageCategory } from '../../capture/triage/settings.ts';
import type { Triage } from '../../capture/triage/triage.ts';
import type { Staging } from '../../core/ports/staging.ts';
import type { Memory } from '../memory/memory.ts';
import { contextsOf } from './contexts.ts';
import { stepModels } from './draft.ts';
import { contentForm, FORMS } from './forms.ts';
import { noteSources, stageContexts } from './host.ts';
import { draftName, verdictPath } from './names.ts';
import type { DraftSession } from './drafting.ts';
import { prepare } from './prepare.ts';
import type { Structural } from '../../core/lifecycle/cud.ts';

/** One category that the agent's subagents are to draft. */
export interface StagedCategory {
  readonly category: TriageCategory;
  readonly score: number;
  readonly contextFile: string;
  readonly model: string;
  /** The candidate check, made already. */
  readonly structural: Structural;
  readonly preAction: 'CREATE' | 'NOOP' | null;
  readonly vetoes: readonly string[];
  readonly candidate?: string;
  /** Where draft and verdict are expected. */
  readonly draftFile: string;
  readonly verdictFile: string;
  /** What its content looks like. */
  readonly form: string;
}

export interface StagedWork {
  readonly folder: string;
  readonly categories: readonly StagedCategory[];
  readonly verificationModel: string;
  readonly parallel: boolean;
  readonly block: string;
  /** What every draft and every verdict looks like. */
  readonly forms: readonly string[];
  readonly warnings: readonly string[];
}

/** Phase 0 for the agent: writes context files and finds candidates, so that a drafter reads one file and writes one. */
export async function stageWork(memory: Memory, staging: Staging, triage: Triage, session: DraftSession, drafter: string): Promise<StagedWork> {
  const { block, files, warnings } = await stageContexts(staging, triage);
  const models = stepModels(memory.config);
  const categories: StagedCategory[] = [];
  const said: string[] = [...warnings];
  const contexts = contextsOf(triage);
  for (const { category, score, newInfo } of contexts) {
    const contextFile = files[category];
    if (contextFile === undefined) continue;
    const prepared = await prepare(memory, { category, newInfo, sessionId: session.sessionId });
    if (!prepared.ok) {
      said.push(`${category} is skipped: ${prepared.error.message}`);
      continue;
    }
    const { structural, preAction, vetoes, candidate } = prepared.value;
    const draftFile = contextFile.replace(/[^/\\]*$/, draftName(category, drafter));
    categories.push({
      category,
      score,
      contextFile,
      model: models.draft(category),
      structural,
      preAction,
      vetoes,
      ...(candidate && { candidate: memory.store.absolute(candidate.place) }),
      draftFile,
      verdictFile: verdictPath(draftFile),
      form: contentForm(category),
    });
  }
  if (categories.length > 0) await noteSources(staging, session, contexts);
  return { folder: staging.folder, categories, verificationModel: models.verify, parallel: models.parallel, block, forms: FORMS, warnings: said };
}
