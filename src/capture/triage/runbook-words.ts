import { verbs, chain, one, phrases, raw, saying, sign, type Sign } from './words.ts';

const GOES_WRONG = verbs(
  'fail|break broke|crash|hang hung|die died dying|stall|stutter|vanish|disappear|loop|leak|drift|time-out|refuse|reject|garble|flicker|freeze froze',
);
const BROKE = one(
  GOES_WRONG.any,
  'block(?:s|ed)|hidden|wrong|missing|stuck|empty|lost|off by|twice|blank|idle|corrupt(?:ed)?|grew|climb(?:s|ed|ing)|ran out',
  `timed out|flaky|slow|(?:could|would|did|do|does|was|were)(?: not|n't)|can(?:not|'t)|no longer|never \\w+`,
);
const PROBLEM = one(
  'errors?|failures?|crash(?:es)?|leaks?|problems?|issues?|bugs?|hangs?|time-?outs?|exceptions?|slowness|deadlocks?|faults?|outages?|lag|races?|[45]\\d\\ds?|conflicts?|loops?|warnings?',
  'data loss|regression|(?:blank|slow|empty|white) \\w+',
);
const LACKS = raw`(?:fail\w*|missing|never|(?:do|did|does|was|were|is|are)n't|does not|not |undefined|null|wrong|stale|empty|dangling|invalid|truthy)`;

