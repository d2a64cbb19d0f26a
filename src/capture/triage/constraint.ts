import { verbs, chain, one, phrases, raw, saying, sign, type Sign } from './words.ts';
import type { Passage } from './prose.ts';
import { doubts, type TriageMatch, matchOf, nearby, signIn } from './score.ts';

const REFUSES = one(`does(?:n't| not)`, `do(?:n't| not)`, `won't`, 'will not', `can(?:'t|not| not)`, 'never');
const TO_DO = one(
  'send|open|store|exceed|connect|access|support|allow|accept|recogni[sz]e|serve|handle|check out|resurrect|import|work (?:in|on|with)|run (?:in|on|without)|expose|provide|mount|have ssh',
  'persist|commit or|clone|resume|share|read|see|throw|return|emit|fire|trigger|preserve|propagate|wait|inherit',
  raw`get (?:\w+ )?(?:served|loaded|picked|copied|rebuilt)`,
);
const BE_DONE = one(
  'upgraded|changed|used|modified|installed|run|shared|mixed|disabled|removed|renamed|combined|nested|imported|edited|deleted',
  'deployed|reused',
);

/** Words for what a tool, a service or a rule does when a limit is exceeded. */
const HEM_IN = verbs(
  'kill|terminate|suspend|cap|limit|throttle|reject|refuse|drop|ignore|block|forbid forbade|prohibit|ban|lock|truncate|cut cut cutting|expire|lack|restrict|require|demand|insist|disallow|prevent|strip',
);
const NUMBER = raw`(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|ten|twelve|twenty|thirty|sixty|a hundred|a single)`;
const UNIT = one(
  '%|k|kb|mb|gb|tb|bytes?|ms|s|seconds?|sec|minutes?|min|hours?|days?|weeks?|months?|years?|items?|requests?|characters?|chars|rows?|calls?|lines?|fps|hz|users?|seats?|agents?|retries|connections?|files?|instances?|am|pm|cores?|times?',
);
const AMOUNT = raw`\b${NUMBER} ?${UNIT}\b`;
const MUST = one('must|ha(?:s|ve) (?:got )?to|got to|may|shall');

