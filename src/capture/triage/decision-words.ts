import { verbs, chain, one, phrases, raw, saying, sign, type Sign } from './words.ts';

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

/** To take one way of several. */
const CHOOSE = verbs('choose chose', 'pick', 'opt', 'settle', 'favour|favor', 'adopt', 'reject', 'standardise|standardize', 'abandon', 'ditch', 'scrap');
/** Words for parts of a design: where things are kept, how they are built, what is left out. */
const DESIGN = verbs(
  'use|keep kept|drop|retire|replace|switch|move|migrate|build built|ship|support|store|split split splitting|merge|pin|put put putting|leave left|stay|stick stuck',
  'skip|avoid|extend|reuse|charge|rely|vendor|host|cache|freeze froze|combine|generate|serve|limit|treat|inline|derive|go went',
);
/** Of these an agent tells as of steps, all day long. */
const PLACED = verbs('put put putting|keep kept|leave left|make made|build built|replace|store|vendor|move|split split splitting|merge|drop|pin|model|derive');
const SOFTLY = one('not|only|just|now|simply|never|instead|rather');
const WILL = raw`(?:'ll|'d| will| would|'re going to| are going to|'m going to| am going to)(?: ${SOFTLY})?`;
const IS_DOING = raw`(?:'re|'m| are| am)(?: ${SOFTLY})?`;
const MAKES_START = raw`^(?:(?:ok(?:ay)?|yes|yeah|yep|no|so|then|and|well|right|fine|alright|anyway|cool|good|sure|hm+),? )*`;

/** A person's "I will" settles something; an agent's may be its next step. */
export const USER_DECIDES: readonly Sign[] = [
  sign('a choice', 0.42, raw`\b\w[\w.+-]*(?: \w+)? it is(?=[.,;!]|$)|\b(?:my call|final answer|i've decided|go with|went with)\b`),
  sign(
    'a way taken',
    0.34,
    chain(raw`\b(?:we|i)${WILL} `, [0, raw`${DESIGN.base}\b`]),
    chain(raw`\b(?:we|i)${IS_DOING} `, [0, raw`(?:${DESIGN.ing}|${CHOOSE.ing})\b`]),
    raw`\b(?:we|i)(?:'ve| have)? (?:${CHOOSE.past}|switched|moved)\b`,
  ),
  sign('a way taken', 0.34, raw`${MAKES_START}(?:${DESIGN.ing}|${CHOOSE.ing}|${CHOOSE.past}|switched|moved|replaced)\b(?! (?:it|this|that)[.,!]?$)`),
  sign(
    'a way turned down',
    0.34,
    raw`\bno need (?:for|of) (?!the )\w+|\bwe (?:won't|will not|don't) ${DESIGN.base}\b|^no \w+(?: \w+)? (?:for|in|here|before|until)\b`,
  ),
  sign('a way ordered', 0.3, raw`(?:${MAKES_START}|[,;] )(?:use|take|put|build|store|make|go) (?:an? |the |it |ids? )?\w+`),
  sign('one place and not another', 0.28, raw`\b(?:is|are|stays?|goe?s?|lives?|moves?|runs?|gets?)\b.{2,60}(?:, not | and not | rather than | instead of )`),
  sign('how we do it', 0.28, raw`\bwe (?:only |always )?(?:${DESIGN.base})\b|\b(?:gets? its own|goe?s? (?:in|into|to|on|through))\b`),
];

