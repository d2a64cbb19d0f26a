import { verbs, chain, one, phrases, raw, saying, sign, type Sign } from './words.ts';
import type { Passage } from './prose.ts';
import { type TriageMatch, matchOf, nearby, type SignalPart, signIn } from './score.ts';

const WORK = raw`(?:add|do|done|implement|fix|migrat|address|handl|clean|refactor|improv|tackl|remov|replac|mov)\w*`;

const REPAIR = verbs(
  'add|do did done|implement|fix|migrate|address|handle|clean|refactor|improve|tackle|remove|replace|move|rename|split split splitting|unify|port|convert|merge|extract|generalise|generalize|rewrite rewrote|upgrade|update|rotate|delete|consolidate|generate|stream|write wrote|switch|rework|touch|cover|translate|test',
);
const MENDING = one(REPAIR.base, REPAIR.past);
const LATER = one(
  raw`later(?: on)?|eventually|some ?day|one day|at some point|next (?:sprint|release|week|month|quarter|year|time|version|iteration)|in (?:a )?(?:later|another|follow-?up|separate|future) \w+|in (?:january|february|march|april|may|june|july|august|september|october|november|december|q[1-4]|v\d\S*|the next \w+)`,
  raw`after (?:the )?(?:release|launch|demo|rollout|deadline|holidays|merge|migration|audit|pilot|beta)|when (?:somebody|someone|there is (?:time|budget)|we (?:have|get|migrate)|they(?: have|'ve)|\d|the last)[^.]{0,40}|once (?:we|that|it|they) (?:ha(?:s|ve)|exists?|is|are)\b[^.]{0,40}|before (?:the )?(?:public )?(?:launch|release|production|others)`,
);
const STOPGAP = one('stop-?gap|quick hack|dirty hack|a hack|band-?aid|quick fix|cut (?:the|a|some) corners?|crutch|kludge|makeshift|interim');

