import { ruleIn } from '../../core/rules/standing-rule.ts';
import { analyze } from '../text/analyze.ts';
import { hasShare, NEGATED, onceEach, sessionOf, termsOf, type TypedRuleUse } from './standing.ts';

const LEAD = String.raw`^(?:(?:please|pls|ok(?:ay)?|yes|yeah|yep|no|and|also|then|now|just|so|but|ah|oh|great|good|perfect|right|sure|next|finally|alright)[,.!:]?\s+)*`;
const RULED_NOUN = String.raw`(?!it\b|this\b|that\b|them\b|these\b|those\b|the\b|my\b|your\b|his\b|her\b|our\b|anything\b|too\b|so\b|yet\b)`;

/** Words that extend a sentence to later work, wherever they stand. */
const GENERAL =
  /\b(?:from now on|going forward|in (?:the )?future|as a rule|by convention|in general|as usual|(?:where|when|if|as (?:far|much) as) ?(?:ever )?(?:possible|you can))\b|\b(?:before|after|on|with|for|in) (?:every|each|any)\b(?! of\b| the\b)|\bevery ?time\b|\b(?:should|must)(?:n'?t| not)? (?:always|never|only|first|ever)\b|\b(?:should|must) not\b.*\bever\b|\bonly (?:when|if|after)\b.*\b(?:should|must|needs?)\b/i;
const RULED = [
  new RegExp(`${LEAD}(?:always|never) \\w+ ${RULED_NOUN}\\w`, 'i'),
  /^(?:(?:here|in this (?:repo|repository|project)),? )?we (?:use|always|never|only|prefer|usually|don'?t|do not) (?!need|have|know|see|understand|care|get|want to)\w+/i,
  /^(?!(?:it|this|that|he|she|there|they)\b)(?:\S+ ){1,4}(?:is|are) (?:never|always) (?!\w+ing\b|\w+ed\b)/i,
  /^(?:all|every|each|any) (?:\S+ ){1,12}?(?:should|must|needs? to|ha(?:s|ve) to|gets?)\b/i,
  /^(?:if|when|whenever|unless) [^,]{5,80}, .*(?:\b(?:should|must|always|never)\b|\bno \w+ (?:is|are) needed\b)/i,
  // A ban, or a reminder, about a kind of thing; one about "it" or "the file" is over with the task.
  new RegExp(`${LEAD}(?:don'?t|do not|avoid|no longer|stop) (?:ever |just )?(?!forget|worry|need|know|think|mind|see|bother|wait)\\w+ ${RULED_NOUN}\\w`, 'i'),
  new RegExp(`${LEAD}(?:don'?t forget|remember|be sure) to \\w+ ${RULED_NOUN}\\w`, 'i'),
  /\bwhy (?:aren'?t|are not|don'?t|didn'?t) (?:we|you) (?:use|using|write|writing|run|running|follow|following) (?!it\b|this\b|that\b|the\b)/i,
];
/** Words about the current task. */
const MOMENT =
  /\b(?:yet|right now|for now|just now|at the moment|currently|this time|today|tomorrow|tonight|later|until|again|already|still|while we wait|as a suggestion|maybe|perhaps|for (?:this|that) \w+|in this (?:pr|branch|session|commit|case)|whenever (?:you|it)(?:'re| are| is)? (?:like|want|wish|can|feel|please|ready|done|suits?))\b/i;

/** Steps that a user orders or allows one by one. */
const STEP =
  '(?:merge|push|force-push|release|publish|deploy|ship|tag|delete|remove|drop|erase|wipe|discard|revert|close|(?:open|create|make|prepare|raise|submit|put up|get) (?:up )?(?:a |an |the |your |this )?(?:new |draft )?(?:prs?|pull[- ]requests?|mrs?|merge[- ]requests?|releases?|tags?))\\b';
const ALLOWED = String.raw`(?:(?:can|could|would|will|may|should|might) (?:you|we)(?: please| also| now)?|(?:you|we) (?:can|may|could|should)(?: now| also| just)?|let'?s(?: also| now| just)?|go ahead and|feel free to|i(?:'d| would) (?:like|want) (?:you )?to|i want (?:you )?to|it(?:'s| is) (?:ok|fine) to|time to|ready to|happy for you to|(?:do|try|start|finish) (?:the|a|an))\s+`;
const ORDERED_STEP = new RegExp(
  `(?:${LEAD}|[,;:.–—-]\\s+(?:and |then |but |also |so )*|(?:\\b(?:and|then|to)|[&+]) (?:then |also )?)(?:${ALLOWED})*${STEP}`,
  'i',
);
/** Words that turn such an order into a rule. */
const STANDING =
  /\b(?:always|never|ever|only (?:when|if|after|once|with)|unless|without|from now on|going forward|in (?:the )?future|as a rule|every ?time|each time|whenever(?! (?:you|it)\b))\b|\b(?:before|after|on|with|for) (?:every|each|any)\b|\b(?:don'?t|do not|must not|should not|shouldn'?t|avoid|stop)\b/i;
const PERMITS =
  /\bwhenever (?:you|it)(?:'re| are| is)? (?:like|want|wish|can|feel|please|ready|done|suits?)\b|\b(?:feel free|go ahead|as you (?:like|wish|please)|up to you|be my guest|good to go|i'?m (?:ok|fine|happy) with)\b/i;

/** Whether a sentence orders or allows a single push, merge or other step. */
export const ordersStep = (text: string): boolean =>
  (ORDERED_STEP.test(text) && !STANDING.test(text)) || (PERMITS.test(text) && new RegExp(`\\b${STEP}`, 'i').test(text));

/** Whether a sentence by its own words applies to later work. */
export const isLasting = (text: string): boolean =>
  !ordersStep(text) && (ruleIn(text) !== undefined || (!MOMENT.test(text) && (GENERAL.test(text) || RULED.some((pattern) => pattern.test(text)))));

/** A request that can be read alone begins with the work to do. */
const OPENS = new RegExp(
  `${LEAD}(?!(?:that|because|since|which|who|as|so|where|in|on|at|for|with|without|via|only|not|instead|including|especially|it|he|she|they|this|these|there|the|we|you|i|why|can|could|is|are)\\b)[a-z]`,
  'i',
);
/** Where one request may end and the next begin. */
const BETWEEN =
  /[,;]\s+(?:(?:and|then|but|also|so|yes)\s+)*|\s+(?:and(?: then)?|but|then) (?=(?:please |also |yes |let'?s |just )?(?:do|don'?t|do not|make|use|run|open|create|push|merge|commit|add|update|write|keep|never|always|have|follow|review|delegate|put|fix|let'?s)\b)/gi;
const FIRST_WORD = /^(?:ok(?:ay)?|yes|yeah|and|but|then|so|also)\b[,\s]*/i;

/** The requests in a sentence; a phrase on how or when belongs to the request before it. */
export function requestsIn(text: string): readonly string[] {
  const requests: string[] = [];
  let start = 0;
  for (const { index, 0: between } of [...text.matchAll(BETWEEN), { index: text.length, 0: '' }]) {
    if (index < text.length && !OPENS.test(text.slice(index + between.length))) continue;
    requests.push(text.slice(start, index).trim().replace(FIRST_WORD, ''));
    start = index + between.length;
  }
  return requests.filter((request) => request.includes(' '));
}

/** A task that ends when it is done. */
const TASK = new RegExp(
  `${LEAD}(?:(?:can|could|would) you )?(?:(?:also|just) )?(?:add|create|update|write|fix|rename|remove|document|change|move|put|check|look|see|read|find|show|tell|explain|give|answer|address|make sure|ensure|mention|go through|test|try|run)\\b`,
  'i',
);
/** A way of working, which may be meant for later work too. */
const WAY =
  /\b(?:using|via|as an? [\w-]+|off (?:of )?(?:main|master|trunk)|in \w+ (?:mode|style|order|steps)|on the go|table[- ]driven|one by one|at a time|instead|skills?|sub-?agents?|workflow|amend(?:ed)?|squash(?:ed)?|fold(?:ed)?|(?:current|existing|same) (?:commit|branch|pull request|pr))\b|\bwith [A-Z]\w+/;
const FOLLOWS = new RegExp(`${LEAD}(?:use|follow|delegate|stick to) \\w`, 'i');
const SHOULD_BE = /^(?:why (?:aren'?t|don'?t) (?:we|you)|can'?t the \w+|shouldn'?t the \w+)\b/i;
/** A correction in the form of a question: `shouldn't this go into the existing commit?` */
const SHOULD_HAVE = /^shouldn'?t (?:this|it|that|we|you)\b/i;
/** About one thing only, so that it ends with it. */
const OF_ONE = new RegExp(
  `\\bshould\\b|${LEAD}(?:can|could|would|should|mention|(?:add|fix|rename|update)\\b(?!.*\\b(?:skills?|using|sub-?agents?|off (?:main|master|trunk)|(?:current|existing|same) commit)\\b))\\b|\\b(?:on|to|of|for|in) (?:the|this|that) (?!go\\b)[\\w-]+(?: \\w+)?[.!]?$|\\?$`,
  'i',
);
const isTask = (text: string): boolean => TASK.test(text) && !WAY.test(text);
const OF_ONE_LINK = /https?:|#\d/;
const isWay = (text: string): boolean =>
  !MOMENT.test(text) && (SHOULD_BE.test(text) || (SHOULD_HAVE.test(text) && WAY.test(text)) || ((WAY.test(text) || FOLLOWS.test(text)) && !OF_ONE.test(text)));
/** `make small commits`: any of them. */
const OF_A_KIND = new RegExp(
  `${LEAD}(?:do|make|write|use|keep|create|open)(?: (?!the\\b|all\\b|these\\b|those\\b|some\\b|my\\b|your\\b)[\\w-]+){1,3} (?:commits|tests|branches|prs|messages|comments)[.!]?$`,
  'i',
);
/** Terms that name a step of the work but not the way to take it. */
const STEPS: ReadonlySet<string> = new Set(
  analyze(
    'commit push pr pull request merge test run lint build release publish deploy install review reviewer branch main master remote please yes yeah ok let go ahead everything change work ' +
      'file code done finish ready check last create add make open get fix issue new comment thread feedback look see address reply current all recent update plan implement implementation ' +
      'start continue do task pr rebase ci doc readme write rename remove failing sure ensure mention',
  ),
);
const SAME = 0.6;
const SAME_TASK = 0.8;
/** A task that so many other sessions asked for in the same words is a habit. */
const HABIT = 2;
/** A longer sentence is about one case. */
const LONGEST_REPEATED = 140;
const SHORT = 60;

interface ReadRequest {
  readonly session: number;
  readonly terms: ReadonlySet<string>;
  readonly isBan: boolean;
}

const readRequest = (use: TypedRuleUse, text: string): ReadRequest => ({ session: sessionOf(use), terms: termsOf(text), isBan: NEGATED.test(text) });

/** Number of other sessions that asked for most of it, and for more than a step of the work. */
function sessionsAskingAgain(request: ReadRequest, all: readonly ReadRequest[], same: number): number {
  const sessions = new Set<number>();
  for (const other of all) {
    if (other.session === request.session || other.isBan !== request.isBan || !hasShare(request.terms, other.terms, same)) continue;
    if ([...request.terms].some((term) => other.terms.has(term) && !STEPS.has(term))) sessions.add(other.session);
  }
  return sessions.size;
}

export interface LastingRules {
  /** A way of working that was named once is marked. */
  readonly rules: readonly TypedRuleUse[];
  /** All sentences and their requests, in which the sessions of a rule are counted. */
  readonly all: readonly TypedRuleUse[];
}

/** The typed sentences that apply to later work: by their own words, or because several sessions repeat them. Of a sentence with other orders only the lasting part counts. */
export function lastingRules(typed: readonly TypedRuleUse[]): LastingRules {
  const parted = onceEach(typed).map((use) => ({ use, parts: requestsIn(use.text).filter((text) => text !== use.text) }));
  const all = parted.flatMap(({ use, parts }) => [use, ...parts.map((text) => ({ ...use, text }))]);
  const requests = all.map((use) => readRequest(use, use.text));
  const isShort = (text: string): boolean => text.length <= LONGEST_REPEATED && !ordersStep(text);
  const again = (use: TypedRuleUse, text: string): number => sessionsAskingAgain(readRequest(use, text), requests, isTask(text) ? SAME_TASK : SAME);
  const isHabit = (use: TypedRuleUse, text: string): boolean =>
    isShort(text) && !OF_ONE_LINK.test(text) && (OF_A_KIND.test(text) || again(use, text) >= (isTask(text) ? HABIT : 1));
  const isWholeHabit = (use: TypedRuleUse, parts: readonly string[]): boolean => {
    const often = use.text.length > SHORT || !isShort(use.text) ? 0 : again(use, use.text);
    return often >= HABIT && parts.every((text) => again(use, text) <= 2 * often);
  };
  const rules = parted.flatMap(({ use, parts }) => {
    if (isLasting(use.text) || isWholeHabit(use, parts)) return [use];
    const holding = parts.filter((text) => OPENS.test(text) && (isLasting(text) || isHabit(use, text)));
    if (holding.length > 0) return holding.map((text) => ({ ...use, text }));
    if (isHabit(use, use.text)) return [use];
    const once = upToStep(use.text, parts);
    return isShort(once) && isWay(once) ? [{ ...use, text: once, isOnce: true }] : [];
  });
  return { rules, all };
}

/** The beginning of a sentence, up to the request to take a step. */
function upToStep(text: string, parts: readonly string[]): string {
  const step = parts.find(ordersStep);
  return step === undefined ? text : text.slice(0, text.indexOf(step)).replace(/[,;\s]+(?:(?:and|then|but|also|so)[,;\s]*)*$/i, '');
}