const CONSTRAINT_LIMITS: readonly Sign[] = [
  sign(
    'a limit',
    0.44,
    raw`\b(?:is|are|be) (?:strictly )?(?:forbidden|prohibited|not permitted|off limits|frozen|append[- ]only|read[- ]only|immutable|unavailable)\b|\bread-only (?:file|disk|mount|replica)|\b(?:not|never) (?:allowed|permitted) to\b|\bnot permitted\b`,
    raw`\b(?:must|may|shall|can|should) never\b|\bmust under no\b|\bunder no circumstances\b|\bhard (?:requirement|limit|constraint)\b|\b(?:by|in) (?:law|the contract|the sla|contract)\b`,
    raw`\b(?:there is|there's|has|have|with|offers?|gives?|knows?) no (?:way|option|means|support|access|internet|network|\w+ access)\b|\bno (?:internet|network access|outbound)\b`,
    raw`\b(?:stay|remain|be|keep \w+|fit|finish) (?:(?:under|below|within|above|at least|at most|smaller than|less than) (?:${NUMBER}|the|our|a)|exact)\b|\b(?:no|not) (?:more|longer|larger|older|bigger) than ${NUMBER}`,
    raw`\b(?:max|maximum|min|minimum|at most|up to|limit of|limited to|capped at|no more than)\W? ?(?:of )?${NUMBER}\b`,
    raw`\bstuck (?:on|with|at)\b|\brules? out\b|\bmust work without\b|\bonly one \w+(?: \w+){0,4} (?:may|can|at a time|is allowed)\b`,
  ),
  sign(
    'a limit',
    0.4,
    chain(raw`\b(?:${HEM_IN.third}|(?<!\bto )${HEM_IN.base}) `, [
      60,
      raw`(?:${AMOUNT}|\b(?:older|longer|larger|bigger|more) than\b|\bbefore\b|\bby default\b|\bbeyond\b|\bunless\b|\bafter\b)`,
    ]),
    chain(raw`\b(?:allows?|lets? (?:us|you)|accepts?|supports?|covers?|gives? us|targets?|delivers?|handles?|understands?|ha(?:s|ve)|get) `, [
      24,
      raw`\b${NUMBER} ?(?:\w+ )?${UNIT}\b`,
    ]),
    raw`\b(?:only|just) (?:\w+ ){0,2}(?:ha(?:s|ve)|understands?|knows?|supports?|accepts?|takes?|possible|permitted|allowed|between|via|through)\b`,
    raw`\b(?:accepts?|runs?|possible|available|open|works?) (?:\w+ )?(?:only )?(?:between|before|until|from) \d`,
    raw`\b(?:lacks?|refuses?|insists? on|forbids?|prohibits?) (?:a|an|the|any|all|on|that|every|to|\w+)\b|\brequires? (?:an?|the|explicit|prior) (?:\w+ ){1,4}(?:before|to be|first)\b`,
  ),
  sign(
    'a rule from outside',
    0.36,
    raw`(?<!\b(?:i|that|which|you|also|just|still|problem|issue) )\b${MUST} (?!be that|be because)(?:not |never |always |still |only |all )?(?:be |go |stay|remain|run|work|fit|support|pass|happen|come|survive|use |keep|match|respond|finish|able)`,
    raw`\b(?:old|every|all|both|the|our) (?!files that)[\w() .=><-]{2,40} (?<!that )(?:still )?needs? to (?:be|stay|keep|work)\b|^no \w+(?: \w+){0,2}(?:,| anywhere| allowed|$)|\b(?:nothing|nobody|none|no \w+) (?:may|can|must|is allowed to|should)\b|\bnot even\b|\bneed (?:a|an|the) [\w -]{2,30}(?:sign-?off|approval|permission|ticket|review)\b`,
    raw`\b(?:can(?:'t|not)|may not|must not|mustn't) (?:assume|exceed|rely|depend|contain|leave|hold|store|keep|log|call|load|block|truncate|write|run|touch|change|rename|pass|survive)\b`,
    raw`\bdo(?:es)? not (?:survive|apply|expose|work|support|allow|offer|accept|permit)\b|\b(?:is|are) not (?:applied|available|exposed|allowed|possible|supported)\b`,
  ),

  phrases(
    'a limit',
    0.42,
    `(?:is|are|was) (?:not|n't|no longer) (?:supported|possible|allowed|available|valid|recogni[sz]ed)`,
    `(?:isn't|aren't) (?:supported|possible|allowed|available)|not supported (?:by|in|on)|unsupported`,
    'no longer (?:exists?|supported|available|works?)|forbidden|not a valid|invalid value',
  ),
  sign(
    'a limit',
    0.42,
    raw`\b(?:kills?|cuts?|ends?|drops?|closes?|times? out|expires?|deletes?|rejects?|throttles?|truncates?)\b.{0,60}\b(?:after|at|above|beyond|over|longer than|larger than) \d`,
    raw`\b(?:has|have|with|got) (?:only )?\d+ ?(?:kb|mb|gb|bytes|cores?|cpus?|requests|seats)\b`,
  ),
  phrases('a limit', 0.4, raw`${REFUSES} (?:automatically |actually |yet |even )?${TO_DO}\w*`),
  phrases(
    'a limit',
    0.36,
    raw`(?:you|one|python|node|git|it|they|we|users?|agents?|\w+ (?:cli|api|server|hook|runner|module|tool)) (?:can't|cannot|can not|can only|may only)`,
  ),
  sign(
    'a limit',
    0.36,
    raw`(?<!\b(?:i|we|you|me|who|it|this|that|there) )\b(?:cannot|can't|can not|may not|must not) (?!find|see|be (?:found|sure)|tell|say)[a-z]+`,
  ),
  phrases(
    'a requirement',
    0.36,
    '(?:has|have) to be (?:finished|done|ready|delivered|complete[d]?) (?:before|by|until|within|in)',
    '(?:has|have) to (?:stay|remain|keep|run on|work on|fit)|must (?:keep|stay|remain|work|support|continue|fit)',
    '(?:now )?requires? (?:explicit|that|user|every|all|at least|separate|you|the)|required (?:by|for)',
    'must (?:be (?:configured|set|run|mounted|rebuilt|explicitly|a |an |the )|never|not|always|run|match)',
    'needs? to be (?:mounted|configured|running|set|told|rebuilt|installed)',
    'only (?:supports?|accepts?|works?|available|exists?|runs?|allows?)',
    '(?:is|are) only (?:created|available|generated|set|loaded) (?:during|by|in|when|after|once|on)',
    'valid values (?:are|for)|limit(?:ed)? (?:of|to)|at most|maximum|(?:is|are) the minimum|minimum version|rate limit|is read-only',
    `(?:cannot|can't|must not|may not) be ${BE_DONE}`,
  ),
  phrases(
    'a habit of the tools',
    0.36,
    raw`pick(?:s|ed|ing) up (?:\w+ ){0,3}(?:tests?|files?|changes|config)|runs? (?:lint|tests?|typecheck) on|is gitignored`,
    'terminates? on|strips?|rewrote|rewrites (?:the|your|it)|gets? (?:auto|rewritten|amended)',
  ),
];

/** Where a rule of this kind comes from. */
const AUTHORITY: Sign = phrases(
  'who sets it',
  0.14,
  raw`legal|law|contract|sla|audit(?:ors?)?|pci|gdpr|hipaa|policy|compliance|regulat\w+|ministry|tax office|bank|customers?|clients?|partners?|ops|dba|license|licence|app store|vendor|firmware|in the field|closed source|public|accessibility|security`,
  raw`outage|reject\w*|or (?:the|jobs?|it|they|we)|otherwise|breaks?|twice|lock(?:s|ed)|after that|beyond that|that's all|not more|at no other|at any time|at once|anywhere|whatever we do|hence|so no`,
);

