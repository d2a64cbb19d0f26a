import { one, phrases, raw, saying, sign, type Sign } from './words.ts';

const BROKE = one(
  'fail(?:s|ed|ing)?|broke|crash(?:es|ed)?|block(?:s|ed)|hidden|wrong|missing|stuck|empty|lost',
  `hung|hangs|timed out|refused|rejected|flaky|slow|could(?: not|n't)|can(?:not|'t)`,
);
const TROUBLE = one('errors?|failures?|crash(?:es)?|leaks?|problems?|issues?|bugs?|hangs?|time-?outs?|50[0-9]s?|exceptions?|slowness|deadlocks?');
const LACKS = raw`(?:fail\w*|missing|never|(?:do|did|does|was|were|is|are)n't|does not|not |undefined|null|wrong|stale|empty|dangling|invalid|truthy)`;

export const CAUSES: readonly Sign[] = [
  sign(
    'the cause',
    0.34,
    raw`(?<!not )(?<!n't )\b(?:root causes?|caused by|(?:is|was|were|are) causing|turns out|the reason (?:is|was|it))\b`,
    raw`(?<!not )(?<!n't )\b(?:there's the bug|that's the issue|broke some)\b`,
    raw`(?<!not )(?<!n't )\bthe (?:real |actual |main )?(?:cause|culprit|problem|issue|bug|error|mistake) (?:is|was|here|seems|lies)\b`,
    raw`\bfound (?:it|the (?:bug|issue|problem|cause))\b|\bi (?:can )?(?:see|understand|found) the (?:issue|bug|problem|mismatch|full flow)\b`,
    raw`\b(?:this|it|which|that) happens (?:because|when)\b|\btwo (?:bugs|issues|root|problems)\b`,
    raw`\bwas (?:corrupt(?:ed)?|being (?:invoked|rendered|called|treated))\b`,
  ),
  sign(
    'the cause',
    0.3,
    raw`\b${TROUBLE}\b.{0,40}\b(?:came|comes|stems?|stemmed|results?|resulted|happen(?:s|ed)|occur(?:s|red)) (?:from|when|because|if|whenever)\b`,
    raw`\b${TROUBLE}\b.{0,30}\bwas (?:an?|the) [\w -]{3,40}(?:problem|issue|mismatch|conflict|bug)\b`,
    raw`\b(?:broke|fail(?:s|ed)|crash(?:es|ed)|stopped working)\b.{0,60}: \w`,
    raw`\b(?:flaky|failing|broken|failed)\b.{0,60}\b(?:depend(?:s|ed) on|relie[sd] on|assume[sd])\b`,
  ),
  sign(
    'the cause',
    0.28,
    raw`\b${BROKE}\b.{0,90}\b(?:because|since|due to|so (?:the|it|when)|as the)\b`,
    raw`\b(?:because|due to)\b.{0,90}\b${LACKS}`,
    raw`\bfalls? through|\bstays? hidden|\bgets? dropped|\bsilently (?:fail|drop|ignor|caught|run)\w*|\bwhich (?:is|was) never`,
  ),
  phrases(
    'the cause',
    0.26,
    `(?:isn't|aren't|wasn't|weren't|not) (?:matching|receiving|being|selected|selecting|passed|passing|set|served|recogni[sz]ed)`,
    `can't (?:import|clone|read|find)|doesn't (?:automatically|recogni[sz]e|serve|match)|needs? to be told`,
  ),
  sign('the cause', 0.2, raw`, but .{0,80}\b(?:never|still|doesn't|isn't|wasn't|didn't|don't|not)\b`),
];
export const CAUSE_HEADING = saying(
  'root causes?|cause|problems?|diagnosis|bugs?(?: \\d)?|what (?:was|went) wrong|issue found|hiccup|why it (?:fails|failed|broke)',
);

/** Too common to tell a cause by itself; beside a remedy it does. */
export const WHY_IT_HAPPENED: readonly Sign[] = [phrases('why it happened', 0.24, 'because|due to|turned out|turns out|since (?:the|our|it|its)')];

const MENDS = one(
  'fix|use|using|add|change|update|remove|wrap|pass|switch|replace|rename|rewrite|clean|apply|simplify|deduplicate|enhance|move',
  'delete|spawn|set|modify|track|restore',
);
const MENDED = one(
  'raised|increased|lowered|set|bumped|restarted|pinned|downgraded|upgraded|reverted|disabled|enabled|patched|rebuilt|cleared',
  'deleted|moved|added|changed|removed|replaced|renewed|reloaded|rotated|reinstalled|recreated|killed|migrated|switched|bumped',
);

