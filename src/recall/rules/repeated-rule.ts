import { type AgentAction, actionsNamed } from '../../core/rules/actions.ts';
import { analyze } from '../text/analyze.ts';
import { lastingRules } from './lasting.ts';
import { type HeldRule, heldRules, type TypedRuleUse } from './standing.ts';

/** Of the sentences that name an action, the newest are looked at. */
const LOOKED_AT = 60;
const LONGEST = 140;
/** Share of a rule's terms that another session must have said. */
const SAME = 0.6;

/** As `analyze` gives them. */
const REQUEST_TERMS: ReadonlySet<string> = new Set(
  'commit push pr pull request merg test run lint build releas publish deploi instal review branch main master remot pleas ye yeah ok let go ahead everyth chang work file code done finish readi check last creat add make open get fix issu new'.split(
    ' ',
  ),
);

/** Whether terms only ask for a step of the work: "commit and push all this, please" is a request of the moment and no rule. */
export const onlyAsks = (terms: Iterable<string>): boolean => [...terms].every((term) => REQUEST_TERMS.has(term));

/** The lasting rule about the action that the user stated in more than one session and that says more than to do it; the surest, in the words in which it was last said. */
export function repeatedRule(
  said: readonly TypedRuleUse[],
  action: AgentAction,
  isMuted: (text: string, at: number) => boolean = () => false,
): HeldRule | undefined {
  const naming = said
    .filter(({ text }) => text.length <= LONGEST && actionsNamed(text).includes(action))
    .toSorted((a, b) => a.newer - b.newer || b.at - a.at)
    .slice(0, LOOKED_AT);
  if (naming.length < 2) return undefined;
  const { rules, all } = lastingRules(naming);
  const open = rules.filter(({ text, at, isOnce }) => isOnce !== true && actionsNamed(text).includes(action) && !isMuted(text, at));
  return heldRules(open, all).find(({ text, at, times }) => times > 1 && naming.some((other) => other.at !== at && isSameRule(text, other.text)));
}

/** Whether the second says most of what the first does, and more than to do it. */
export function isSameRule(rule: string, other: string): boolean {
  const [own, others] = [new Set(analyze(rule)), new Set(analyze(other))];
  const shared = [...own].filter((term) => others.has(term));
  return shared.length >= SAME * own.size && !onlyAsks(shared);
}
