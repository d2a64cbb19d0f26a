import { verbs, chain, one, phrases, raw, saying, sign, type Sign } from './words.ts';
import type { Passage } from './prose.ts';
import { doubts, type TriageMatch, matchOf, nearby, signIn } from './score.ts';

/** What "always" and "never" go with when people talk about their lives. */
const NOT_A_RULE = raw`(?!be(?:en)?\b|good|great|nice|fun|had|forg|felt|seen|thought|wanted|knew|loved?|got|gonna|easy|have|know|give up|remind|feel|make me)`;
const STATES = one(
  'be|have|use|appear|display|show|see|contain|include|look|live|stay|go|run|make|add|start|call|say|support|update|keep|avoid|highlight|find',
);
const HABIT = one('use|using|add|adding|commit|create|make|write|touch|change|call|push|mock|put|include');
const A_THING = raw`(?:"[^"]+"|[\w./@-]+)(?: [\w./@-]+){0,3}`;

/** Words for things that an agent does and a person can want done differently. */
const WORK = verbs(
  'use|add|commit committed committing|create|make made|write wrote|touch|change|call|push|mock|put put putting|include|run ran|show|give gave|ask|explain|answer|reply|name|sort|check|update|bump|summarise|summarize|apologise|apologize|repeat|guess|install|edit|delete|rebase|merge|keep kept|leave left|review|format|import|log|throw threw|catch caught|indent|comment|document|spell|stick stuck|follow|prefer|avoid|do did|say said|wait|test|generate|refactor|rename|skip|print|return|read|tell told|inline|export|talk|speak|list',
);
const ALL_OF_THEM = one('every|each|all|any|no|public|private|new|our|test|commit|unit|file|branch|variable');
const START = raw`^(?:(?:ok(?:ay)?|yes|no|and|but|also|so|oh|btw|please|pls|one (?:more|general) thing|in general|generally|as a rule|my rule|in (?:this|our) \w+|for \w+(?: \w+)?|in \w+ (?:code|files)|when you \w+(?: \w+){0,2}|next time)[,:]? )*`;

/** Words for ways of working, stated as a rule or a taste. */
const TASTES: readonly Sign[] = [
  sign(
    'a rule',
    0.46,
    raw`\b(?:from (?:here|now) on(?:wards?)?|going forward|next time|as a rule|my rule|in general|by habit|make it a habit|get into the habit|that goes for|ever again|whenever|any ?time|every time|each time)\b`,
    raw`\b(?:don't|do not|dont|never) ever\b|\bever[.!]?$|[,:] (?:always|never)[.!]?$|\b(?:please|pls),? (?:always|never|don't|stop|avoid|keep|no)\b|\b(?:always|never),? please\b`,
    raw`\bi(?:'d| would)? (?:always |much |really )?(?:rather|prefer|like my|like to|hate|dislike|can't stand|cannot stand|insist|expect|don't like|do not like|can't have|won't (?:review|merge|accept))\b`,
    raw`\bi (?:don't|do not|never) want (?!to (?:see|know|go|do|be)\b)\w+|\b(?:you keep|stop|quit|no more|enough with) \w+ing\b|\btry to avoid\b|\bmake a point of\b|\bthat's how (?:i|we)\b|\bhow i like\b`,
    raw`\bi (?:want|need) (?:all|every|each|you to always|you to never|tests|only)\b|\bwe (?:always |usually |generally |normally |only |never |don't )?(?:favou?r|prefer|like|avoid|name|write|log|document|format|indent|sort|spell|do not do|don't do|never do)\b`,
    raw`\b(?:less|fewer) \w+, more \w+|\bask (?:me )?(?:before|first|instead)\b|\b(?:wait for|without) my (?:ok|okay|approval|go)\b|\bask instead of\b`,
  ),
  sign(
    'how it is done here',
    0.4,
    raw`\b${ALL_OF_THEM} [\w -]{2,30} (?:should|must|gets?|ha(?:s|ve) to|are|is|go|goes|sit|live|read)\b.{0,60}(?:, not|, never|\bonly\b|\beverywhere\b|\blike\b|\bplease\b|\bone thing\b|\bsentences\b|\bdocstrings?\b|\bstyle\b)`,
    raw`\b(?:in|for) (?:our|this|the) (?:code ?base|repo\w*|project|team|company|docs)\b(?=.{0,60}\b(?:we|always|never|sit|live|go|use|only|not|tests?|everywhere)\b)|\bin \w+ (?:code|files)\b.{0,40}\beverywhere\b|\bthroughout the (?:code|repo|project|app)\w*|\blike (?:in )?the rest of\b`,
    raw`^[\w /.+-]{2,30}, not [\w /.+-]{2,30}$|\bis the way\b|\bit's "[^"]+", not\b|\bno [\w-]+(?: [\w-]+)?,? please\b|\bplease,? no \w+`,
    chain(
      raw`${START}(?:no(?! (?:problem|worries|way|idea|thanks?|one|doubt|rush|matter|clue|luck|pressure|error|change))|don't(?! (?:forget|worry|know|think|see|have))|do not|dont|never|avoid|stop|skip|prefer|favou?r|stick (?:to|with)) `,
      [80, raw`\b(?:in|for|with|by|over|plus|unless|without|until|myself|yourself|instead|please)\b|$`],
    ),
    chain(
      raw`${START}keep (?:the |your |all )?(?:\w+ )?(?:answers?|repl(?:y|ies)|functions?|files?|commits?|prs?|names?|messages?|comments?|diffs?|it|code|tests?|components?|lines?)\b`,
      [30, raw`\b(?:short|small|below|under|simple|pure|dumb|terse|brief|clean|sorted|focused|to)\b`],
    ),
    chain(raw`${START}(?:just |only )?(?:answer|reply|write|speak|respond|talk) `, [24, raw`\b(?:in|with) \w+`]),
    chain(raw`\b(?:no need to|you (?:only|just)|you should(?: always| never| first)?) `, [0, raw`${WORK.base}\b`]),
    raw`\blet me do\b|\bcall me \w+`,
    raw`\b(?:can|could|would) you (?:please )?(?:stop|always|not|avoid|use) `,
    raw`\buse (?:the )?[\w./@-]+(?: [\w./@-]+){0,2}(?: here| everywhere)?,? (?:not|never|instead of|over|rather than)\b|\bfor this (?:repo|project),? use\b`,
  ),
];

