import { type AgentAction, actionsNamed } from '../../core/rules/actions.ts';
import { analyze } from '../text/analyze.ts';
import { lastingRules } from './lasting.ts';
import { type RuleInForce, rulesInForce, type TypedRuleUse } from './standing.ts';

/** The most sentences about an action that are compared, newest first. */
const MOST_COMPARED = 60;
const LONGEST = 140;
/** Share of a rule's terms that a sentence of another session must contain. */
const SAME_SHARE = 0.6;

/** Stems, as `analyze` returns them. */
const REQUEST_TERMS: ReadonlySet<string> = new Set(
  'commit push pr pull request merg test run lint build releas publish deploi instal review branch main master remot pleas ye yeah ok let go ahead everyth chang work file code done finish readi check last creat add make open get fix issu new'.split(
    ' ',
  ),
);

/** Whether terms only ask for a step of the work: "commit and push all this, please" is a request, not a rule. */
export const onlyAsks = (terms: Iterable<string>): boolean => [...terms].every((term) => REQUEST_TERMS.has(term));

/** The strongest lasting rule about an action that the user stated in several sessions and that is more than a request for the action; in its latest words. */
export function repeatedRule(
  uses: readonly TypedRuleUse[],
  action: AgentAction,
  isMuted: (text: string, at: number) => boolean = () => false,
): RuleInForce | undefined {
  const naming = uses
    .filter(({ text }) => text.length <= LONGEST && actionsNamed(text).includes(action))
    .toSorted((a, b) => a.newer - b.newer || b.at - a.at)
    .slice(0, MOST_COMPARED);
  if (naming.length < 2) return undefined;
  const { rules, all } = lastingRules(naming);
  const open = rules.filter(({ text, at, isOnce }) => isOnce !== true && actionsNamed(text).includes(action) && !isMuted(text, at));
  return rulesInForce(open, all).find(({ text, at, times }) => times > 1 && naming.some((other) => other.at !== at && isSameRule(text, other.text)));
}

/** Whether `other` contains most of the rule's terms, and they are more than a request for the action. */
export function isSameRule(rule: string, other: string): boolean {
  const [own, others] = [new Set(analyze(rule)), new Set(analyze(other))];
  const shared = [...own].filter((term) => others.has(term));
  return shared.length >= SAME_SHARE * own.size && !onlyAsks(shared);
}