const LASTING: Sign = phrases(
  'it holds beyond this task',
  0.16,
  'always|never|by default|automatically|by design|in (?:cloud|production|ci|non-interactive|headless|remote) ?(?:mode)?|anymore|once|regardless',
  raw`on (?:the )?(?:remote|headless|windows|macos|linux|ci)|until|unless|during|without|every|any|all|entire|whole|per \w+`,
);

/** A wall is often a number. */
const MEASURE: Sign = sign(
  'how much is allowed',
  0.12,
  raw`\b\d[\d,.]* ?(?:%|kb|mb|gb|bytes|ms|seconds?|minutes?|hours?|days?|items?|requests?|characters?|rows?|calls?)\b`,
  raw`\b(?:more|fewer|less|longer|larger|smaller) than (?:\d|one|two|three|ten|a)`,
  raw`\b(?:only|allows?|limited to|maximum of|before|within) (?:\w+ )?(?:\d+|one|two|three|four|five|ten|twenty|hundred)\b`,
  raw`\b(?:at most|up to|per page|not even|port \d+|python \d|node \d)`,
);

const PLATFORM: Sign = phrases(
  'it is about a tool or a platform',
  0.14,
  'cli|api|sdk|hooks?|server|browser|chrome|firefox|safari|runtime|runner|compiler|library|framework|package|plugin|database|schema|protocol',
  'tier|quota|s3|cloudflare|browsers|gpl|product|production|legacy|provider|vendor|customers?|firewall|proxy|device|hardware|contract|law|licen[cs]e|gdpr|ios|android|sqlite|postgres',
  raw`git|docker|vercel|aws|lambda|next\.?js|node|npm|bun|python|uv|github|codex|cursor|claude|copilot|ssh|sandbox|module|submodules?`,
  'secrets?|subagents?|process|windows|macos|linux|endpoint|functions?|printers?|firmware|driver|format|tokens?|file ?system|gateway|queue|broker|load balancer|notifications?|permission|extensions?',
);

const RESULTS: Sign = phrases(
  'what follows from it',
  0.12,
  `so|therefore|which means|this means|otherwise|that's why|blocks?|means? that|because|needs? to|instead|fails? with`,
);
const RESULT_BESIDE = saying('so|therefore|need to|instead|workaround');

const PASSING: readonly Sign[] = [
  phrases(
    'it is a trouble of the moment',
    -0.4,
    `i (?:can't|cannot|don't|couldn't|didn't)|can't find|cannot find|couldn't find|not found`,
    `doesn't (?:match|exist yet|look|seem|appear|include|contain|have (?:it|the)|break|affect)`,
    `don't (?:see|need|want|think|exist|have)|let me|my (?:edit|change)s?`,
  ),
  phrases(
    'it tells of the code being changed',
    -0.25,
    'fix(?:ed)?|added|removed|changed|updated|replaced|now (?:uses?|shows?|works?|supports?)|should (?:be|have|show)|tests? (?:that|for|to)',
  ),
  phrases('it tells how things are today', -0.3, 'currently|at the moment|right now|today|so far|is failing|are failing|relevant'),
  phrases('it is a step of a check', -0.4, 'verify|confirm|ensure|manual(?:ly)?|expect|assert|validates?'),
  sign('it depends on an if', -0.3, raw`^(?:\w+,? )?if\b`),
];

const CONSTRAINT_HEADINGS: readonly Sign[] = [
  phrases(
    'under a heading of limits',
    0.3,
    'constraints?|limitations?|caveats?|gotchas?|known issues|prerequisites|requirements|critical notes?|takeaways?|hiccup',
  ),
  phrases('under a list of checks', -0.4, 'verification|tests?|test cases|test plan|checklist|edge cases|files? to|changes?'),
];

/** A wall that stays: of a tool, a platform, the surroundings or a rule. */
export function constraintsIn(passage: Passage): TriageMatch[] {
  if (passage.voice === 'answer') return [];
  return passage.sentences.flatMap((sentence, at) => {
    const { plain, under } = sentence;
    const limit = signIn(plain, CONSTRAINT_LIMITS);
    if (limit === undefined) return [];
    const beside = nearby(passage, at).some((near) => RESULT_BESIDE.test(near.plain)) ? { why: 'what follows stands beside it', weight: 0.06 } : undefined;
    const match = matchOf(passage, sentence, [
      limit,
      signIn(plain, [LASTING]),
      signIn(plain, [PLATFORM]),
      signIn(plain, [MEASURE]),
      signIn(plain, [AUTHORITY]),
      passage.voice === 'user' ? { why: 'the user says so', weight: 0.08 } : undefined,
      signIn(plain, [RESULTS]) ?? beside,
      signIn(under, CONSTRAINT_HEADINGS),
      signIn(plain, PASSING),
      ...doubts(sentence),
    ]);
    return match === undefined ? [] : [match];
  });
}
