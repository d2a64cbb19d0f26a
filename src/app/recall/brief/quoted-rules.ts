import { utcSeconds } from '../../../core/instant.ts';
import { cut, plain } from '../../../recall/inject/plain.ts';
import { lastingRules } from '../../../recall/rules/lasting.ts';
import { rulesInForce, ruleId } from '../../../recall/rules/standing.ts';
import type { Memory } from '../../memory/memory.ts';
import { mutedRules, type TypedRules } from '../muted-rules.ts';
import type { RecallContext } from '../recall-context.ts';
import type { BriefItem } from './items.ts';

/** Includes prompts of imported transcripts from other machines, whose author is unknown. */
const RULES = '## Asked for in earlier prompts';
const RULE_LENGTH = 100;
const MOST_RULES = 16;
/** So many sentences are compared with each other. */
const MOST_COMPARED = 150;
/** Among the last sessions; before drafts that wait for the user. */
const RANK = { lasting: 3.1, once: 3.6 } as const;

/** The user's sentences on how to work, each once, without those that were muted. */
export function ruleItems(memory: Memory, recallContext: RecallContext, rules: TypedRules): readonly BriefItem[] {
  const isMuted = mutedRules(memory, recallContext, rules);
  const likely = rules.toSorted((a, b) => b.weight - a.weight || a.newer - b.newer).slice(0, MOST_COMPARED);
  const lasting = lastingRules(likely.filter(({ text, at }) => !isMuted(text, at)));
  const inForce = rulesInForce(
    lasting.rules.filter(({ text, at }) => !isMuted(text, at)),
    lasting.all,
  );
  return inForce.slice(0, MOST_RULES).map(({ text, at, times, isOnce }, nth) => {
    const rule = cut(plain(text), RULE_LENGTH);
    const frequency = times > 1 ? `in ${times} sessions` : isOnce ? 'once' : '';
    return {
      line: {
        id: ruleId(text),
        section: RULES,
        rank: (isOnce ? RANK.once : RANK.lasting) + nth / 6,
        forms: [`- ${rule}${frequency && ` (${frequency})`}`] as const,
      },
      title: rule,
      updatedAt: utcSeconds(at),
      reason: `the user said it ${frequency}`.trimEnd(),
    };
  });
}
