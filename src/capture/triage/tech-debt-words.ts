import { phrases, raw, saying, type Sign } from './words.ts';

const WORK = raw`(?:add|do|done|implement|fix|migrat|address|handl|clean|refactor|improv|tackl|remov|replac|mov)\w*`;

export const PUT_OFF: readonly Sign[] = [
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

export const WHY: readonly Sign[] = [
  phrases(
    'why it waits',
    0.16,
    'because|since|as (?:it|this|that|we)|not (?:related|introduced|caused)|unrelated|not from|bigger|larger|more (?:work|complex)',
    'too (?:much|many|large|risky)',
    'harmless|per plan|as planned|to avoid|so that|depends on|until|once|requires?|no need|later|eventually|next (?:sprint|release|week|pr)',
    'in a (?:follow-?up|separate)|in q[1-4]|next quarter|will come|comes with|when there is time',
  ),
];
export const WHY_BESIDE = saying('because|since|not related|unrelated|separate|would|only|harmless');

export const OBJECT: readonly Sign[] = [
  phrases(
    'what it is about',
    0.08,
    raw`checks?|validation|parser|cache|retr(?:y|ies)|configuration|folder|code|tests?|types?|api|function|module|component|endpoint|migration|deprecat\w+|coverage|secrets?|hook|fallback|import|branch(?:es)?`,
    'feature|logo|upgrade',
  ),
];

export const DONE: readonly Sign[] = [
  phrases('it is about form only', -0.25, 'lint|formatting|formatter|typo|whitespace'),
  phrases(
    'it is being done now',
    -0.35,
    `let me (?:fix|remove|clean|update|handle|delete)|i'll (?:fix|remove|clean|delete)|remove (?:the|that|it|them)|now removed`,
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
export const MENDED_NEXT = saying(
  `let me (?:fix|remove|clean|delete)|i'll (?:fix|remove|clean|delete)|removing (?:them|it|that)|cleaned (?:them|it) up|can i remove`,
);

export const HEADINGS: readonly Sign[] = [
  phrases(
    'under a heading of open work',
    0.3,
    'tech(?:nical)? debt|out of scope|not (?:in|covered)|future|follow-?ups?|known issues?|limitations?|deferred|todos?|later|remaining',
    'what this does not change|non-issues',
  ),
  phrases('under a list of checks', -0.3, 'verification|test cases|test plan|checklist'),
];