const A_PROBLEM = raw`\b${PROBLEM}\b`;

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
    0.34,
    raw`^(?:ok,? |so,? |and |fyi,? )*(?:found why|figured (?:it )?out|it was (?:the|a|an|just|only|our)|it was [A-Z]+[.:]|what happened|got to the bottom|what (?:tripped|bit|broke|went wrong)|learned the hard way|why (?:it|the|this|that))\b`,
    raw`\b(?:cause|reason)s? (?:of|for|behind) (?:the|this|that|it)\b|\btraced? (?:it|this|the .{3,40}) (?:back )?to\b|\b(?:turned out|was down to|is down to)\b|\bthe cause (?:is|was)\b`,
  ),
  sign(
    'the cause',
    0.3,
    chain(A_PROBLEM, [40, raw` (?:is|was|were|are) (?:an?|the|our|down to|due to|because)\b`]),
    chain(A_PROBLEM, [40, raw`\b(?:showed up|appeared|started|arose|come) (?:when|whenever|after|because|if|from|since)\b`]),
    chain(A_PROBLEM, [40, raw`\b(?:came|comes|stems?|stemmed|results?|resulted|happen(?:s|ed)|occur(?:s|red)) (?:from|when|because|if|whenever)\b`]),
    chain(A_PROBLEM, [30, raw`\bwas (?:an?|the) [\w -]{3,40}(?:problem|issue|mismatch|conflict|bug)\b`]),
    raw`\b(?:broke|fail(?:s|ed)|crash(?:es|ed)|stopped working)\b.{0,60}: \w`,
    raw`\b(?:flaky|failing|broken|failed)\b.{0,60}\b(?:depend(?:s|ed) on|relie[sd] on|assume[sd])\b`,
  ),
  sign(
    'the cause',
    0.28,
    raw`\b${BROKE}\b.{0,90}\b(?:because|since|due to|so (?:the|it|when)|as (?:the|it|our|its)|: (?:the|a|an|two|both|it|our))(?:\b| )`,
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
export const PROBLEM_REPORTED: readonly Sign[] = [sign('the trouble just before it', 0.14, chain(raw`\b(?:${PROBLEM}|${BROKE}|see|happens)\b`))];
export const CAUSE_HEADING = saying(
  'root causes?|cause|problems?|diagnosis|bugs?(?: \\d)?|what (?:was|went) wrong|issue found|hiccup|why it (?:fails|failed|broke)',
);

/** A lead-in before a colon, not the heading of a chapter. */
export const CAUSE_LABEL = saying(
  'found (?:it|why|the \\w+)|what happened|(?:it|that) was \\w+|(?:a|the) race|why(?: \\w+){1,4}|the (?:culprit|reason)|figured it out|explanation',
);

/** How a person passes on what to do about a trouble. */
const ACTION_VERBS = one(
  'run|rerun|re-run|restart|delete|remove|reinstall|install|do|clear|set|kill|downgrade|upgrade|apply|use|need|needs|rm|add|check|flush|rebuild|reboot|clean|cleaning|call|drop',
);
const SO_DO = raw`(?:[,:;.—–] |\bjust |\bthen |\bto |\bneed )(?:just |you (?:have|need) to |then |need )?${ACTION_VERBS}\b`;
export const ADVICE: readonly Sign[] = [
  sign(
    'what to do when it happens',
    0.42,
    chain(raw`\b(?:if|when|whenever|in case|once|next time)\b`, [90, raw`\b(?:${PROBLEM}|${BROKE}|see|happens)\b`], [90, SO_DO]),
    chain(raw`\b(?:had|have|got|saw) (?:the same|this|that|a similar) `, [0, raw`\b(?:${PROBLEM}|${BROKE}|see|happens)\b`], [60, SO_DO]),
    chain(raw`\b(?:${PROBLEM}|${BROKE}|see|happens)\b`, [90, raw`[.,;:] (?:just |you (?:have|need) to |simply )`], [0, raw`${ACTION_VERBS}\b`]),
    chain(raw`\b(?:note to self|for the record|fyi|learned the hard way)\b`, [140, SO_DO]),
  ),
];

/** Too common to tell a cause by itself; beside a remedy it does. */
export const WHY_IT_HAPPENED: readonly Sign[] = [
  phrases(
    'why it happened',
    0.24,
    'because|due to|turned out|turns out|since (?:the|our|it|its|every|two|each|both|we)|as (?:the|our|its) \\w+ (?:is|was|has|had|did|does|do|dropped|ignored)',
  ),
  sign('why it happened', 0.2, raw`\b${BROKE}\b.{0,80}[,;] (?:that's|this is|it's|it is|it has|it had|it contains?) (?:the|our|a|an) \w+`),
];

const MENDS = one(
  'fix|use|using|add|change|update|remove|wrap|pass|switch|replace|rename|rewrite|clean|apply|simplify|deduplicate|enhance|move',
  'delete|spawn|set|modify|track|restore',
);
/** Words for the effect of a remedy on a problem: the effect, not the action, tells a remedy from any other change. */
const FIX = verbs('fix|solve|resolve|cure|clear|end|restore|unblock|remedy|correct|sort|eliminate');
const CURED = one(
  raw`(?:${FIX.third}|${FIX.past}|helped|helps) (?:it|this|that|the (?!\w+ for)|them|both|all|our|\w+ing\b)`,
  raw`(?:${FIX.past}|(?!fixes)${FIX.third}|helped|helps)(?=[.;]|$)`,
  raw`(?:restore|cure|solve|resolve|unblock|end|stop)(?:s|ed|d) \w+`,
);
const WELL_AGAIN = one(
  raw`(?:got|gets?|getting) (?:rid of|around|it (?:going|through|running|working)|the \w+ (?:going|through|running|working))`,
  raw`(?:made|makes?|lets?) (?:it|them|that|the \w+) (?:go away|work|launch|through|start|pass|agree|connect|load|exit|finish|disappear|cache|stop)\w*`,
  raw`(?:brought|brings?|puts?|took) (?:it|them|the \w+|utili[sz]ation)(?: \w+)? (?:back|down|up|to)|(?:go|goes|went|gone) (?:away|through|from \d|down to)|(?:did|does) the (?:job|trick)`,
  raw`(?:keeps?|kept|stays?|stayed|leaves?) (?:it |them |the \w+ |people |a )?(?:alive|flat|stable|green|logged|connected|single|at \d|at zero|up)`,
  raw`is (?:enough|gone|green|back|what it takes|at zero|fine|clean)|are (?:gone|back)|(?:works?|passes|succeeds?|loads?|runs?|connects?|starts?|boots?|finish(?:es)?|launch(?:es)?|match(?:es)?|exits?|arrives?|renders?) ?(?:now|again|cleanly|fine|as expected|too)?(?=[.,;!]|$| and | in | with | over )`,
  raw`(?:come|comes|came) out right|went through|(?:all|everything) (?:is |are )?(?:green|fine|well|connects|works|passes)`,
);
const MENDED = one(
  'raised|increased|lowered|set|bumped|restarted|pinned|downgraded|upgraded|reverted|disabled|enabled|patched|rebuilt|cleared',
  'deleted|moved|added|changed|removed|replaced|renewed|reloaded|rotated|reinstalled|recreated|killed|migrated|switched|bumped',
);

const WELL = raw`\b(?:${CURED}|${WELL_AGAIN})`;

export const REMEDIES: readonly Sign[] = [
  sign(
    'the remedy and its effect',
    0.3,
    chain(
      raw`(?:^|[;,:—–] |\band )(?!(?:ensur|verify|confirm|check|test|lint|allow)ing )(?:\w{2,}ing|with|after|once|an? \w+|version \S+|[\w./=:~-]*[=_:./-]\S*) `,
      [110, WELL],
    ),
    chain(raw`\b(?:i|we|it) (?:now )?\w+(?:ed|t|e|s)?\b`, [100, '(?:,| and| which|;|,? so) '], [40, WELL]),
    raw`\b(?:it|they|that|which) now (?!(?:see|have|understand|know|need|want|can|think|let|look|check|run)\b)\w+|\bi \w+ (?:it|them|one \w+|\w+ \w+) now\b|\b(?:runs?|works?|passes) since (?:i|we)\b`,
  ),
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

/** A remedy that names the problem it fixes. */
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
  phrases('it was given up', -0.5, `revert(?:ed|ing)?|gave up|given up|rolled back|undid|backed out`),
  phrases(
    'it is about form only',
    -0.3,
    'formatting|formatter|biome wants|lint (?:issue|error|warning|fix)s?|unused (?:import|variable)|typo|whitespace',
    'import order|prettier|collapse|coverage|branch(?:es)? (?:can|is|are)|changelog',
  ),
];
