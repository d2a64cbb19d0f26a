import { one, phrases, raw, saying, sign, type Sign } from './words.ts';

const WHO = one('we', 'i', 'they', 'team', 'you', 'user', 'he', 'she');
const GOOD = one('better|cleaner|cleanest|simplest|simpler|best|right|correct|safer|safest|proper|minimal|preferred|robust|real');
const BETTER = one('cleaner', 'cleanest', 'simpler', 'simplest', 'better', 'best', 'safer', 'safest', 'clearer', 'overkill');
const AND_MORE = '(?:,? (?:and|or|most|robust|correct|minimal|simple))*';
const WAY = one('approach', 'solution', 'option', 'choice', 'tool', 'fix', 'way', 'place', 'design', 'idea', 'replacement', 'default', 'value', 'fit');
const DOES = one('use|keep|only|add|make|remove|leave|take|modify|handle|put|reuse|replace|derive|include|clean|simplify|drop|skip|avoid');
const LETS = one('use|only|just|not|stick|make|skip|drop|move|combine', 'go(?! (?:ahead|on))', 'do(?! (?:it|this|that))', 'keep(?! (?:going|motivat))');
const SEEMS = one('is|seems|looks|feels|be|keeps? (?:it|things)');
/** After these, "since" tells when and not why. */
const A_TIME = raw`\d|last|yesterday|v\d|then|(?:i|we) started|the (?:last|release|beginning|start)`;

