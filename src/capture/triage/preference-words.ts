import { one, phrases, raw, saying, sign, type Sign } from './words.ts';

/** What "always" and "never" go with when people talk about their lives. */
const NOT_A_RULE = raw`(?!be(?:en)?\b|had|forg|felt|seen|thought|wanted|knew|loved?|got|gonna|easy|have|know|give|remind|feel|make me)`;
const STATES = one(
  'be|have|use|appear|display|show|see|contain|include|look|live|stay|go|run|make|add|start|call|say|support|update|keep|avoid|highlight|find',
);
const HABIT = one('use|using|add|adding|commit|create|make|write|touch|change|call|push|mock|put|include');
const A_THING = raw`(?:"[^"]+"|[\w./@-]+)(?: [\w./@-]+){0,3}`;

export const NORMS: readonly Sign[] = [
  sign(
    'asked to be remembered',
    0.6,
    raw`(?:^|[,;.] |please )remember (?:that|to|this)|\bkeep in mind\b|\bnote for (?:the future|next time)\b|\bfrom now on\b`,
    raw`\bgoing forward\b`,
    raw`\bin (?:the )?future,? (?:always|never|please|use|don't)\b`,
  ),
  sign('a rule', 0.44, raw`(?:^|[,;:.—–-] |\b(?:please|should|must|you|we|to|and|but) )(?:always|never) ${NOT_A_RULE}[a-z]+`),
  phrases(
    'a rule',
    0.44,
    `whenever you|every time you|i(?:'d| would)? (?:much )?(?:prefer|rather)`,
    `i (?:really )?(?:don't|do not) (?:want|like) (?:to|it|the|any|this|that|you)`,
    'i (?:want|need|expect) you to|in (?:this|our) (?:project|repo|repository|code ?base|team),? (?:we|please|always|never|use)',
    raw`we (?:strongly |always )?prefer \w+|i (?:like|love|hate|dislike|want) (?:short|small|long|explicit|plain|simple|clean|named|verbose|terse)`,
    `we (?:never|don't|do not|prefer(?: to)?) (?:use|commit|mock|push|want|need|allow|put|ship|merge|add|write|name)`,
    'we (?:only |always )?use [^,.]{1,30}(?:, (?:not|never)|,? instead of|,? rather than| everywhere)',
    'our (?:convention|style|rule|policy|standard)|the convention|align the (?:terminology|naming|style|wording)',
    raw`keep(?:ing)? (?:it|them|these|those|\w+s) (?:to|under|below|within|at) (?:\w+ )?(?:\d+|one|two|three|four|five|ten|twenty)`,
    raw`(?:when|whenever|if|before|after) you \w+(?: \w+){0,3}, (?:please )?(?:always|never|keep|use|write|put|add|don't|make|show|ask)`,
    raw`keep(?:ing)? (?:it|things|this|the \w+) (?:simple|small|short|the same|consistent|minimal)`,
  ),
  phrases('how it should not be', 0.42, raw`(?:should(?:n't| not| never)|must not|mustn't) \w+`),
  phrases(
    'how it should be',
    0.34,
    `should (?:also |always |only |just )?${STATES}`,
    'must (?:not |always |never |only )?(?:be|have|use|appear|stay|include|contain)|(?:has|have|needs?|ought) to (?:be|have|stay|look|include)',
  ),
  sign('how it should be', 0.4, raw`\b(?:make sure|ensure|be sure)\b.{0,60}(?:\b(?:always|never|will|is|are|respect|not|both)\b|=)`),
  phrases('a rule', 0.42, raw`(?:respect|follow|stick to|adhere to) (?:the|our|these|this) (?:\w+ )?(?:rules?|conventions?|style|guidelines?|pattern)`),
  sign(
    'what to use',
    0.4,
    raw`(?:^|[,.;] )(?:please |can you (?:please )?)?(?:don't|do not|stop|avoid|never) ${HABIT}\w*\b`,
    raw`(?:^|[,.;] |\b(?:please|just|let's|only) )use (?:the |an? |only )?${A_THING}(?:$|[,.]| (?:only|instead|everywhere|for|rather|not|and not|as)\b)`,
  ),
];

export const SCOPE: readonly Sign[] = [
  sign(
    'where it holds',
    0.12,
    raw`\bin (?:the )?(?:cloud|local|debug|dark|non-cloud) ?mode\b`,
    raw`\b(?:only|everywhere|all|any|anytime|each|by default|on this page|at any ?time|no matter|same)\b`,
    raw`\bfor (?:github|claude|cursor|all|every|agents?)\S*|\bin "?\w+"? mode\b`,
  ),
];
export const CONTRAST: readonly Sign[] = [
  sign('what it replaces', 0.12, raw`\bas "[^"]+"|\b(?:instead|rather than|not just|and not|but instead|not \w+ but|except)\b`),
];
export const REASON: Sign = phrases('its reason', 0.1, `because|since|so that|as (?:we|it|i|they)|to avoid|it's (?:not|too|kind)|otherwise`);

export const AGAINST: readonly Sign[] = [
  phrases(
    'it reports a fault',
    -0.25,
    raw`error|bug(?:ged)?|crash\w*|doesn't work|not working|fails?|failed|broken|issue when|exception|got this|weird|confused`,
    `i (?:don't|can't|cannot) (?:see|find|run|re-run)`,
  ),
  phrases('it asks for a check', -0.15, '(?:is|are|be) (?:properly|correctly)|still (?:works?|pass(?:es)?)'),
  sign(
    'it asks for a thing once',
    -0.2,
    raw`^(?:can you|could you|please (?:add|fix|update|create|write|look|have))\b`,
    raw`^(?:add|fix|remove|create|update|implement|write|make(?! sure)|commit|push|generate|find|search|investigate|review|continue|test|run)\b`,
  ),
];

/** A wish put as a question is still a wish. */
export const WISH = saying(`i think (?:we|it|you|that)|we should|i'd (?:like|love|prefer)`);