/** Strongest first: the first that is found counts. */
export const DECISION_CHOICES: readonly Sign[] = [
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
    raw`${WHO}(?:'ve| have|'d| would)? (?:rather )?(?:${CHOOSE.past}|favou?r|turned down|ruled out|went for|went back to)`,
    raw`it was decided|turned down|ruled out|not worth (?:it|the)|the plan is (?:now )?to|the approach i took|that is what i (?:built|did|used)|the team prefers`,
    raw`(?:retired|dropped|replaced|removed) in favou?r of|of the (?:two|three|options)\b.{0,40}\bwins`,
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
  sign(
    'a way taken',
    0.3,
    chain(raw`\bwe(?:${WILL}| won't| do not) `, [0, raw`${DESIGN.base}\b`]),
    chain(raw`\bwe${IS_DOING} `, [0, raw`(?:${DESIGN.ing}|${CHOOSE.ing})\b`]),
    raw`\bwe only (?:support|use|keep|store|allow)\b`,
  ),
  sign('a way taken', 0.3, raw`^(?:${CHOOSE.ing}|keeping|dropping|sticking|staying|going) (?:with |to |the |a |an |on )\w+`),
  phrases('done on purpose', 0.34, `intentionally|deliberately|on purpose|by design|(?:it's|it is|would be) better to|makes? (?:more )?sense (?:to|here)`),
  phrases('what the user wants', 0.2, '(?:the )?user (?:wants|chose|confirmed|prefers|specified)'),
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
  sign(
    'done one way',
    0.22,
    raw`\b(?:i|we)(?:'ve| have)? (?:only |just )?${PLACED.past}\b`,
    raw`\b(?:i|we) (?:sort|compute|keep|store|share|hold|derive|cache) (?:it|them|the|one)\b`,
  ),
  sign('done one way and not another', 0.3, raw`\b(?:i|we) (?:kept|left|used|put|made|added|built|wrote|stored|moved) .{3,80}\b(?:rather than|instead of)\b`),
  sign(
    'to be done one way and not another',
    0.34,
    raw`^(?:[^,]{3,60}, ){0,2}(?:treat|use|show|return|throw|store|render|keep|make|derive|read|write|build|compute|call|reserve)\b.{5,160}\b(?:instead of|rather than)\b`,
  ),
  sign(
    'one thing and not another',
    0.12,
    raw`\b(?:is|are|stays?|goe?s?|lives?|moves?|runs?|gets?|becomes?|happens?)\b.{2,60}(?:, not | and not | and no longer | no longer | rather than | instead of )`,
  ),
  phrases('one way and not another', 0.16, 'instead of|rather than|as opposed to|in favou?r of'),
  phrases(
    'a step taken on purpose',
    0.2,
    raw`(?:i need to|i should|i want to|we need to|we should|i'm|we're) (?:just |also |only |simply )?(?:use|keep|avoid|using|keeping|avoiding|reuse|reusing|make|skip)\b`,
  ),
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
  raw`(?:,| and) not (?:the |a |an |in |on |just |by |from )?\w+|\(not\b|\bNOT\b`,
];
export const OTHERS: readonly Sign[] = [['what was turned down', 0.14, new RegExp(TURNED_DOWN.join('|'))]];

export const DECISION_HEADINGS: readonly Sign[] = [
  sign(
    'under a heading of decisions',
    0.5,
    raw`\b(?:decisions?(?: \(|$|:| >)|(?:design|user|key|product) decisions?|user requirements|requirements \(confirmed|agreed|verdict)`,
  ),
  phrases('named as a decision', 0.4, `(?:i|we)(?:'ve| have)? (?:decided|agreed)|my call|final answer|our choice|conclusion`),
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
/** No "because", and yet a reason: what it costs, spares, breaks or allows. */
export const SPEAKS_FOR: Sign = phrases(
  'what speaks for it',
  0.14,
  raw`would (?:be|need|cost|force|mean|break|have|double|only)|too \w+|(?:eas|cheap|simpl|fast|clean|safe|nic|hard|slow|small|light|wors|bett)\w*er|worse|better|more (?:to|than)|less|fewer`,
  raw`nobody|no ?one|none of|everyone|every \w+|no (?:fun|point|sense|tooling|server|downtime)|silly|pointless|overkill|waste|worth|matters?|anyway|does the job|good enough`,
  raw`buys? us|frees? us|leaves? us|lets? us|saves?|costs?|means?|breaks?|breaking|lost|los(?:es?|ing)|tripp?(?:ed|ing)|hidden|hid|painful|a pain|risky?|rotting|stuck`,
  raw`(?:can|could|do|does|did|is|are|will|has|have)(?:n't| not)|cannot|never|already|only|wants?|we want|\$?\d+ ?(?:k|%|ms|mb|gb|s)|per (?:month|minute|seat|year)|a month|a year`,
);

export const REASON_BESIDE = saying(
  'because|rationale|the reason|this (?:avoids|keeps|means|ensures|way|matches|works)|that way|since|so that|easier|simpler|cheaper|faster|overkill|good enough|lets us',
);
