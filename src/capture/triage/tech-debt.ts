import type { Passage } from './prose.ts';
import { type Match, matchOf, nearby, type Sign, signIn } from './score.ts';

const PUT_OFF: readonly Sign[] = [
  ['work put off', 0.4, /\b(?:tech(?:nical)? debt|out of scope|follow-?up (?:task|pr|issue|work|ticket)|(?:as |in |would be |is )?an? separate,? (?:\w+ )?(?:task|pr|change|issue|ticket)|future (?:work|task|pr|iteration)|to be (?:filled|done|added|implemented|cleaned|fixed) later|(?:can|will|should|could|to) (?:be )?(?:add|do|done|implement|fix|migrat|address|handl|clean|refactor|improv|tackl|remov|replac|mov)\w* (?:\w+ ){0,3}(?:later|eventually)|leave (?:it|this|that|them|these) (?:as[- ]is|for (?:now|later)|alone|unfixed)|left (?:as[- ]is|unfixed|for later|in place)|harmless to leave|not worth fixing)\b/i],
  ['work put off', 0.36, /\b(?:for now|for the time being|temporarily|temporary (?:fix|measure|solution|hack|work-?around)|work-?around|stop-?gap|dead code but|dead code.{0,30}\b(?:kept|left)|unused.{0,40}\b(?:kept|left)|still (?:uses?|used|relies on|on) .{0,40}\b(?:deprecated|old|legacy)|deprecated but|continues? on error|remains? (?:naive|unfixed|unhandled|broken|hard-?coded)|allow (?:\w+ ){0,3}failures)\b/i],
  ['work put off', 0.34, /\b(?:revisit (?:this|it|that|later)|clean (?:this|it) up later|hard-?coded for|(?:i|we) (?:haven't|didn't|did not|have not) (?:yet )?(?:implement|add|handle|cover|touch|migrat|test|address)\w*|(?:i|we)(?:'ve| have)? (?:left|skipped) (?:the|this|it|out|that|tests?)\b)/i],
  ['something known to be wrong', 0.36, /\b(?:pre-?existing (?:\w+ )?(?:issues?|gaps?|bugs?|failures?|errors?|problems?|limitation)|(?:failures?|errors?|issues?|gap) (?:is|are|was|were) pre-?existing|known (?:issue|bug|failure|gap)|(?:aren't|isn't|not) (?:yet )?(?:configured|implemented|handled|covered|supported) yet|not yet (?:implemented|handled|covered|configured))\b/i],
];

const WHY: readonly Sign[] = [
  ['why it waits', 0.16, /\b(?:because|since|as (?:it|this|that|we)|not (?:related|introduced|caused)|unrelated|not from|bigger|larger|more (?:work|complex)|too (?:much|many|large|risky)|harmless|per plan|as planned|to avoid|so that|depends on|until|once|requires?|no need)\b/i],
];

const OBJECT: readonly Sign[] = [
  ['what it is about', 0.08, /\bcode\b|\b(?:tests?|types?|api|function|module|component|endpoint|migration|deprecat\w+|coverage|secrets?|hook|fallback|import|branch(?:es)?|feature|logo|upgrade)\b/i],
];

const DONE: readonly Sign[] = [
  ['it is about form only', -0.25, /\b(?:lint|formatting|formatter|typo|whitespace)\b/i],
  ['it is being done now', -0.35, /\b(?:let me (?:fix|remove|clean|update|handle|delete)|i'll (?:fix|remove|clean|delete)|(?:fixed|removed|cleaned up|resolved|deleted|migrat(?:ed|ing))\b|remove (?:the|that|it|them)|now removed)\b/i],
  ['it is somebody\'s unfinished work, not debt', -0.4, /\b(?:uncommitted|unstaged|modified files?|staged|untracked|working tree|(?:changes?|work) (?:from before|in the working|left untouched|that (?:were|was) already)|pre-?existing (?:\w+ )?(?:changes?|files?|modifications?|formatting))\b/i],
];

const HEADINGS: readonly Sign[] = [
  ['under a heading of open work', 0.3, /\b(?:tech(?:nical)? debt|out of scope|not (?:in|covered)|future|follow-?ups?|known issues?|limitations?|deferred|todos?|later|remaining|what this does not change|non-issues)\b/i],
  ['under a list of checks', -0.3, /\b(?:verification|test cases|test plan|checklist)\b/i],
];

const MENDS = /\b(?:let me (?:fix|remove|clean|delete)|i'll (?:fix|remove|clean|delete)|removing (?:them|it|that)|cleaned (?:them|it) up|can i remove)\b/i;

/** Work left on purpose: what is missing and why it waits. */
export function debtsIn(passage: Passage): Match[] {
  if (passage.voice === 'answer') return [];
  return passage.sentences.flatMap((sentence, at) => {
    const put = signIn(sentence.plain, PUT_OFF);
    if (put === undefined) return [];
    const own = signIn(sentence.plain, WHY);
    const beside = own === undefined ? nearby(passage, at).find((near) => /\b(?:because|since|not related|unrelated|separate|would|only|harmless)\b/i.test(near.plain)) : undefined;
    const match = matchOf(
      passage,
      sentence,
      [
        put,
        own ?? (beside === undefined ? undefined : { why: 'why it waits, beside it', weight: 0.08 }),
        signIn(sentence.plain, OBJECT),
        signIn(sentence.under, HEADINGS),
        signIn(sentence.plain, DONE) ?? (nearby(passage, at).slice(-2).some((near) => MENDS.test(near.plain)) ? { why: 'it is mended right after', weight: -0.25 } : undefined),
        sentence.asks ? { why: 'it is a question', weight: -0.2 } : undefined,
      ],
      beside === undefined ? [] : [beside],
    );
    return match === undefined ? [] : [match];
  });
}
