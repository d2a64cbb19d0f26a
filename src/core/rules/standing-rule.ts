import { typedSentences } from './typed-sentences.ts';

/** The form of a rule: a ban, a habit, a taste, a design rule, a required property, or a choice with its reason. */
export type RuleKind = 'ban' | 'habit' | 'taste' | 'design' | 'norm' | 'choice';

export interface StandingRule {
  /** The sentence, without its introduction. */
  readonly text: string;
  readonly kind: RuleKind;
  /** The words that make it general. */
  readonly because: string;
}

/** A scope at the start of a rule: `in cloud mode, …`, `when a test needs the network, …`. */
const SCOPE = String.raw`(?:(?:given|in|for|on|at|with|when|where|if|since|because|as) [^,;]{3,70}, |(?:in|for|on) (?:\w+ ){1,3}(?=we |i ))?(?:i think )?(?:that )?`;
const NOT = String.raw`(?:don'?t|do not|avoid|stop)`;
const SUBJECT = String.raw`(?!we (?:also )?need|i (?:also )?need|you|it|this|that|these|those|they|there|the (?:last|first|other|second|next|new|same) one)[\w"'\`/@.-]+(?: [\w"'\`/@.()-]+){0,7}?`;
const begins = (...ways: readonly string[]): RegExp => new RegExp(`^${SCOPE}(?:please )?(?:${ways.join('|')})`, 'i');
const any = (...words: readonly string[]): RegExp => new RegExp(`\\b(?:${words.join('|')})\\b`, 'i');

/** Words that make a sentence general, at its start or, if unmistakable, anywhere. The first match decides. */
const KINDS: readonly (readonly [RuleKind, RegExp])[] = [
  ['habit', any('from now on', 'going forward', 'as a rule', 'by convention', 'under no circumstances', 'make it a habit')],
  ['ban', begins(String.raw`never \w+`, String.raw`${NOT} ever \w+`, String.raw`${SUBJECT} (?:should|must|may|can)(?: not|n'?t)(?: \S+){1,8} ever\b`)],
  [
    'habit',
    begins(
      String.raw`always (?!good|nice|great|fun|a|an|the|been|had|worth|happy|possible|\w+ing\b)\w+`,
      String.raw`(?:whenever|every ?time|each time|next time|in general)\b`,
      String.raw`before (?:making|committing|pushing|merging|starting|opening|you (?:commit|push|merge|start|open|change|edit|release|deploy)|any|each|every)\b`,
      String.raw`after (?:every|each|any)\b`,
    ),
  ],
  [
    'taste',
    begins(
      String.raw`(?:i|we)(?:'d| would)? (?:strongly |much |really |generally )?(?:prefer|rather)\b`,
      String.raw`(?:i|we) (?:really )?(?:don'?t|do not|never) (?:want|like) \w+`,
      'i (?:hate|dislike) ',
    ),
  ],
  ['taste', begins(String.raw`(?:prefer|favou?r|stick (?:to|with)) \S+`)],
  ['ban', begins(String.raw`it'?s better not to \w+`)],
  ['choice', begins(String.raw`we(?:'ve| have)? (?:chose|chosen|decided|picked|settled on|opted for|agreed (?:on|to|that))\b`)],
  [
    'design',
    begins(String.raw`${SUBJECT} (?:is|are|stays?|keeps?|has|have|does|do)\b.{0,60}\b(?:on purpose|intentional(?:ly)?|deliberate(?:ly)?|by design)\b`),
  ],
  ['design', begins(String.raw`${SUBJECT} (?:is|are|stays?|should|must)\b.{0,60}\bby default\b`, String.raw`${SUBJECT} stays (?:as |in |at |on )?[\w"'\`]`)],
  [
    'ban',
    begins(
      String.raw`${SUBJECT} (?:should|must)(?: not|n'?t| never) (?!be (?:too|that) )\w+`,
      String.raw`no need to \w+`,
      String.raw`.{0,40}\b(?:don'?t|do not) have access to\b`,
    ),
  ],
  [
    'ban',
    begins(
      String.raw`${NOT} (?:just )?(?!forget|worry|know|think|see|understand|have|need|mind|get|care|remember|want|like|bother|create|open|push|commit|merge|make|do|touch|change|fix|update|run|start)\w+`,
    ),
  ],
  [
    'ban',
    begins(
      String.raw`${NOT} just \w+`,
      String.raw`${NOT} (?:create|open|push|commit|merge|make|touch|change|update|run|start)\b.{10,}\b(?:without|unless|before|directly|manually|by hand|anywhere|any|every|other than|except)\b`,
    ),
  ],
  [
    'norm',
    begins(
      String.raw`${SUBJECT} (?:must|has to|have to|should) (?:always|only|first)\b`,
      String.raw`(?:all|every|each|any) ${SUBJECT} (?:should|must|has to|have to|needs? to|goes?)\b`,
    ),
  ],
  [
    'norm',
    begins(
      String.raw`we (?:only|usually|always|normally|generally) \w+`,
      String.raw`we (?:don'?t|never) (?:use|commit|push|mock|ship|merge|allow|put|add|write|support|store|expose)\b`,
    ),
  ],
  ['norm', begins(String.raw`${SUBJECT} (?:is|are) never .{5,80}$`)],
];

