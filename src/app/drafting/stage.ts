import type { TriageCategory } from '../../capture/triage/settings.ts';
import { DRAFT_CHOICES, DRAFT_SHAPES } from './prompt.ts';
import type { Triage } from '../../capture/triage/triage.ts';
import type { Staging } from '../../core/ports/staging.ts';
import type { Memory } from '../memory/memory.ts';
import { contextsOf, draftName, verdictPath } from './contexts.ts';
import { stepModels } from './draft.ts';
import { noteSources, stageContexts } from './host.ts';
import type { DraftSession } from './drafting.ts';
import { checkCandidate } from './prepare.ts';
import type { Structural } from '../../core/lifecycle/candidate.ts';

/** The JSON forms of drafts and verdicts, for an agent that writes them without the plugin's drafters. */
const FORMS: readonly string[] = [
  'Make one draft after the other, read each once more against its context file, and write its verdict beside it: the same name with .memory-verdict- in place of .memory-draft-.',
  'A draft is JSON: {"action": "create|update|delete|noop", "target": "the record\'s file, for update and delete", "reason": "for delete", "justification": "one line", "record": {"title", "tags", "related_files", "confidence": 0.7 to 0.9, "supersedes": [ids of records that it replaces], "content"}}. Leave out fields that the context does not mention; no passwords or keys.',
  'A verdict is JSON: {"result": "PASS" or "FAIL", "issues": [{"severity": "BLOCK" or "ADVISORY", "text": "one sentence"}]}; FAIL and BLOCK for what the context file does not say.',
];

const contentForm = (category: TriageCategory): string =>
  `The content of a ${category}: ${[JSON.stringify(DRAFT_SHAPES[category]), DRAFT_CHOICES[category]].filter((part) => part !== '').join('; ')}`;

/** One category that the agent's subagents are to draft. */
export interface StagedCategory {
  readonly category: TriageCategory;
  readonly score: number;
  readonly contextFile: string;
  readonly model: string;
  /** The result of the candidate check. */
  readonly structural: Structural;
  readonly preAction: 'CREATE' | 'NOOP' | null;
  readonly vetoes: readonly string[];
  readonly candidate?: string;
  /** Where the draft and its verdict are to be written. */
  readonly draftFile: string;
  readonly verdictFile: string;
  /** The JSON form of its content. */
  readonly form: string;
}

export interface StagedWork {
  readonly folder: string;
  readonly categories: readonly StagedCategory[];
  readonly verificationModel: string;
  readonly parallel: boolean;
  readonly block: string;
  /** The JSON forms that every draft and every verdict has. */
  readonly forms: readonly string[];
  readonly warnings: readonly string[];
}

/** Phase 0 for the agent: writes context files and finds candidates, so that a drafter reads one file and writes one. */
export async function stageWork(memory: Memory, staging: Staging, triage: Triage, session: DraftSession, drafter: string): Promise<StagedWork> {
  const { block, files, warnings } = await stageContexts(staging, triage);
  const models = stepModels(memory.config);
  const categories: StagedCategory[] = [];
  const lines: string[] = [...warnings];
  const contexts = contextsOf(triage);
  for (const { category, score, newInfo } of contexts) {
    const contextFile = files[category];
    if (contextFile === undefined) continue;
    const check = await checkCandidate(memory, { category, newInfo, sessionId: session.sessionId });
    if (!check.ok) {
      lines.push(`${category} is skipped: ${check.error.message}`);
      continue;
    }
    const { structural, preAction, vetoes, candidate } = check.value;
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
  return { folder: staging.folder, categories, verificationModel: models.verify, parallel: models.parallel, block, forms: FORMS, warnings: lines };
}
