import type { Passage, Sentence } from './prose.ts';
import { doubts, type Match, matchOf, nearby, type Part, type Sign, phrases, sign, signIn, withPart } from './score.ts';

const CHOICES: readonly Sign[] = [
  sign(
    'a choice',
    0.42,
    String.raw`\b(?:we|i|they|team|you|user|he|she)(?:'ve| have| had)? (?:all |finally |then )?(?:decided|chose|opted|settled|agreed|picked(?! up)|went with|gone with)\b`,
  ),
  phrases(
    'a choice',
    0.4,
    'decided (?:to|on|against|that)|decision(?: is| was)?:|chose|chosen|opted (?:for|to)|settled on|settle on|went with',
    `(?:we're|i'm|we are|i am|let's|i'll|we'll|to) (?:going|go|stick|sticking) with|agreed to|changed my mind`,
  ),
  sign(
    'a choice',
    0.38,
    String.raw`\blet's (?:use|go(?! (?:ahead|on))|do(?! (?:it|this|that))|keep(?! (?:going|motivat))|only|just|not|stick|make|skip|drop|move|combine)\b`,
  ),
  ['a choice', 0.36, /(?:^|[,.;] )use [\w@/.+ -]{2,40},? (?:not|and not|instead of|rather than) \w+/i],
  sign(
    'the way preferred',
    0.4,
    String.raw`\b(?:is|was|be|i think|use) (?:the |a |an |to )?(?:much |far |more )?(?:better|cleaner|cleanest|simplest|simpler|best|right|correct|safer|safest|proper|minimal|preferred|robust)(?:,? (?:and|or|most|robust|correct|minimal|simple))* (?:approach|solution|option|choice|tool|fix|way|place|design|idea|replacement|default|value|fit)\b`,
  ),
  sign(
    'the way preferred',
    0.4,
    String.raw`\b(?:better|cleaner|cleanest|simplest|simpler|best|right|correct|safer|safest|proper|minimal|preferred|real)(?:,? (?:and|or|most|robust|correct|minimal|simple))* (?:approach|solution|option|choice|fix|way|place|design)(?: here| now)? ?(?:is|would be|was|:|—|–)`,
  ),
  sign(
    'the way preferred',
    0.4,
    String.raw`(?<!\b(?:code|now|everything|implementation|setup|it) )\b(?:is|seems|looks|feels|be|keeps? (?:it|things)) (?:the )?(?:much |far |a bit )?(?:cleaner|cleanest|simpler|simplest|better|best|safer|safest|clearer|overkill)\b(?! (?:now|than (?:before|ever)))`,
  ),
  sign(
    'said to be right',
    0.34,
    String.raw`\b(?:this|that|it|which) (?:is|was) (?:safe|fine|enough|sufficient|intentional|deliberate|acceptable|preferable) (?:because|since|as|here)\b`,
  ),
  ['a place chosen', 0.4, /\b(?:becomes? the|wins over|(?:is|as) (?:the )?(?:single )?source of truth)\b/i],
  ['a place chosen', 0.34, /\b(?:takes? precedence|belongs? (?:in|to|on|with)|fits? (?:naturally|best)|lives? in)\b/i],
  ['done on purpose', 0.34, /\b(?:intentionally|deliberately|on purpose|by design|(?:it's|it is|would be) better to|makes? (?:more )?sense (?:to|here))\b/i],
  ['what the user wants', 0.2, /\b(?:(?:the )?user (?:wants|chose|confirmed|prefers|specified)|we want)\b/i],
  ['a recommendation', 0.3, /\b(?:i(?:'d)? recommend|my recommendation)\b|\(recommended\)/i],
  sign(
    'a part done without',
    0.26,
    String.raw`\b(?:no (?:need (?:for|to)|new \w+|\w+(?: \w+)? (?:is |are )?needed)|(?:don't|do not|doesn't) need (?:to|code|the|a|any)|not needed|opt-in|only (?:when|in|for|if|relevant|needed|shown|applies|to) \w+|(?:is|are|applies|apply) only)`,
  ),
  phrases(
    'a rule for the design',
    0.24,
    'should (?:be|use|only|not|never|always|stay|remain|take|go|have|live|become)|must (?:not|be|stay|remain|only)',
    'remains? (?:the|in|as)',
  ),
  sign(
    'a way taken for a purpose',
    0.2,
    String.raw`^(?:to (?:avoid|prevent|keep|reduce|minimi[sz]e|ensure|preserve|stay)\b|instead of|rather than) .{8,120}?, (?:i|we|the|it|let's)\b`,
    String.raw`, so (?:i|we) (?:kept|used|made|moved|left|put|added|chose|went|only|just|will|don't|skip\w*)\b`,
  ),
  sign(
    'a consequence drawn',
    0.2,
    String.raw`^(?:since|because|given that|as (?:we|it|this)) .{12,160}?, (?!i (?:need|have) to|let me|(?:we|you) (?:need|have) to|i'll (?:fix|update|check|run|read|look))\w+`,
  ),
  ['one way and not another', 0.16, /\b(?:instead of|rather than|as opposed to|in favou?r of)\b/i],
  sign(
    'a step taken on purpose',
    0.2,
    String.raw`\b(?:i'll|we'll|i will|we will|we can|i can|i should|i'd) (?:just |also |only |simply )?(?:use|keep|only|add|make|remove|leave|take|modify|handle|put|reuse|replace|derive|include|clean|simplify|drop|skip|avoid)\b`,
  ),
];

const REASONS: readonly Sign[] = [
  ['its reason', 0.28, /\b(?:because|rationale|the reason|reason is|given that|trade-?offs?|so that|that's why|it's why)\b/i],
  sign(
    'its reason',
    0.24,
    String.raw`(?<!\b(?:ever|long|days|weeks|months|years|changed) )\bsince (?!\d|last|yesterday|v\d|then|i started|we started|the (?:last|release|beginning|start))`,
  ),
  sign(
    'its reason',
    0.22,
    String.raw`(?:[,—–-] |\w )as (?:we|it|this|they|that|i|these|raw)\b(?! (?:is|was|were|are) (?:now|shown))|, as code\b`,
    String.raw`[—–] (?:it's|it is|it already|they're|we|in|only|so|already|no) \w+|\bso (?:we|you|let's) (?:should|don't|do not)\b`,
  ),
  sign(
    'its purpose',
    0.22,
    String.raw`\b(?:to (?:avoid|prevent|reduce|minimi[sz]e|maximi[sz]e|preserve|save|satisfy|differentiate|help prevent)|(?:avoids|prevents|reduces|eliminates|saves|maximi[sz]es|minimi[sz]es|avoiding|preventing)\b|for (?:consistency|simplicity|safety|performance|clarity|resilience|readability|(?:better )?(?:cache|maintainab)\w*)|backwards?[- ]compat\w*|in order to|so (?:we|it|they|you|users?|there) (?:don't|doesn't|won't|stays?|never|aren't|isn't)|(?:this|that) way|which (?:means|lets|avoids|makes|keeps|saves)|easier to|less work|makes? it (?:hard|easier|harder)|more robust|clearer|maximizing|leverages|easy to \w+|overkill|too (?:much|heavy|complex|slow|big|many|risky|expensive)|good enough|enough for|(?:is|are|it's|much|far) (?:simpler|cheaper|faster|lighter|smaller)\b|without (?:needing|having|breaking|changing|adding|touching)|so (?:the|that|local|existing|old|both) \w+)`,
  ),
];

const OTHERS: readonly Sign[] = [
  ['what was turned down', 0.14, /\b(?:instead of|rather than|as opposed to|over \w+|versus|vs\.?|not \w+ but|alternatives?|rejected|ruled out|option [a-d1-4]\b|the other (?:option|approach)|(?:cleaner|simpler|better|safer|faster|clearer) than)|, not (?:the |a |an |in |just )?\w+|\(not\b|\bNOT\b/],
];

const HEADINGS: readonly Sign[] = [
  sign(
    'under a heading of decisions',
    0.5,
    String.raw`\b(?:decisions?(?: \(|$|:| >)|(?:design|user|key|product) decisions?|user requirements|requirements \(confirmed|agreed|verdict)`,
  ),
  ['under its reasons', 0.34, /\b(?:rationale|trade-?offs?|why (?:not|we|this|it)|works because|chosen because)\b/i],
  ['one of several options', -0.2, /\boption [a-d1-9]\b(?!.*recommended)/i],
  ['under an approach', 0.14, /\b(?:approach|design|solution|proposed)\b/i],
  ['under a list of checks', -0.3, /\b(?:verification|test cases|test plan|checklist|tests?$|manual)\b/i],
];

const TELLS_NEXT =
  /^(?:now |next |first |then |ok(?:ay)?,? |good[,!.—-]* |perfect[,!.]* |great[,!.]* |excellent[,!.]* )*(?:let me|let's (?:run|test|check|see|verify|try|fix|update|start|do a|also)|i'll (?:now |also )?(?:add|update|read|start|check|run|create|implement|fix|look|explore|examine|help|edit|write|commit|analy[sz]e|only (?:stage|commit))|i need to|now )\b/i;
const ROUTINE = /\b(?:commit(?:ted|ting)?|staged|unstaged|stage (?:the|only|all)|lint|pre-?existing|test(?:s|ed)? pass|changelog|typecheck|test passes)\b/i;
const TELLS_FAULT = /\b(?:currently|silently|wrong(?:ly)?|incorrectly|fails?|failed|bug|broken|missing|loses?|drops?|dropped|misleading|doesn't|didn't|never|however)\b/i;
const REASON_BESIDE = /\b(?:because|rationale|the reason|this (?:avoids|keeps|means|ensures|way|matches|works)|that way|since|so that)\b/i;
const QUOTED = /^["'“].*["'”][.,]?$/;

/** Choices whose pattern takes in the reason. */
const HOLDS_REASON = /^(?:said|a consequence|a way taken)/;

const overlaps = (a: RegExpExecArray | null, b: RegExpExecArray | null): boolean => a !== null && b !== null && a.index < b.index + b[0].length && b.index < a.index + a[0].length;

/** Words that gave the choice do not give its reason too. */
function reasonIn(plain: string, choice: Part | undefined): Part | undefined {
  const chosen = choice === undefined ? null : (CHOICES.find(([, weight, pattern]) => weight === choice.weight && pattern.test(plain))?.[2].exec(plain) ?? null);
  for (const sign of REASONS) if (sign[2].test(plain) && !(!HOLDS_REASON.test(choice?.why ?? '') && overlaps(chosen, sign[2].exec(plain)))) return signIn(plain, [sign]);
  return undefined;
}

function againstIn(sentence: Sentence, passage: Passage, reason: Part | undefined): (Part | undefined)[] {
  const { plain } = sentence;
  return [
    ...doubts(sentence),
    passage.voice === 'agent' && TELLS_NEXT.test(plain) && reason === undefined ? { why: 'it tells the next step', weight: -0.25 } : undefined,
    ROUTINE.test(plain) ? { why: 'it is about a routine step', weight: -0.2 } : undefined,
    TELLS_FAULT.test(plain) && reason?.why.startsWith('its reason') !== true ? { why: 'it tells of a fault', weight: -0.2 } : undefined,
    /^(?:\w+,? )?if (?:you|the|it|there|we)\b/i.test(plain) ? { why: 'it depends on an if', weight: -0.2 } : undefined,
    QUOTED.test(sentence.text) ? { why: 'it is a quotation', weight: -0.3 } : undefined,
    plain.length < 25 && passage.voice !== 'user' ? { why: 'it is too short to stand alone', weight: -0.2 } : undefined,
  ];
}

/** A choice with what it rests on. */
export function decisionsIn(passage: Passage, before: readonly Passage[]): Match[] {
  if (passage.voice === 'answer') return answered(passage);
  return joined(passage.sentences.flatMap((sentence, at) => {
    const { plain, under } = sentence;
    const heading = signIn(under, HEADINGS);
    const choice = signIn(plain, CHOICES);
    if (choice === undefined && (heading === undefined || heading.weight < 0.3)) return [];
    const own = reasonIn(plain, choice);
    const beside = own === undefined ? nearby(passage, at).find((near) => !near.asks && REASON_BESIDE.test(near.plain)) : undefined;
    const advised = own === undefined && beside === undefined && passage.voice === 'user' && before.at(-1)?.sentences.some((other) => /\brecommend|\bi'd suggest\b/i.test(other.plain + other.under)) === true;
    const match = matchOf(
      passage,
      sentence,
      [
        choice,
        own ?? (beside === undefined ? undefined : { why: 'a reason beside it', weight: 0.14 }),
        advised ? { why: 'after a recommendation', weight: 0.14 } : undefined,
        choice?.why.startsWith('one way') ? undefined : signIn(plain, OTHERS),
        heading,
        passage.voice === 'plan' && choice !== undefined && choice.weight < 0.3 && own !== undefined ? { why: 'in a plan', weight: 0.06 } : undefined,
        ...againstIn(sentence, passage, own),
      ],
      beside === undefined ? [] : [beside],
    );
    return match === undefined ? [] : [match];
  }));
}

/** A message that gives reasons again and again is about a choice: its best line gains a little. */
function joined(matches: readonly Match[]): Match[] {
  const best = matches.toSorted((a, b) => b.score - a.score)[0];
  const others = matches.filter((match) => match !== best && match.score >= 0.2).length;
  if (best === undefined || others === 0) return [...matches];
  const gained = withPart(best, { why: `${others} more lines like it`, weight: Math.min(0.09, others * 0.03) });
  return matches.map((match) => (match === best ? (gained ?? best) : match));
}

/** What a person picked when asked. A permission is no decision. */
function answered(passage: Passage): Match[] {
  return passage.sentences.flatMap((sentence) => {
    const [question = '', answer = ''] = sentence.plain.split(' → ');
    const between = / or \b|\bwhich\b|\bhow should\b/i.test(question);
    if (!between || (/^(?:yes|no|ok|sure)\b/i.test(answer) && answer.length < 40)) return [];
    const match = matchOf(passage, sentence, [
      { why: 'the user picked an answer', weight: 0.45 },
      { why: 'between ways', weight: 0.25 },
    ]);
    return match === undefined ? [] : [match];
  });
}
