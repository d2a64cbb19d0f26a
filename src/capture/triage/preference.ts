import type { Passage } from './prose.ts';
import { doubts, type Match, matchOf, nearby, type Sign, phrases, sign, signIn } from './score.ts';

const NORMS: readonly Sign[] = [
  sign(
    'asked to be remembered',
    0.6,
    String.raw`(?:(?:^|[,;.] |please )remember (?:that|to|this)|\bkeep in mind\b|\bnote for (?:the future|next time)\b|\bfrom now on\b|\bgoing forward\b|\bin (?:the )?future,? (?:always|never|please|use|don't)\b)`,
  ),
  sign(
    'a rule',
    0.44,
    String.raw`(?:^|[,;:.—–-] |\b(?:please|should|must|you|we|to|and|but) )(?:always|never) (?!be(?:en)?\b|had|forg|felt|seen|thought|wanted|knew|loved?|got|gonna|easy|have|know|give|remind|feel|make me)[a-z]+`,
  ),
  phrases(
    'a rule',
    0.44,
    `whenever you|every time you|i(?:'d| would)? (?:much )?(?:prefer|rather)`,
    `i (?:really )?(?:don't|do not) (?:want|like) (?:to|it|the|any|this|that|you)`,
    `we (?:never|don't|do not|prefer(?: to)?) (?:use|commit|mock|push|want|need|allow|put|ship|merge|add|write|name)`,
    'we (?:only |always )?use [^,.]{1,30}(?:, (?:not|never)|,? instead of|,? rather than| everywhere)',
    'our (?:convention|style|rule|policy|standard)|the convention|align the (?:terminology|naming|style|wording)',
    String.raw`keep(?:ing)? (?:it|things|this|the \w+) (?:simple|small|short|the same|consistent|minimal)`,
  ),
  ['how it should not be', 0.42, /\b(?:should(?:n't| not| never)|must not|mustn't) \w+/i],
  phrases(
    'how it should be',
    0.34,
    'should (?:also |always |only |just )?(?:be|have|use|appear|display|show|see|contain|include|look|live|stay|go|run|make|add|start|call|say|support|update|keep|avoid|highlight|find)',
    'must (?:not |always |never |only )?(?:be|have|use|appear|stay|include|contain)',
    '(?:has|have|needs?|ought) to (?:be|have|stay|look|include)',
  ),
  ['how it should be', 0.4, /\b(?:make sure|ensure|be sure)\b.{0,60}(?:\b(?:always|never|will|is|are|respect|not|both)\b|=)/i],
  ['a rule', 0.42, /\b(?:respect|follow|stick to|adhere to) (?:the|our|these|this) (?:\w+ )?(?:rules?|conventions?|style|guidelines?|pattern)\b/i],
  sign(
    'what to use',
    0.4,
    String.raw`(?:^|[,.;] )(?:please |can you (?:please )?)?(?:don't|do not|stop|avoid|never) (?:use|using|add|adding|commit|create|make|write|touch|change|call|push|mock|put|include)\w*\b`,
  ),
  sign(
    'what to use',
    0.4,
    String.raw`(?:^|[,.;] |\b(?:please|just|let's|only) )use (?:the |an? |only )?(?:"[^"]+"|[\w./@-]+)(?: [\w./@-]+){0,3}(?:$|[,.]| (?:only|instead|everywhere|for|rather|not|and not|as)\b)`,
  ),
];

const SCOPE: readonly Sign[] = [
  sign(
    'where it holds',
    0.12,
    String.raw`\b(?:in (?:the )?(?:cloud|local|debug|dark|non-cloud) ?mode|only|everywhere|all|any|anytime|each|by default|on this page|for (?:github|claude|cursor|all|every|agents?)\S*|at any ?time|no matter|same)\b`,
    String.raw`\bin "?\w+"? mode\b`,
  ),
];
const CONTRAST: readonly Sign[] = [
  ['what it replaces', 0.12, /\bas "[^"]+"|\b(?:instead|rather than|not just|and not|but instead|not \w+ but|except)\b/i],
];
const REASON: readonly Sign[] = [
  ['its reason', 0.1, /\b(?:because|since|so that|as (?:we|it|i|they)|to avoid|it's (?:not|too|kind)|otherwise)\b/i],
];

const AGAINST: readonly Sign[] = [
  phrases(
    'it reports a fault',
    -0.25,
    String.raw`error|bug(?:ged)?|crash\w*|doesn't work|not working|fails?|failed|broken|issue when|exception|got this`,
    `i (?:don't|can't|cannot) (?:see|find|run|re-run)|weird|confused`,
  ),
  sign(
    'it asks for a thing once',
    -0.2,
    String.raw`^(?:can you|could you|please (?:add|fix|update|create|write|look|have)|add|fix|remove|create|update|implement|write|make|commit|push|generate|find|search|investigate|review|continue|test|run)\b`,
  ),
];

/** A wish put as a question is still a wish. */
const SOFT = /\b(?:i think (?:we|it|you|that)|we should|i'd (?:like|love|prefer))\b/i;

/** What the user wants done in a certain way, in their own words. */
export function preferencesIn(passage: Passage): Match[] {
  if (passage.voice !== 'user') return [];
  return passage.sentences.flatMap((sentence, at) => {
    const norm = signIn(sentence.plain, NORMS);
    if (norm === undefined) return [];
    const weak = norm.weight < 0.5;
    const match = matchOf(passage, sentence, [
      norm,
      signIn(sentence.plain, SCOPE),
      signIn(sentence.plain, CONTRAST),
      signIn(sentence.plain, REASON) ?? (nearby(passage, at).some((near) => REASON[0]?.[2].test(near.plain)) ? { why: 'a reason beside it', weight: 0.08 } : undefined),
      weak && !norm.why.startsWith('a rule') ? signIn(sentence.plain, AGAINST) : undefined,
      ...(SOFT.test(sentence.plain) ? [] : doubts(sentence)),
    ]);
    return match === undefined ? [] : [match];
  });
}
