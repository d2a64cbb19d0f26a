import type { Draft } from '../../core/record/draft.ts';
import { digestOf } from '../episodes/digest.ts';
import { type Episode, messagesIn } from '../episodes/read.ts';
import { saveSummary } from '../episodes/save-summary.ts';
import type { Memory } from '../memory/memory.ts';
import type { Checker } from './checked.ts';
import { failed, outcome, type DraftOutcome } from './outcome.ts';
import { quotedIn, verifyByRules } from './verify.ts';

const CATEGORY = 'session_summary';

/** Summarises a session automatically: triage decides, rules draft and verify, and the session's one summary is saved. */
export async function captureSummary(memory: Memory, episode: Episode, digest = digestOf(episode, memory.config)): Promise<DraftOutcome> {
  const found = digest.triage.result().categories.find(({ category }) => category === CATEGORY);
  if (found?.fired !== true) return outcome(CATEGORY, 'nothing', { justification: 'too little was done' });
  const draft = digest.draft(episode.facts);
  const { passed, issues } = verifyByRules(draft, quotedIn(messagesIn(episode), episode.facts));
  if (!passed) return outcome(CATEGORY, 'blocked', { issues, justification: issues[0] ?? '' });
  const written = await saveSummary(memory, episode.facts.sessionId, verifiedBy('rules', draft), { actor: 'capture' });
  if (!written.ok) return failed(CATEGORY, written.error);
  const { record, file, status, warnings } = written.value;
  return outcome(CATEGORY, status === 'unchanged' ? 'nothing' : 'saved', { action: 'CREATE', id: record.id, file, warnings, issues });
}

const verifiedBy = (verified: Checker, draft: Draft): Draft => ({ ...draft, origin: { ...(draft['origin'] as object), verified } });