/** Strongest first: the first that is found counts. */
export const CHOICES: readonly Sign[] = [
  phrases(
    'a choice',
    0.42,
    `${WHO}(?:'ve| have| had)? (?:all |finally |then )?${one('decided', 'chose', 'opted', 'settled', 'agreed', 'picked(?! up)', 'went with', 'gone with')}`,
  ),
  phrases(
    'a choice',
    0.4,
    'decided (?:to|on|against|that)|decision(?: is| was)?:|chose|chosen|opted (?:for|to)|settled? on|went with|agreed to|changed my mind',
    `(?:we're|i'm|we are|i am|let's|i'll|we'll|we|to) (?:going|go|stick|stay|sticking) with`,
    `we(?:'re| are) (?:keeping|staying|sticking|dropping|switching)|we(?:'ll| will) (?:stay on|stick to|keep using|drop)`,
    'go (?:with|for) the (?:second|first|third|other|latter|former|simple(?:r|st)?)',
    raw`(?:do|take|go (?:for|with)|use|pick|choose) (?:option|variant|approach|plan) (?:[a-d]|\d|one|two)`,
  ),
  phrases('a choice', 0.38, `let's ${LETS}`),
  sign('a choice', 0.36, raw`(?:^|[,.;] )use [\w@/.+ -]{2,40},? (?:not|and not|instead of|rather than) \w+`),
  phrases('the way preferred', 0.4, `(?:is|was|be|i think|use) (?:the |a |an |to )?(?:much |far |more )?${GOOD}${AND_MORE} ${WAY}`),
  sign('the way preferred', 0.4, raw`\b${GOOD}${AND_MORE} ${WAY}(?: here| now)? ?(?:is|would be|was|:|—|–)`),
  sign(
    'the way preferred',
    0.4,
    raw`(?<!\b(?:code|now|everything|implementation|setup|it) )\b${SEEMS} (?:the )?(?:much |far |a bit )?${BETTER}\b(?! (?:now|than (?:before|ever)))`,
  ),
  phrases(
    'said to be right',
    0.34,
    '(?:this|that|it|which) (?:is|was) (?:safe|fine|enough|sufficient|intentional|deliberate|acceptable|preferable) (?:because|since|as|here)',
  ),
  phrases('a place chosen', 0.4, 'becomes? the|wins over|(?:is|as) (?:the )?(?:single )?source of truth'),
  phrases('a place chosen', 0.34, 'takes? precedence|goes? into|belongs? (?:in|to|on|with)|fits? (?:naturally|best)|lives? in'),
  phrases('done on purpose', 0.34, `intentionally|deliberately|on purpose|by design|(?:it's|it is|would be) better to|makes? (?:more )?sense (?:to|here)`),
  phrases('what the user wants', 0.2, '(?:the )?user (?:wants|chose|confirmed|prefers|specified)|we want'),
  sign('a recommendation', 0.3, raw`\b(?:i(?:'d)? recommend|my recommendation)\b|\(recommended\)`),
  sign(
    'a part done without',
    0.26,
    raw`\bno (?!(?:\w+ )?changes? )(?:need (?:for|to)|new \w+|\w+(?: \w+)? (?:is |are )?needed)|\b(?:don't|do not|doesn't) need (?:to|code|the|a|any)|\bnot needed`,
    raw`\bopt-in`,
    raw`\bonly (?:when|in|for|if|relevant|needed|shown|applies|to) \w+|\b(?:is|are|applies|apply) only`,
  ),
  phrases(
    'a rule for the design',
    0.24,
    'should (?:be|use|only|not|never|always|stay|remain|take|go|have|live|become)',
    'must (?:not|be|stay|remain|only)',
    'remains? (?:the|in|as)',
  ),
  sign(
    'a way taken for a purpose',
    0.2,
    raw`^(?:to (?:avoid|prevent|keep|reduce|minimi[sz]e|ensure|preserve|stay)\b|instead of|rather than) .{8,120}?, (?:i|we|the|it|let's)\b`,
    raw`^(?:instead of|rather than) .{8,80}? (?:i|we) \w+ed\b`,
    raw`^(?:no|yes|ok|okay),? (?:make|use|put|keep|do) (?:it|this|that|the) .{3,80}\b(?:otherwise|because|since|so)\b`,
    raw`, so (?:i|we) (?:kept|used|made|moved|left|put|added|chose|went|only|just|will|don't|skip\w*)\b`,
  ),
  sign(
    'a consequence drawn',
    0.2,
    raw`^(?:since|because|given that|as (?:we|it|this)) .{12,160}?, (?!(?:i|we|you) (?:need|have) to|let me|i'll (?:fix|update|check|run|read|look))\w+`,
  ),
  sign('done one way and not another', 0.3, raw`\b(?:i|we) (?:kept|left|used|put|made|added|built|wrote|stored|moved) .{3,80}\b(?:rather than|instead of)\b`),
  sign(
    'to be done one way and not another',
    0.34,
    raw`^(?:[^,]{3,60}, ){0,2}(?:treat|use|show|return|throw|store|render|keep|make|derive|read|write|build|compute|call|reserve)\b.{5,160}\b(?:instead of|rather than)\b`,
  ),
  phrases('one way and not another', 0.16, 'instead of|rather than|as opposed to|in favou?r of'),
  phrases('a step taken on purpose', 0.2, `(?:i'll|we'll|i will|we will|we can|i can|i should|i'd) (?:just |also |only |simply )?${DOES}`),
];

/** Choices whose wording takes in the reason. */
export const HOLDS_REASON = /^(?:said|a consequence|a way taken)/;

