import { one, phrases, raw, saying, sign, type Sign } from './words.ts';

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

export const LIMITS: readonly Sign[] = [
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

export const LASTING: Sign = phrases(
  'it holds beyond this task',
  0.16,
  'always|never|by default|automatically|by design|in (?:cloud|production|ci|non-interactive|headless|remote) ?(?:mode)?|anymore|once|regardless',
  raw`on (?:the )?(?:remote|headless|windows|macos|linux|ci)|until|unless|during|without|every|any|all|entire|whole|per \w+`,
);

/** A wall is often a number. */
export const MEASURE: Sign = sign(
  'how much is allowed',
  0.12,
  raw`\b\d[\d,.]* ?(?:%|kb|mb|gb|bytes|ms|seconds?|minutes?|hours?|days?|items?|requests?|characters?|rows?|calls?)\b`,
  raw`\b(?:more|fewer|less|longer|larger|smaller) than (?:\d|one|two|three|ten|a)`,
  raw`\b(?:only|allows?|limited to|maximum of|before|within) (?:\w+ )?(?:\d+|one|two|three|four|five|ten|twenty|hundred)\b`,
  raw`\b(?:at most|up to|per page|not even|port \d+|python \d|node \d)`,
);

export const PLATFORM: Sign = phrases(
  'it is about a tool or a platform',
  0.14,
  'cli|api|sdk|hooks?|server|browser|chrome|firefox|safari|runtime|runner|compiler|library|framework|package|plugin|database|schema|protocol',
  'tier|quota|s3|cloudflare|browsers|gpl|product|production|legacy|provider|vendor|customers?|firewall|proxy|device|hardware|contract|law|licen[cs]e|gdpr|ios|android|sqlite|postgres',
  raw`git|docker|vercel|aws|lambda|next\.?js|node|npm|bun|python|uv|github|codex|cursor|claude|copilot|ssh|sandbox|module|submodules?`,
  'secrets?|subagents?|process',
);

export const RESULTS: Sign = phrases(
  'what follows from it',
  0.12,
  `so|therefore|which means|this means|otherwise|that's why|blocks?|means? that|because|needs? to|instead|fails? with`,
);
export const RESULT_BESIDE = saying('so|therefore|need to|instead|workaround');

export const PASSING: readonly Sign[] = [
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
  phrases('it is a step of a check', -0.4, 'verify|confirm|ensure|manual(?:ly)?|expect|assert|validates?'),
  sign('it depends on an if', -0.3, raw`^(?:\w+,? )?if\b`),
];

export const HEADINGS: readonly Sign[] = [
  phrases(
    'under a heading of limits',
    0.3,
    'constraints?|limitations?|caveats?|gotchas?|known issues|prerequisites|requirements|critical notes?|takeaways?|hiccup',
  ),
  phrases('under a list of checks', -0.4, 'verification|tests?|test cases|test plan|checklist|edge cases|files? to|changes?'),
];
