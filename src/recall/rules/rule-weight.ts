import { ruleIn } from '../../core/rules/standing-rule.ts';
import { typedSentences } from '../../core/rules/typed-sentences.ts';
import { analyze } from '../text/analyze.ts';
import { onlyAsks } from './repeated-rule.ts';

/** Points for and against a typed sentence being a rule for future work. */
const POINTS = {
  /** It names a step of the work: for one such word, and for two or more. */
  step: 1,
  steps: 1.6,
  /** It is phrased as a rule. */
  rule: 0.5,
  general: 0.6,
  ban: 0.5,
  /** It says how to work, or orders a task. */
  order: 0.7,
  task: 0.3,
  /** It says in which way a task is to be done. */
  manner: 0.5,
  /** It asks why something was not done as it should be. */
  reproach: 0.5,
  question: -1.4,
  request: -0.5,
  /** It names an issue, a path, a version or code, so it applies to one case only. */
  single: -1.2,
  moment: -1,
  bare: -1,
  long: -0.4,
  /** It is the whole prompt. */
  wholePrompt: 0.3,
} as const;
/** A sentence with fewer points is no rule. */
const LEAST = 0.9;
const SHORTEST = 10;
const LONGEST = 240;
const LONG = 110;

const STEPS = new Set(
  analyze(
    'commit amend squash rebase branch push force-push pull request pr merge review reviewer comment thread reply resolve test suite lint format build release tag ' +
      'changelog version docs documentation readme plan planning todo issue ticket skill subagent agent delegate deploy migration worktree main master ci pipeline ' +
      'coverage e2e integration',
  ),
);
const GENERAL =
  /\b(?:always|never|every|each|whenever|from now on|in general|by default|on purpose|as usual|same (?:pattern|way)|prefer|make sure|ensure|don'?t forget|remember|must|should(?:n'?t)?|don'?t want|stick to|keep|only|instead|without)\b/i;
/** Words that turn a request into a rule: "lint before each commit". */
const ORDERED = /\b(?:each|every|before|after|first|always|only)\b/i;
const BAN = /\b(?:don'?t|do not|never|no longer|stop|avoid|not)\b/i;
const LEAD = String.raw`^(?:(?:please|ok|yes|yeah|no|and|also|then|now|just|so|but|ah|great|good|perfect)[,.!]?\s+)*`;
const HOW =
  "(?:use|do|don'?t|keep|commit|push|review|avoid|never|always|only|test|ask|delegate|reply|resolve|stick|follow|leave|merge|branch|amend|rebase|run|make (?!it)|feel free)\\b";
const LEADING_ORDER = new RegExp(`${LEAD}${HOW}`, 'i');
const ORDER = new RegExp(`(?:${LEAD}|[,;:] (?:and |then |also |but )?)${HOW}`, 'i');
const TASK = new RegExp(`${LEAD}(?:add|create|update|remove|rename|fix|write|check|investigate|document|log|put|open|start|rewrite|ensure)\\b`, 'i');
/** "with Sonnet", "via a fresh branch", "in test mode": a manner that carries over to other tasks. */
const MANNER =
  /\b(?:using|via|with|without|as an?|off (?:of )?(?:main|master)|in (?:an? )?(?:\w+ )?(?:mode|style|steps|order)|on the go|table[- ]driven|one by one|at a time)\b/i;
/** A general rule is an order or has one of these words; a description of a state is not a rule. */
const NORM =
  /\b(?:should(?:n'?t)?|must(?:n'?t)?|needs? to|ha(?:s|ve) to|don'?t|do not|never|always|prefer|make sure|ensure|remember|from now on|in general|by default|on purpose|as usual|stick to|let'?s|lets|feel free|i (?:want|like)|we (?:want|use|only))\b|^whenever\b/i;
const WH = new RegExp(`${LEAD}(?:what|which|where|how|when|who)\\b.*\\?$`, 'i');
const REQUEST = new RegExp(`${LEAD}(?:can|could|would) (?:you|we)\\b`, 'i');
const REPROACH =
  /\b(?:why (?:aren'?t|are not|isn'?t|didn'?t|don'?t) (?:we|you|it|this)|should(?:n'?t)? (?:we|you|this|it|the)|can'?t (?:we|you|the|it|this))\b/i;
const SINGLE = /#\d|\b\d{2,}\b|https?:|\w\/\w+\/|\.(?!md\b)[a-z]{2,4}\b|`|\$ |[A-Z]:\\/i;
const MOMENT =
  /\b(?:for now|right now|still|currently|while we wait|one more detail|looks like|i (?:did|got|get|see|saw|checked|have|think|tried|was)|it (?:seems|looks)|there (?:is|are)|fail(?:s|ed|ing)|the conflict|again|yet|logs?|option \d|the e2e test is)\b/i;

const rounded = (weight: number): number => Math.round(weight * 100) / 100;
const pointsIf = (text: string, pattern: RegExp, points: number): number => (pattern.test(text) ? points : 0);

/** The weight of a sentence as a rule for future work; undefined if it is too low. */
export function ruleWeight(sentence: string): number | undefined {
  const terms = new Set(analyze(sentence));
  if (terms.size < 2 || sentence.length < SHORTEST || sentence.length > LONGEST || sentence.endsWith(':')) return undefined;
  if (onlyAsks(terms) && !BAN.test(sentence) && !ORDERED.test(sentence)) return undefined;
  const steps = [...terms].filter((term) => STEPS.has(term)).length;
  const isRule = ruleIn(sentence) !== undefined;
  const isReproach = steps > 0 && REPROACH.test(sentence) && !WH.test(sentence);
  const isOrder =
    LEADING_ORDER.test(sentence) || TASK.test(sentence) || REQUEST.test(sentence) || (NORM.test(sentence) && (GENERAL.test(sentence) || ORDER.test(sentence)));
  if (!isRule && !isReproach && !isOrder) return undefined;
  const weight =
    (steps === 0 ? 0 : steps === 1 ? POINTS.step : POINTS.steps) +
    (isRule ? POINTS.rule : 0) +
    (isReproach ? POINTS.reproach : sentence.trimEnd().endsWith('?') ? POINTS.question : 0) +
    pointsIf(sentence, GENERAL, POINTS.general) +
    pointsIf(sentence, BAN, POINTS.ban) +
    pointsIf(sentence, ORDER, POINTS.order) +
    pointsIf(sentence, TASK, POINTS.task) +
    pointsIf(sentence, MANNER, POINTS.manner) +
    pointsIf(sentence, REQUEST, POINTS.request) +
    pointsIf(sentence, SINGLE, POINTS.single) +
    pointsIf(sentence, MOMENT, POINTS.moment) +
    (terms.size === 2 ? POINTS.bare : 0) +
    (sentence.length > LONG ? POINTS.long : 0);
  return weight < LEAST ? undefined : rounded(weight);
}

/** The typed sentences of a prompt that may be rules for future work. */
export function weightedRules(prompt: string): readonly { readonly text: string; readonly weight: number }[] {
  const sentences = typedSentences(prompt);
  return sentences.flatMap((text) => {
    const weight = ruleWeight(text);
    return weight === undefined ? [] : [{ text, weight: rounded(weight + (sentences.length === 1 ? POINTS.wholePrompt : 0)) }];
  });
}