const LEAD =
  /^(?:(?:ok(?:ay)?|yes|yeah|yep|no|nope|and|but|also|so|oh|btw|hm+|right|sure|great|thanks|sorry|well|hey|please note(?: that)?|note(?: that)?|remember(?: that)?|one (?:more|other) thing)\b[,.:!–—-]*\s+)+/i;
const ASKS =
  /\?["'”)*_`]*\s*$|^(?:can|could|would|will|wo?uldn'?t|shall|do|does|did|is|are|was|were|am|why|how|what|where|which|who|should|shouldn'?t|isn'?t|aren'?t|have you|has|any (?:idea|reason|chance))\b/i;
/** A sentence that only points at something, which cannot be understood alone. */
const POINTS = /^(?:i (?:think|guess|feel|believe) )?(?:that )?(?:this|that|it'?s?|these|those|they|there|he|she|here)\b/i;
const POINTS_AT_END =
  /\b(?:that|those|these) \w+[.!]*$|^(?!.*\b(?:because|since|so that|as (?:we|it|they))\b)[^,]*\b(?:it|this|that|them|these|those|one|here|there|so|above|below)["')]*[.!]*$/i;
/** A sentence that depends on the one before: `though`, `either kind`, or a verb whose object was named there. */
const LEANS =
  /\b(?:though|either (?:kind|one|way|case)|both (?:kinds|ones|ways|cases)|the (?:former|latter|rest|others?))\b(?! (?:of|than)\b)|^(?:never|always|don'?t|do not) \w+\s*(?:[—–,;:.!]|$)/i;
/** Words of a request for the moment, which is no rule. */
const MOMENT = any(
  'yet',
  'right now',
  'for now',
  'just now',
  'at the moment',
  'currently',
  'this time',
  'today',
  'tomorrow',
  'later',
  'until',
  'for (?:this|that|these|the current)(?: \\w+)? (?:pr|branch|session|task|phase|commit|issue|change|one|run)',
  'this (?:pr|branch|session|task|phase|commit|issue|change|file|run|one|repo has)',
  'the (?:above|following|below|current (?:branch|pr))',
  'in that case',
  'go ahead',
  'the branch',
  'again',
  'already',
  'still',
);
const PROBLEM = any(
  String.raw`error(?:s|ed)?`,
  String.raw`fail(?:s|ed|ing|ure|ures)?`,
  String.raw`crash\w*`,
  'broken',
  'bug(?:s|ged|gy)?',
  'weird',
  'confus\\w+',
  'stuck',
  `(?:doesn'?t|does not|didn'?t|did not|not|isn'?t|never|always) (?:seem|work|working|show|showing|appear|load|loading|render|happen|happens|saw|seen|got|gets?|see|had|been|gets|heard|finish\\w*)`,
  "i (?:got|get|see|saw|have (?:the|an?)|cannot|can'?t|couldn'?t)",
  'looks like',
  'seems?',
);
const UNSURE = any(
  'not sure',
  'i wonder',
  'i guess',
  'maybe',
  'perhaps',
  'possibly',
  'might',
  'what if',
  'thoughts',
  'i thought',
  'i was',
  'if possible',
  'curious',
  'never ?mind',
  'i am starting',
  'would (?:be|have)',
  'recall',
  'something like',
  'nobody',
  'for example',
  '(?:i|we|you) could',
  'why not',
  'find a way',
  'as a suggestion',
);
/** Code, paths and places in files: written by a program or an agent, not typed as a rule. */
const CODE = /(?:^|\s)(?:[A-Za-z]:\\|\/(?:home|Users|tmp|var)\/)|\(line|\w\(\)|[&=]\s?\w+[{[(]|\b\w+\.\w+\.\w+\b|[{};]/;
/** A request for one thing. */
const ONE_TASK =
  /^(?:(?:just|please|then|now) )*(?:add|fix|implement|create|update|write|generate|commit|push|merge|rebase|rework|fold|review|check|look|investigate|find|search|show|give|tell|explain|run|try|test|make (?!sure)|remove|delete|rename|move|change|replace|revert|undo|continue|resume|open|close|bump|let'?s|lets|mention|ensure|plus)\b/i;
/** Words that are no topic of a rule. */
const EMPTY = any(
  'always|never|ever|please|should|would|could|must|shall|dont|don|not|want|prefer|rather|like|just|only|also|make|sure|with|without|from|that|this|these|those|them|they|there|then|than|what|when|where|which|will|have|been|being|into|your|here|going|forward|next|time|every|each|thing|things|stuff|something|anything|everything|nothing|default|think|need|needs|about|really|very|much|more|some|because|since|avoid|stop|using|doing|does|done|better|general|rule|purpose|design|future|know|good|okay',
);
const SHORTEST = 24;
const LONGEST = 200;
const MIN_WORDS = 5;
const MIN_SUBJECT = 3;

const subjectWords = (text: string): number =>
  new Set(
    (text.toLowerCase().match(/[`"'\p{L}\p{N}_./@-]{3,}/gu) ?? []).filter(
      (word) => /[\p{L}\p{N}]{3,}/u.test(word) && !EMPTY.test(word.replace(/^\W+|\W+$/g, '')),
    ),
  ).size;

const plainOf = (sentence: string): string => sentence.replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(LEAD, '').trim();

/** Whether a rule is only a single request: one on the look or behaviour of the product, without a reason. */
const isSingleRequest = (kind: RuleKind, because: string): boolean =>
  (kind === 'design' || kind === 'ban') && /\bshould/i.test(because) && !/\b(?:must|ever|never)\b/i.test(because);
const REASON = /\b(?:because|since|so that|so|otherwise|as (?:we|it|they|this)|given|due to|to (?:avoid|prevent|keep)|but (?:instead|rather))\b/i;

/** A sentence as a lasting rule; undefined if it asks, points, reports, doubts, or applies only for the moment. */
export function ruleIn(sentence: string): StandingRule | undefined {
  const text = plainOf(sentence);
  if (text.length < SHORTEST || text.length > LONGEST || text.split(' ').length < MIN_WORDS || CODE.test(text)) return undefined;
  if (ASKS.test(text) || POINTS.test(text) || POINTS_AT_END.test(text) || LEANS.test(text) || MOMENT.test(text) || PROBLEM.test(text) || UNSURE.test(text))
    return undefined;
  if (subjectWords(text) < MIN_SUBJECT) return undefined;
  for (const [kind, pattern] of ONE_TASK.test(text) ? [] : KINDS) {
    const because = pattern.exec(text)?.[0];
    if (because === undefined) continue;
    return isSingleRequest(kind, because) && !REASON.test(text) ? undefined : { text, kind, because: because.trim() };
  }
  return undefined;
}

/** The sentences of a prompt that state a rule in the user's own typed words. */
export const ruleSentences = (prompt: string): StandingRule[] => typedSentences(prompt).flatMap((sentence) => ruleIn(sentence) ?? []);
