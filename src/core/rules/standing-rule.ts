import { typedSentences } from './typed-sentences.ts';

/** How a rule is put: as a ban, as a habit, as a taste, as what holds by design, or as how a thing has to be. */
export type RuleKind = 'ban' | 'habit' | 'taste' | 'design' | 'norm';

export interface StandingRule {
  /** The sentence, without what only leads up to it. */
  readonly text: string;
  readonly kind: RuleKind;
  /** The words that make it general. */
  readonly because: string;
}

const START = String.raw`(?:^|[,;:—–-] |\b(?:and|but|so|please|also|then|ok|yes) )`;
const NOT = String.raw`(?:don'?t|do not|never|avoid|stop)`;
const any = (...words: readonly string[]): RegExp => new RegExp(`\\b(?:${words.join('|')})\\b`, 'i');

/** First match decides; the strongest ways of saying it come first. */
const KINDS: readonly (readonly [RuleKind, RegExp])[] = [
  ['ban', any('never', `${NOT} ever`, String.raw`(?:should|must)(?:n'?t| not) \w+(?: \S+){0,6} ever`, 'under no circumstances', 'no matter what')],
  [
    'habit',
    any('always', 'from now on', 'going forward', 'as a rule', 'whenever', String.raw`every ?time`, 'each time', 'by convention', 'in general', 'next time'),
  ],
  [
    'habit',
    any(
      String.raw`before (?:making|committing|pushing|merging|starting|opening|you (?:commit|push|merge|start|open|change|edit|release|deploy)|any|each|every)\b.{3,60}`,
      String.raw`after (?:every|each|any)`,
    ),
  ],
  [
    'taste',
    any(
      `i(?:'d| would)? (?:strongly |much |really )?(?:prefer|rather)`,
      'we prefer',
      `(?:i|we) (?:really )?(?:don'?t|do not|never) (?:want|like)`,
      'i (?:hate|dislike)',
    ),
  ],
  ['taste', any('(?:prefer|favou?r) \\S+ (?:over|to|instead of)', 'better not to', 'stick (?:to|with)')],
  [
    'design',
    any(
      'on purpose',
      'intentional(?:ly)?',
      'deliberate(?:ly)?',
      'by design',
      'by default',
      'as (?:the |a )?default',
      '(?:the )?default (?:behaviou?r|value|mode) (?:is|should)',
    ),
  ],
  ['ban', new RegExp(String.raw`${START}${NOT} (?:ever |just )?(?!forget|worry|know|think|see|understand|have|need|mind|get|care|remember|want|like)\w+`, 'i')],
  [
    'ban',
    any(
      String.raw`(?:should|must)(?:n'?t| not| never) (?!be (?:too|that) )\w+`,
      `no need to \\w+`,
      `(?:can(?:'t|not)|is not allowed to|may not) (?:use|have|access|commit|push|rely|depend|store|call)`,
    ),
  ],
  [
    'norm',
    any(
      String.raw`(?:must|has to|have to|should) (?:always|only|first)`,
      String.raw`(?:all|every|each|any) [\w -]{3,40}? (?:should|must|has to|have to|needs? to|can be|goes?)`,
    ),
  ],
  ['norm', any(`we (?:only|usually|always|normally|generally|don'?t|never) \\w+`)],
];

const LEAD =
  /^(?:(?:ok(?:ay)?|yes|yeah|yep|no|nope|and|but|also|so|oh|btw|hm+|right|sure|great|thanks|sorry|well|hey|please note(?: that)?|note(?: that)?|remember(?: that)?|one (?:more|other) thing)\b[,.:!–—-]*\s+)+/i;
const ASKS =
  /\?["'”)*_`]*\s*$|^(?:can|could|would|will|wo?uldn'?t|shall|do|does|did|is|are|was|were|am|why|how|what|where|which|who|should|shouldn'?t|isn'?t|aren'?t|have you|has|any (?:idea|reason|chance))\b/i;
/** A sentence that only points at something cannot be understood alone. */
const POINTS = /^(?:i (?:think|guess|feel|believe) )?(?:that )?(?:this|that|it'?s?|these|those|they|there|he|she|here)\b/i;
const POINTS_AT_END = /^[^,]*\b(?:it|this|that|them|these|those|one|here|there|so|above|below)["')]*[.!]*$/i;
/** What holds for the moment is no rule. */
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
  'again',
  'already',
  'still',
);
const TROUBLE = any(
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
  'for example',
  '(?:i|we|you) could',
  'why not',
  'find a way',
  'as a suggestion',
);
const ONE_TASK =
  /^(?:add|fix|implement|create|update|write|generate|commit|push|merge|rebase|review|check|look|investigate|find|search|show|give|tell|explain|run|try|test|make (?!sure)|remove|delete|rename|move|change|replace|revert|undo|continue|resume|open|close|bump|let'?s|lets|can we|mention)\b/i;
/** Words that say nothing of what a rule is about. */
const EMPTY = any(
  'always|never|ever|please|should|would|could|must|shall|dont|don|not|want|prefer|rather|like|just|only|also|make|sure|with|without|from|that|this|these|those|them|they|there|then|than|what|when|where|which|will|have|been|being|into|your|here|going|forward|next|time|every|each|thing|things|stuff|something|anything|everything|nothing|default|think|need|needs|about|really|very|much|more|some|because|since|avoid|stop|using|doing|does|done|better|general|rule|purpose|design|future|know|good|okay',
);
const SHORTEST = 18;
const MIN_WORDS = 4;
const MIN_SUBJECT = 2;

const subjectWords = (text: string): number =>
  new Set(
    (text.toLowerCase().match(/[`"'\p{L}\p{N}_./@-]{3,}/gu) ?? []).filter(
      (word) => /[\p{L}\p{N}]{3,}/u.test(word) && !EMPTY.test(word.replace(/^\W+|\W+$/g, '')),
    ),
  ).size;

const plainOf = (sentence: string): string => sentence.replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(LEAD, '').trim();

/** A sentence read as a rule that goes on holding; undefined where it asks, points, reports, doubts, or holds for the moment only. */
export function ruleIn(sentence: string): StandingRule | undefined {
  const text = plainOf(sentence);
  if (text.length < SHORTEST || text.split(' ').length < MIN_WORDS) return undefined;
  if (ASKS.test(text) || POINTS.test(text) || POINTS_AT_END.test(text) || MOMENT.test(text) || TROUBLE.test(text) || UNSURE.test(text)) return undefined;
  for (const [kind, pattern] of KINDS) {
    const because = pattern.exec(text)?.[0];
    if (because === undefined) continue;
    if (ONE_TASK.test(text) && kind !== 'habit' && !/\b(?:always|never|ever)\b/i.test(because)) return undefined;
    return subjectWords(text) >= MIN_SUBJECT ? { text, kind, because: because.trim() } : undefined;
  }
  return undefined;
}

/** The sentences of a prompt that state a rule in the user's own typed words. */
export const ruleSentences = (prompt: string): StandingRule[] => typedSentences(prompt).flatMap((sentence) => ruleIn(sentence) ?? []);