const NORMS: readonly Sign[] = [
  sign(
    'asked to be remembered',
    0.6,
    raw`(?:^|[,;.] |please )remember (?:that|to|this)|\bkeep in mind\b|\bnote for (?:the future|next time)\b|\bfrom now on\b`,
    raw`\bgoing forward\b`,
    raw`\bin (?:the )?future,? (?:always|never|please|use|don't)\b`,
  ),
  ...TASTES.slice(0, 1),
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
  ...TASTES.slice(1),
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

const SCOPE: readonly Sign[] = [
  sign(
    'where it holds',
    0.12,
    raw`\bin (?:the )?(?:cloud|local|debug|dark|non-cloud) ?mode\b`,
    raw`\b(?:only|everywhere|all|any|anytime|each|by default|on this page|at any ?time|no matter|same)\b`,
    raw`\bfor (?:github|claude|cursor|all|every|agents?)\S*|\bin "?\w+"? mode\b`,
  ),
];
const CONTRAST: readonly Sign[] = [
  sign('what it replaces', 0.12, raw`\bas "[^"]+"|\b(?:instead|rather than|not just|and not|but instead|not \w+ but|except)\b`),
];
const REASON: Sign = phrases('its reason', 0.1, `because|since|so that|as (?:we|it|i|they)|to avoid|it's (?:not|too|kind)|otherwise`);

const AGAINST: readonly Sign[] = [
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

/** Phrases of a request; one in the form of a question still counts. */
const REQUEST_PHRASE = saying(`i think (?:we|it|you|that)|we should|i'd (?:like|love|prefer)`);

/** Sentences in which the user asks for a certain way of working. */
export function preferencesIn(passage: Passage): TriageMatch[] {
  if (passage.voice !== 'user') return [];
  return passage.sentences.flatMap((sentence, at) => {
    const { plain } = sentence;
    const norm = signIn(plain, NORMS);
    if (norm === undefined) return [];
    const isRule = norm.why.startsWith('a rule') || norm.why.startsWith('asked');
    const beside = nearby(passage, at).some((near) => REASON[2].test(near.plain)) ? { why: 'a reason beside it', weight: 0.08 } : undefined;
    const match = matchOf(passage, sentence, [
      norm,
      signIn(plain, SCOPE),
      signIn(plain, CONTRAST),
      signIn(plain, [REASON]) ?? beside,
      isRule ? undefined : signIn(plain, AGAINST),
      ...(REQUEST_PHRASE.test(plain) ? [] : doubts(sentence)),
    ]);
    return match === undefined ? [] : [match];
  });
}