export const REMEDIES: readonly Sign[] = [
  sign(
    'the remedy, named as one',
    0.32,
    raw`\bthe (?:simplest |real |cleanest |correct |best )?(?:fix|solution|remedy|workaround)(?: here)? (?:is|was|should|in|deduplicates|stops)`,
  ),
  sign(
    'the remedy',
    0.26,
    raw`\bfix(?:ed|es|ing)? (?:it |this |that |the \w+ )?(?:by|so)|^fixed\b|\b(?:resolved|solved) by|\bto fix (?:this|it|the)|\bdid the trick`,
    raw`\bunblocked`,
    raw`\b(?:solution|fix|remedy|workaround): \w`,
    raw`\bafter (?:\w{3,}ing|the \w+)\b.{3,80}\b(?:works?|succeeds?|pass(?:es)?|takes?|runs?|is (?:gone|back|green|fine))\b`,
    raw`^\w{3,}ing\b.{3,120}\b(?:fix(?:es|ed)|solve[sd]|resolve[sd]|cure[sd]|correct(?:s|ed)|let (?:it|them)|ma(?:de|kes) (?:it|them|the \w+))\b`,
    raw`\b(?:fix(?:ed|es)|solve[sd]|resolve[sd]|cure[sd]|cleared) (?:it|this|that|the (?:issue|problem|error|bug))`,
    raw`\bremoving (?:it|them|the) .{0,40}\b(?:so|unblock)`,
    raw`\bwe need to (?:use|change|add|tell|set|update)|\b(?:is|are) now (?:wrapped|set|passed|used|handled|guarded|removed|closed|sorted|locked|non-fatal)`,
    raw`\bneeds? to include|\bneeds to be (?:told|rebuilt)`,
  ),
  sign(
    'the remedy',
    0.18,
    raw`\b(?:i(?:'ll| need to| should|'ve)|let me|we(?:'ll| should| can| have to| need to)|you have to|need to) (?:also |now |just |try )?${MENDS}`,
    raw`\bi ${MENDED}\b`,
    raw`^(?:also |now )?(?:raised|increased|bumped|restarted|pinned|added|changed|removed|replaced|wrapped|swapped|updated|moved|passed)\b`,
    raw`^(?:also |now )?(?:add|wrap|replace|change|remove|pass)\b`,
  ),
];
export const REMEDY_HEADING = /(?:^|> )(?:the |proposed |bug )?(?:fix(?:es|ed)?|solutions?|remed(?:y|ies)|resolution|workaround)\b/i;
export const CHANGE_HEADING = saying('changes?|implementation|approach');

/** A remedy that says what it mends. */
export const EXPLAINED = saying(
  'instead of|previously|no longer|was (?:only|being|not|never)|so (?:the|that|when|it|if)|because|since|prevents?|stops?|rather than|so users?',
  'now (?:when|always|gets?|uses?)|never crash|correctly|which (?:was|is)|without|requires?|directly',
);

export const SYMPTOMS: readonly Sign[] = [
  phrases(
    'the symptom',
    0.14,
    raw`errors?|fail(?:s|ed|ing|ures?)?|crash\w*|bugs?|bugged|broken|broke|blocked|blocks|doesn't work|not work(?:ing)?`,
    raw`not (?:visible|rendered|found|showing|appearing|updated|display\w*)|exception|exit(?:s|ed)? with|exit code|flood\w*`,
    raw`hung|killed|oom|twice|flaky|expired|could not|stuck|wrong|mismatch|regression|corrupt\w*|jumbled|misleading|dead-end|cannot|can't|lost|weird|missing|duplicate`,
    raw`50[0-9]s?|time-?outs?|timing out|timed out|stale|leak\w*|exhausted|hangs?|hung|slow`,
  ),
];

export const PROVEN: readonly Sign[] = [
  phrases(
    'it was seen to work',
    0.14,
    raw`tests? (?:now )?pass\w*|all (?:\d+ )?(?:\w+ )?tests? (?:now )?pass|pass(?:es|ing) now|works? now|now works?`,
    'working (?:now|correctly|perfectly)|verified|all clean|lint (?:is )?clean|succeeded|successful(?:ly)?|0 fail|unblocked',
    raw`commit(?:ted)? succe\w+|(?:works?|succeeds?|pass(?:es)?|green) again|stays? (?:flat|green|stable)|go(?:es)? away|went away|in a row`,
    'no longer (?:fails?|hangs?|crash(?:es)?|leaks?)',
  ),
];

export const PETTY: readonly Sign[] = [
  phrases(
    'it is about form only',
    -0.3,
    'formatting|formatter|biome wants|lint (?:issue|error|warning|fix)s?|unused (?:import|variable)|typo|whitespace',
    'import order|prettier|collapse|coverage|branch(?:es)? (?:can|is|are)|changelog',
  ),
];