const PUT_OFF: readonly Sign[] = [
  sign(
    'work put off',
    0.42,
    raw`\b(?:left|leave|leaving|keep|kept|stays?|remains?|still) (?:\w+ ){0,5}(?:in there|in place|as they are|until|for (?:now|later|the moment|the time being|a while))\b`,
    raw`\b(?:postpone|defer|park|shelve|punt)(?:s|d|ed|ing|ring)?\b|\b(?:is|are|was|long) overdue\b|^(?:for the )?backlog\b|\b(?:on|in|to) the backlog\b|\b(?:put|add|left|leave) an? (?:fixme|todo)\b|\bfor later\b|\b(?:remains?|still) to be done\b|\bremains? is\b`,
    raw`\b${STOPGAP}\b|\b(?:we )?owe ourselves\b|\bbeyond (?:this|the scope)|\b(?:deserves|worth|needs) (?:its own|a) (?:change|pr|ticket|task)\b|\bnot (?:today|now)\b[.,]?$`,
    chain(
      raw`\b(?:we|i|someone|somebody|it|this|that|they|which)(?:'ll| will| have to| has to| should| must| can| need to| needs to| ought to)? (?:be )?`,
      [0, raw`(?:${MENDING}|come back to|go|follow)\b`],
      [60, raw`\b${LATER}`],
    ),
    chain(raw`^(?:and |then |we )?`, [0, raw`(?:${MENDING}|come back to|go|follow)\b`], [60, raw`\b${LATER}`]),
    chain(': ', [0, raw`\b${LATER}`]),
    raw`\b(?:accepted|acceptable|good enough|fine|ok|okay|that'll do|will do|do) (?:for|today|until|as) (?:the )?(?:now|pilot|beta|mvp|demo|today|now|this host|a quick|an internal)\b|\bacceptable today\b|\bwe can live with\b`,
  ),
  sign(
    'known to be lacking',
    0.26,
    raw`\b(?:is|are|was|were|has|have)(?:n't| not)(?: been)? (?:yet )?(?:translated|handled|covered|implemented|addressed|tested|documented|validated|supported|migrated|done|converted)\b|\bnot (?:done|handled|covered|addressed)\b`,
    raw`\b(?:is|are) (?:still )?missing\b|\bout of (?:date|sync)\b|\bnobody (?:keeps|had time|maintains|has time)\b|\b(?:don't|do not|had no|no) (?:have )?time (?:for|to)\b|\bdon'?t worry about\b.{0,40}\b(?:yet|now)\b`,
    raw`\b(?:i|we)(?:'ve| have)? (?:disabled|suppressed|silenced|bypassed|hard-?coded|copied|duplicated|commented out|stubbed|skipped|ignored)\b`,
    chain(raw`\b(?:i|we) did(?:n't| not) `, [0, raw`(?:${MENDING}|come back to|go|follow)\b`]),
    raw`\b(?:a mess|terrible|ugly|not pretty|horrible|fragile|brittle|will not scale|won't scale|will bite)\b|\b(?:assumes?|expects?) (?:a single|my|one)\b|\bnot \w+ so far\b|\bstill (?:runs? on|on|sent|in there|have to|run)\b`,
    raw`\bworks? around\b|\b(?:duplicates?|scattered|copied|grown to)\b.{0,80}\b(?:should|would|worth|cleaner|but)\b|\bshould (?:one day|at some point|eventually|follow|be (?:extracted|updated|merged|split|unified|put back))\b`,
    raw`\b(?:a )?(?:proper|real) (?:solution|backoff|wait|auth|\w+ system)\b|\bused in \w+ (?:places|files)\b|\b\d+ (?:violations|warnings|places|reports) to\b|\bworthwhile but\b|\bworth \w+ing\b.{0,60}\b(?:some|one) day|\bknown (?:problem|issue|bug)\b`,
  ),

  phrases(
    'work put off',
    0.4,
    'tech(?:nical)? debt|out of scope|follow-?up (?:task|pr|issue|work|ticket)|future (?:work|task|pr|iteration)|harmless to leave|not worth fixing',
    raw`(?:as |in |would be |is )?an? separate,? (?:\w+ )?(?:task|pr|change|issue|ticket)`,
    'to be (?:filled|done|added|implemented|cleaned|fixed) later',
    raw`(?:can|will|should|could|to) (?:be )?${WORK} (?:\w+ ){0,3}(?:later|eventually)`,
    `(?:left|added|add|leave|with) an? todo|this is a hack|put (?:it|this|that) on the (?:backlog|list)|(?:a|the|as) follow-?up|good enough for (?:now|this)|that(?:'s| is) a separate`,
    raw`(?:ship|keep|leave) it as[- ]is|(?:we|i)(?:'ll| will| can) (?:fix|clean|do|add|rename|refactor|handle) (?:[\w-]+ ){0,4}later`,
    raw`leave the [\w -]{3,40} for (?:now|later)|clean (?:it|this|that|them) up (?:after|later|once|when)`,
    'leave (?:it|this|that|them|these) (?:as[- ]is|for (?:now|later)|alone|unfixed)|left (?:as[- ]is|unfixed|for later|in place)',
  ),
  phrases(
    'work put off',
    0.36,
    'for now|for the time being|temporarily|temporary (?:fix|measure|solution|hack|work-?around)|work-?around|stop-?gap|deprecated but',
    'continues? on error|known limitation|(?:tests?|checks?|cases?) (?:is|are) skipped|(?:temporarily|for now) (?:disabled|skipped|ignored)',
    raw`dead code but|dead code.{0,30}\b(?:kept|left)|unused.{0,40}\b(?:kept|left)`,
    raw`still (?:uses?|used|relies on|on) .{0,40}\b(?:deprecated|old|legacy)`,
    raw`remains? (?:naive|unfixed|unhandled|broken|hard-?coded)|allow (?:\w+ ){0,3}failures`,
  ),
  phrases(
    'work put off',
    0.34,
    'revisit (?:this|it|that|later)|clean (?:this|it) up later|hard-?coded for',
    raw`(?:i|we) (?:haven't|didn't|did not|have not) (?:yet )?(?:implement|add|handle|cover|touch|migrat|test|address)\w*`,
    `(?:i|we)(?:'ve| have)? (?:left|skipped) (?:the|this|it|out|that|tests?)`,
  ),
  phrases(
    'something known to be wrong',
    0.36,
    raw`pre-?existing (?:\w+ )?(?:issues?|gaps?|bugs?|failures?|errors?|problems?|limitation)`,
    '(?:failures?|errors?|issues?|gap) (?:is|are|was|were) pre-?existing',
    `known (?:issue|bug|failure|gap)|(?:aren't|isn't|not) (?:yet )?(?:configured|implemented|handled|covered|supported) yet`,
    'not yet (?:implemented|handled|covered|configured)',
  ),
];

/** That the gap is left on purpose: without this, what is missing is only a fact or the next thing to do. */
const MEANT: Sign = sign(
  'that it is left for now',
  0.2,
  chain(raw`\b${LATER}`),
  raw`\b(?:until|for now|so far|yet|at present|for the moment|for the time being|not (?:needed|in this|here|now|today)|unrelated|beyond this|diff small|pending|planned|promised|separately|overdue)\b`,
  raw`\b(?:acceptable|accepted|we can live|fine for|good enough|will bite|will not scale|won't scale|nobody|no time|time for it|to work through first|one day|for production|ought to|follow)\b`,
);

