import { one } from '../triage/words.ts';
import { isOffer } from './closing-parts.ts';

/** Work that the agent did, in the past tense or as a participle. */
const DID = one(
  'added|removed|fixed|updated|created|replaced|changed|moved|renamed|wrapped|extracted|implemented|refactored|introduced|enabled|disabled|dropped',
  'switched|split|registered|rewrote|rewritten|deleted|hidden|simplified|improved|documented|configured|extended|swapped|restored|restructured|reworded',
  'reordered|converted|migrated|merged|excluded|tagged|widened|stripped|increased|reduced|deduplicated|deduped|hardened|guarded|handled|propagated|trimmed',
  'surfaced|integrated|installed|pinned|bumped|encapsulated|corrected|inlined|hoisted|tightened|aligned|cleaned up|pushed|published|deployed|generated|reverted',
  'rebased|squashed|amended|cherry-picked|upgraded|downgraded|relaxed|promoted|appended|wired|folded|collapsed|tuned|taught|posted|opened|closed',
);
/** The same, with verbs that count only at the start of a statement. */
const DID_FIRST = one(DID, 'made|wrote|ran|built|put|cut|hid|took|set up|kept|rebuilt|reran|gave|used');
const ADVERB = String.raw`(?:(?:also|then|now|just|finally|(?!only)\w+ly) )?`;
/** Where a statement can begin: at the start, or behind a label, a dash or an arrow. */
const ACTS = new RegExp(
  String.raw`(?:^|[:;—–→]\s+|\s-\s)(?:(?:i|we)(?:'ve| have)? )?${ADVERB}(?:${DID_FIRST})\b(?! (?:by|for|from)\b)|\b(?:i|we)(?:'ve| have)? ${ADVERB}(?:${DID_FIRST})\b`,
  'i',
);
/** Something was done to a thing, or a thing now behaves differently. */
const BEFALLS = new RegExp(
  [
    String.raw`\b(?:(?:is|are) now ${ADVERB}\w{3,}ed|(?:was|were|has been|have been|(?:is|are) now|(?:is|are)(?= (?:fixed|removed|merged|pushed|hoisted|replaced|updated))) ${ADVERB}(?:${DID}|gone|in place))\b`,
    String.raw`\b(?:is|are) gone\b`,
    // A participle that no noun follows: "directory removed", "version bumped to 0.4.2".
    String.raw`[\p{L}\p{N}\x60)] (?:${DID})(?=$|[.,;)—–]| (?:to|in|into|from|with|out|after|before|as|via|at|and|across|under|outright)\b)`,
    String.raw`\bnow ${ADVERB}(?!is|was|has|this|its|does|as|exists|sits|lives|depends|means|needs)\w{2,}s\b`,
  ].join('|'),
  'iu',
);
/** An opinion, an explanation, an outlook, or what was not done. */
const COMMENTS = new RegExp(
  [
    String.raw`\b(?:had|will|won't|would|could|might|may|should|can't|cannot|expect|means|proves|because of|in practice|trade-?offs?|worth|makes? sense|my pick|you're right|already|gets?|still|today|currently|previously|expected|if|when)\b`,
    String.raw`\b(?:is|are) (?:the (?:right|wrong|only|normal|same|best)|sound|correct|clean|fine|genuinely|consistently|all|either|built for|made for)\b`,
    String.raw`\b(?:the|a|an|this|that|any|every|each|your|its|recently|newly|whether) ?(?:recently |newly )?(?:${DID}) \p{L}`,
  ].join('|'),
  'iu',
);
const UNDONE = new RegExp(
  String.raw`\b(?:not|never|nothing|none|no \w+) (?:yet |been |was |is |were )?(?:${DID})\b|\b(?:already|deliberately not) (?:${DID})\b|\bout of scope\b|^(?:confirmed|verified|checked|not|no|nothing|want|proposed|optional(?:ly)?|what (?:was wrong|broke|changed))\b`,
  'i',
);
const NOT_WORK = new RegExp(
  [
    String.raw`\b(?:tests? (?:pass|added covering)|lint(?:ing)? (?:is )?(?:clean|passes)|typecheck|type checking|all checks|verification|verified)\b`,
    String.raw`\b(?:would you like|let me know|commit(?:ted)?\b.{0,20}\b(?:as|successful\w*|created|succeeded))\b`,
    String.raw`\b(?:must be|need(?:s|ed)? to|failed|would|should|was only|wasn't|weren't|didn't|isn't|aren't|is never|currently|there's no)\b`,
    String.raw`^(?:the )?(?:(?:actual |real )?root cause|problem|cause|why|what happened|known|result|option|here's|both|once|all|if|when|(?:(?:created|made|a|the|git) )*commit(?:ted)?)\b`,
    String.raw`\b(?:by|with|of|to|for|and)$`,
    String.raw`\b\d+ (?:commits? )?(?:ahead|behind)\b|\bwhen(?:ever)? (?:you(?:'re| are) )?ready\b`,
  ].join('|'),
  'i',
);
/** Work that is still to do, or could be done: a step in the imperative, a question, the agent's view. */
const PROPOSES = new RegExp(
  [
    String.raw`^(?:(?:in|for|on|then|also|and)\b[^,]{0,40},? )?(?:add|move|remove|replace|use|keep|make|write|run|investigate|check|extract|introduce|untangle|drop|wire|create|delete|extend) `,
    String.raw`\?["')]*$|\b(?:i'd (?!just|already)|i would|we could|you could)\b|\bdon't know\b`,
  ].join('|'),
  'i',
);
/** Whether a line reports finished work, and not a state, a cause, an opinion or a plan. */
export const isDone = (line: string): boolean =>
  (ACTS.test(line) || (BEFALLS.test(line) && !COMMENTS.test(line))) && !UNDONE.test(line) && !NOT_WORK.test(line) && !PROPOSES.test(line) && !isOffer(line);
