import type { Passage } from './prose.ts';
import { doubts, type Match, matchOf, nearby, type Sign, phrases, sign, signIn } from './score.ts';

const LIMITS: readonly Sign[] = [
  phrases(
    'a limit',
    0.42,
    `(?:is|are|was) (?:not|n't|no longer) (?:supported|possible|allowed|available|valid|recogni[sz]ed)`,
    `(?:isn't|aren't) (?:supported|possible|allowed|available)|not supported (?:by|in|on)|unsupported`,
    'no longer (?:exists?|supported|available|works?)|forbidden|not a valid|invalid value',
  ),
  sign(
    'a limit',
    0.4,
    String.raw`\b(?:does(?:n't| not)|do(?:n't| not)|won't|will not|can(?:'t|not| not)|never) (?:automatically |actually |yet |even )?(?:support|allow|accept|recogni[sz]e|serve|handle|check out|resurrect|import|work (?:in|on|with)|run (?:in|on|without)|expose|provide|mount|have ssh|persist|commit or|clone|resume|share|read|see|throw|return|emit|fire|trigger|preserve|propagate|wait|inherit|get (?:\w+ )?(?:served|loaded|picked|copied|rebuilt))\w*\b`,
  ),
  sign(
    'a limit',
    0.36,
    String.raw`\b(?:you|one|python|node|git|it|they|we|users?|agents?|\w+ (?:cli|api|server|hook|runner|module|tool)) (?:can't|cannot|can not|can only|may only)\b`,
  ),
  phrases(
    'a requirement',
    0.36,
    '(?:now )?requires? (?:explicit|that|user|every|all|at least|separate|you|the)|required (?:by|for)',
    'must (?:be (?:configured|set|run|mounted|rebuilt|explicitly|a |an |the )|never|not|always|run|match)',
    'needs? to be (?:mounted|configured|running|set|told|rebuilt|installed)',
    'only (?:supports?|accepts?|works?|available|exists?|runs?|allows?)',
    '(?:is|are) only (?:created|available|generated|set|loaded) (?:during|by|in|when|after|once|on)',
    'valid values (?:are|for)|limit(?:ed)? (?:of|to)|at most|maximum|(?:is|are) the minimum|minimum version',
    `(?:cannot|can't|must not|may not) be (?:upgraded|changed|used|modified|installed|run|shared|mixed|disabled|removed|renamed|combined|nested|imported|edited|deleted|deployed|reused)`,
    'rate limit|is read-only',
  ),
  phrases(
    'a habit of the tools',
    0.36,
    String.raw`pick(?:s|ed|ing) up (?:\w+ ){0,3}(?:tests?|files?|changes|config)|runs? (?:lint|tests?|typecheck) on|is gitignored`,
    'terminates? on|strips?|rewrote|rewrites (?:the|your|it)|gets? (?:auto|rewritten|amended)',
  ),
];

const LASTING: readonly Sign[] = [
  phrases(
    'it holds beyond this task',
    0.16,
    'always|never|by default|automatically|by design|in (?:cloud|production|ci|non-interactive|headless|remote) ?(?:mode)?',
    String.raw`on (?:the )?(?:remote|headless|windows|macos|linux|ci)|until|unless|during|without|every|any|all|entire|whole|per \w+`,
    'anymore|once|regardless',
  ),
  phrases(
    'it is about a tool or a platform',
    0.14,
    'cli|api|sdk|hooks?|server|browser|chrome|firefox|safari|runtime|runner|compiler|library|framework|package|plugin',
    String.raw`database|schema|git|docker|vercel|next\.?js|node|npm|bun|python|uv|hatchling|tarfile|github|codex|cursor|claude`,
    'copilot|ssh|sandbox|module|submodules?|secrets?|subagents?|process',
  ),
];

const RESULTS: readonly Sign[] = [
  ['what follows from it', 0.12, /\b(?:so|therefore|which means|this means|otherwise|that's why|blocks?|means? that|because|needs? to|instead|fails? with)\b/i],
];

const PASSING: readonly Sign[] = [
  phrases(
    'it is the agent\'s own trouble of the moment',
    -0.4,
    `i (?:can't|cannot|don't|couldn't|didn't)|can't find|cannot find|couldn't find|not found`,
    `doesn't (?:match|exist yet|look|seem|appear|include|contain|have (?:it|the)|break|affect)`,
    `don't (?:see|need|want|think|exist|have)|let me|my (?:edit|change)s?`,
  ),
  phrases(
    'it tells of the code being changed',
    -0.25,
    'fix(?:ed)?|added|removed|changed|updated|replaced|now (?:uses?|shows?|works?|supports?)|should (?:be|have|show)',
    'test(?:s)? (?:that|for|to)',
  ),
  ['it is a step of a check', -0.4, /\b(?:verify|confirm|ensure|manual(?:ly)?|expect|assert|validates?)\b/i],
];

const HEADINGS: readonly Sign[] = [
  phrases(
    'under a heading of limits',
    0.3,
    'constraints?|limitations?|caveats?|gotchas?|known issues|prerequisites|requirements|critical notes?|takeaways?|hiccup',
  ),
  ['under a list of checks', -0.4, /\b(?:verification|tests?|test cases|test plan|checklist|edge cases|files? to|changes?)\b/i],
];

/** A wall that stays: of a tool, a platform, the surroundings or a rule. */
export function constraintsIn(passage: Passage): Match[] {
  if (passage.voice === 'answer') return [];
  return passage.sentences.flatMap((sentence, at) => {
    const limit = signIn(sentence.plain, LIMITS);
    if (limit === undefined) return [];
    const [lasting, platform] = LASTING;
    const result = signIn(sentence.plain, RESULTS) ?? (nearby(passage, at).some((near) => /\b(?:so|therefore|need to|instead|workaround)\b/i.test(near.plain)) ? { why: 'what follows stands beside it', weight: 0.06 } : undefined);
    const match = matchOf(passage, sentence, [
      limit,
      signIn(sentence.plain, [lasting as Sign]),
      signIn(sentence.plain, [platform as Sign]),
      result,
      signIn(sentence.under, HEADINGS),
      /^(?:\w+,? )?if\b/i.test(sentence.plain) ? { why: 'it depends on an if', weight: -0.3 } : undefined,
      signIn(sentence.plain, PASSING),
      ...doubts(sentence),
    ]);
    return match === undefined ? [] : [match];
  });
}