const WHY: readonly Sign[] = [
  phrases(
    'why it waits',
    0.16,
    'because|since|as (?:it|this|that|we)|not (?:related|introduced|caused)|unrelated|not from|bigger|larger|more (?:work|complex)',
    'too (?:much|many|large|risky)',
    'harmless|per plan|as planned|to avoid|so that|depends on|until|once|requires?|no need|later|eventually|next (?:sprint|release|week|pr)',
    'in a (?:follow-?up|separate)|in q[1-4]|next quarter|will come|comes with|when there is time',
  ),
];
const WHY_BESIDE = saying('because|since|not related|unrelated|separate|would|only|harmless');

const OBJECT: readonly Sign[] = [
  phrases(
    'what it is about',
    0.08,
    raw`checks?|validation|parser|cache|retr(?:y|ies)|configuration|folder|code|tests?|types?|api|function|module|component|endpoint|migration|deprecat\w+|coverage|secrets?|hook|fallback|import|branch(?:es)?`,
    'feature|logo|upgrade',
  ),
];

const DONE: readonly Sign[] = [
  phrases('it is about form only', -0.25, 'lint|formatting|formatter|typo|whitespace'),
  phrases(
    'it is being done now',
    -0.35,
    `let me (?:fix|remove|clean|update|handle|delete|check|look|see|verify|find|search)|i'll (?:fix|remove|clean|delete|check)|remove (?:the|that|it|them)|now removed`,
    raw`(?<!\b(?:until|once|when|is|be|are|get)\b.{0,40})(?:fixed|removed|cleaned up|resolved|deleted|migrated)`,
  ),
  phrases(
    'it is unfinished work, not debt',
    -0.4,
    'uncommitted|unstaged|modified files?|staged|untracked|working tree',
    '(?:changes?|work) (?:from before|in the working|left untouched|that (?:were|was) already)',
    raw`pre-?existing (?:\w+ )?(?:changes?|files?|modifications?|formatting)`,
  ),
];
const MENDED_NEXT = saying(`let me (?:fix|remove|clean|delete)|i'll (?:fix|remove|clean|delete)|removing (?:them|it|that)|cleaned (?:them|it) up|can i remove`);

const TECH_DEBT_HEADINGS: readonly Sign[] = [
  phrases(
    'under a heading of open work',
    0.3,
    'tech(?:nical)? debt|out of scope|not (?:in|covered)|future|follow-?ups?|known issues?|limitations?|deferred|todos?|later|remaining',
    'what this does not change|non-issues|not done|still open|left out',
  ),
  phrases('under a list of checks', -0.3, 'verification|test cases|test plan|checklist'),
];

/** Counts against a debt that is resolved in the next sentences. */
const paidRightAfter = (passage: Passage, at: number): SignalPart | undefined =>
  nearby(passage, at)
    .slice(-2)
    .some((near) => MENDED_NEXT.test(near.plain))
    ? { why: 'it is mended right after', weight: -0.25 }
    : undefined;

/** Deferred work, with the reason for the delay. */
export function debtsIn(passage: Passage): TriageMatch[] {
  if (passage.voice === 'answer') return [];
  return passage.sentences.flatMap((sentence, at) => {
    const { plain, under, asks } = sentence;
    const deferral = signIn(plain, PUT_OFF);
    if (deferral === undefined) return [];
    const own = signIn(plain, WHY);
    const beside = own === undefined ? nearby(passage, at).find((near) => WHY_BESIDE.test(near.plain)) : undefined;
    // A gap counts as debt only if this sentence or a neighbour says that it will be closed.
    const [before, after] = [passage.sentences[at - 1], passage.sentences[at + 1]];
    const gap = deferral.why.startsWith('known to be lacking');
    const rest = [plain, before?.plain ?? '', after?.plain ?? ''];
    const meant = gap ? rest.map((near) => signIn(near, [MEANT])).find((part) => part !== undefined) : undefined;
    if (gap && meant === undefined) return [];
    const match = matchOf(
      passage,
      sentence,
      [
        deferral,
        meant,
        own ?? (beside === undefined ? undefined : { why: 'why it waits, beside it', weight: 0.08 }),
        signIn(plain, OBJECT),
        signIn(under, TECH_DEBT_HEADINGS),
        signIn(plain, DONE) ?? paidRightAfter(passage, at),
        asks ? { why: 'it is a question', weight: -0.2 } : undefined,
      ],
      beside === undefined ? [] : [beside],
    );
    return match === undefined ? [] : [match];
  });
}