export const REASONS: readonly Sign[] = [
  phrases('its reason', 0.28, `because|otherwise|rationale|the reason|reason is|given that|trade-?offs?|so that|that's why|it's why`),
  sign('its reason', 0.24, raw`(?<!\b(?:ever|long|days|weeks|months|years|changed) )\bsince (?!${A_TIME})`),
  sign(
    'its reason',
    0.22,
    raw`(?:[,—–-] |\w )as (?:we|it|this|they|that|i|these|raw)\b(?! (?:is|was|were|are) (?:now|shown))|, as code\b`,
    raw`[—–] (?:it's|it is|it already|they're|we|in|only|so|already|no) \w+|\bso (?:we|you|let's) (?:should|don't|do not)\b`,
  ),
  sign(
    'its purpose',
    0.22,
    raw`\bto (?:avoid|prevent|reduce|minimi[sz]e|maximi[sz]e|preserve|save|satisfy|differentiate|help prevent)`,
    raw`\b(?:avoids|prevents|reduces|eliminates|saves|maximi[sz]es|minimi[sz]es|avoiding|preventing)\b`,
    raw`\bfor (?:consistency|simplicity|safety|performance|clarity|resilience|readability|(?:better )?(?:cache|maintainab)\w*)`,
    raw`, so [\w/ -]{3,40} (?:is|are|stays?|remains?) (?:unaffected|unchanged|untouched|the same)\b`,
    raw`\bbackwards?[- ]compat\w*|\bin order to`,
    raw`\bso (?:we|it|they|you|users?|there) (?:don't|doesn't|won't|stays?|never|aren't|isn't)|\b(?:this|that) way`,
    raw`\bwhich (?:means|lets|avoids|makes|keeps|saves)`,
    raw`\b(?:one|two) (?:less|fewer) \w+|\bfewer \w+ to \w+|\bonly (?:have|has) \w+ \w+`,
    raw`\beasier to|\bless work|\bmakes? it (?:hard|easier|harder)|\bmore robust|\bclearer|\bmaximizing|\bleverages|\beasy to \w+|\boverkill`,
    raw`\btoo (?:much|heavy|complex|slow|big|many|risky|expensive)|\bgood enough|\benough for`,
    raw`\b(?:is|are|it's|much|far) (?:simpler|cheaper|faster|lighter|smaller)\b`,
    raw`\bwithout (?:needing|having|breaking|changing|adding|touching)|\bso (?:the|that|local|existing|old|both) \w+`,
  ),
];

/** Capital letters count here: a NOT is meant. */
const TURNED_DOWN = [
  raw`\b(?:instead of|rather than|as opposed to|over \w+|versus|vs\.?|not \w+ but|alternatives?|rejected|ruled out)`,
  raw`\boption [a-d1-4]\b|\bthe other (?:option|approach)`,
  raw`\b(?:cleaner|simpler|better|safer|faster|clearer) than`,
  raw`, not (?:the |a |an |in |just )?\w+|\(not\b|\bNOT\b`,
];
export const OTHERS: readonly Sign[] = [['what was turned down', 0.14, new RegExp(TURNED_DOWN.join('|'))]];

export const HEADINGS: readonly Sign[] = [
  sign(
    'under a heading of decisions',
    0.5,
    raw`\b(?:decisions?(?: \(|$|:| >)|(?:design|user|key|product) decisions?|user requirements|requirements \(confirmed|agreed|verdict)`,
  ),
  phrases('under its reasons', 0.34, 'rationale|trade-?offs?|why (?:not|we|this|it)|works because|chosen because'),
  sign('one of several options', -0.2, raw`\boption [a-d1-9]\b(?!.*recommended)`),
  phrases('under an approach', 0.14, 'approach|design|solution|proposed'),
  phrases('under a list of checks', -0.3, 'verification|test cases|test plan|checklist|tests?$|manual'),
];

const OPENERS = raw`^(?:now |next |first |then |ok(?:ay)?,? |good[,!.—-]* |perfect[,!.]* |great[,!.]* |excellent[,!.]* )*`;
const NEXT = [
  'let me',
  `let's (?:run|test|check|see|verify|try|fix|update|start|do a|also)`,
  `i'll (?:now |also )?(?:add|update|read|start|check|run|create|implement|fix|look|explore|examine|help|edit|write|commit|analy[sz]e|only (?:stage|commit))`,
  'i need to',
  'now ',
];
export const TELLS_NEXT = new RegExp(raw`${OPENERS}${one(...NEXT)}\b`, 'i');
export const ROUTINE = saying(
  'commit(?:ted|ting)?|staged|unstaged|stage (?:the|only|all)|lint|pre-?existing|test(?:s|ed)? pass|changelog|typecheck|test passes',
);
export const TELLS_FAULT = saying(
  `currently|silently|wrong(?:ly)?|incorrectly|fails?|failed|bug|broken|missing|loses?|drops?|dropped|misleading|doesn't|didn't|never|however`,
);
export const REASON_BESIDE = saying(
  'because|rationale|the reason|this (?:avoids|keeps|means|ensures|way|matches|works)|that way|since|so that|easier|simpler|cheaper|faster|overkill|good enough|lets us',
);
