import type { Passage, Sentence } from './prose.ts';
import { doubts, type Match, matchOf, nearby, type Part, type Sign, phrases, sign, signIn } from './score.ts';

const CAUSES: readonly Sign[] = [
  sign(
    'the cause',
    0.34,
    String.raw`(?<!not )(?<!n't )\b(?:root causes?|the (?:real |actual |main )?(?:cause|culprit|problem|issue|bug|error|mistake) (?:is|was|here|seems|lies)|caused by|(?:is|was|were|are) causing|turns out|the reason (?:is|was|it)|found (?:it|the (?:bug|issue|problem|cause))|there's the bug|i (?:can )?(?:see|understand|found) the (?:issue|bug|problem|mismatch|full flow)|(?:this|it|which|that) happens (?:because|when)|that's the issue|two (?:bugs|issues|root|problems)|broke some|was (?:corrupt(?:ed)?|being (?:invoked|rendered|called|treated)))\b`,
  ),
  sign(
    'the cause',
    0.28,
    String.raw`\b(?:(?:fail(?:s|ed|ing)?|broke|crash(?:es|ed)?|block(?:s|ed)|hidden|wrong|missing|stuck|empty|lost)\b.{0,90}\b(?:because|since|due to|so (?:the|it|when)|as the)\b|(?:because|due to)\b.{0,90}\b(?:fail\w*|missing|never|doesn't|does not|didn't|wasn't|weren't|isn't|aren't|not |undefined|null|wrong|stale|empty|dangling|invalid|truthy)|falls? through|stays? hidden|gets? dropped|silently (?:fail|drop|ignor|caught|run)\w*|which (?:is|was) never)`,
  ),
  phrases(
    'the cause',
    0.26,
    `(?:isn't|aren't|wasn't|weren't|not) (?:matching|receiving|being|selected|selecting|passed|passing|set|served|recogni[sz]ed)`,
    `can't (?:import|clone|read|find)|doesn't (?:automatically|recogni[sz]e|serve|match)|needs? to be told`,
  ),
  ['the cause', 0.2, /, but .{0,80}\b(?:never|still|doesn't|isn't|wasn't|didn't|don't|not)\b/i],
];
const CAUSE_HEADING = /\b(?:root causes?|cause|problems?|diagnosis|bugs?(?: \d)?|what (?:was|went) wrong|issue found|hiccup|why it (?:fails|failed|broke))\b/i;

const REMEDIES: readonly Sign[] = [
  sign(
    'the remedy',
    0.26,
    String.raw`\b(?:the (?:simplest |real |cleanest |correct |best )?(?:fix|solution|remedy|workaround)(?: here)? (?:is|was|should|in|deduplicates|stops)|fix(?:ed|es|ing)? (?:it |this |that |the \w+ )?(?:by|so)|^fixed\b|resolved by|solved by|(?:fixed|solved|resolved|cured|cleared) (?:it|this|that|the (?:issue|problem|error|bug))|did the trick|to fix (?:this|it|the)|we need to (?:use|change|add|tell|set|update)|(?:is|are) now (?:wrapped|set|passed|used|handled|guarded|non-fatal)|removing (?:it|them|the) .{0,40}\b(?:so|unblock)|unblocked|needs? to include|needs to be (?:told|rebuilt))`,
  ),
  sign(
    'the remedy',
    0.18,
    String.raw`\b(?:(?:i(?:'ll| need to| should|'ve)|let me|we(?:'ll| should| can| have to| need to)|you have to|need to) (?:also |now |just |try )?(?:fix|use|using|add|change|update|remove|wrap|pass|switch|replace|rename|rewrite|clean|apply|simplify|deduplicate|enhance|move|delete|spawn|set|modify|track|restore))`,
    String.raw`\bi (?:raised|increased|lowered|set|bumped|restarted|pinned|downgraded|upgraded|reverted|disabled|enabled|patched|rebuilt|cleared|deleted|moved|added|changed|removed|replaced)\b`,
    String.raw`^(?:also |now )?(?:raised|increased|bumped|restarted|pinned|added|changed|removed|replaced|wrapped|swapped|updated|moved|passed|add|wrap|replace|change|remove|pass)\b`,
  ),
];
const REMEDY_HEADING = /(?:^|> )(?:the |proposed |bug )?(?:fix(?:es|ed)?|solutions?|remed(?:y|ies)|resolution|workaround)\b/i;
const CHANGE_HEADING = /\b(?:changes?|implementation|approach)\b/i;
/** A remedy that says what it mends. */
const EXPLAINED = /\b(?:instead of|previously|no longer|was (?:only|being|not|never)|so (?:the|that|when|it|if)|because|since|prevents?|stops?|rather than|so users?|now (?:when|always|gets?|uses?)|never crash|correctly|which (?:was|is)|without|requires?|directly)\b/i;

const SYMPTOMS: readonly Sign[] = [
  phrases(
    'the symptom',
    0.14,
    String.raw`errors?|fail(?:s|ed|ing|ures?)?|crash\w*|bugs?|bugged|broken|broke|blocked|blocks|doesn't work|not work(?:ing)?`,
    String.raw`not (?:visible|rendered|found|showing|appearing|updated|display\w*)|exception|exit(?:s|ed)? with|exit code|flood\w*`,
    String.raw`stuck|wrong|mismatch|regression|corrupt\w*|jumbled|misleading|dead-end|cannot|can't|lost|weird|missing|duplicate`,
    String.raw`50[0-9]s?|time-?outs?|timing out|timed out|stale|leak\w*|exhausted|hangs?|hung|slow`,
  ),
];
const PROVEN: readonly Sign[] = [
  phrases(
    'it was seen to work',
    0.14,
    String.raw`tests? (?:now )?pass\w*|all (?:\d+ )?(?:\w+ )?tests? (?:now )?pass|pass(?:es|ing) now|works? now|now works?`,
    'working (?:now|correctly|perfectly)|verified|all clean|lint (?:is )?clean|succeeded|successful(?:ly)?|0 fail|unblocked',
    String.raw`commit(?:ted)? succe\w+`,
  ),
];
const PETTY: readonly Sign[] = [
  phrases(
    'it is about form only',
    -0.3,
    'formatting|formatter|biome wants|lint (?:issue|error|warning|fix)s?|unused (?:import|variable)|typo|whitespace',
    'import order|prettier|collapse|coverage|branch(?:es)? (?:can|is|are)|changelog',
  ),
];
const SETTLED = -0.1;
const ANNOUNCEMENT = 34;

interface Trail {
  readonly passage: Passage;
  readonly sentence: Sentence;
  readonly part: Part;
}

interface Remedy {
  readonly sentence: Sentence | undefined;
  readonly part: Part;
}

const causesIn = (passage: Passage): Trail[] =>
  passage.voice === 'user'
    ? []
    : passage.sentences.flatMap((said, at) => {
        // "Found it." announces the cause; the next sentence tells it.
        const sentence = said.plain.length < ANNOUNCEMENT ? (passage.sentences[at + 1] ?? said) : said;
        const part = signIn(said.plain, CAUSES) ?? (CAUSE_HEADING.test(sentence.under) ? { why: 'under a heading of causes', weight: 0.3 } : undefined);
        return part === undefined || sentence.asks ? [] : [{ passage, sentence, part }];
      });

function remediesIn(passage: Passage): Trail[] {
  if (passage.voice === 'user') return [];
  return passage.sentences.flatMap((sentence) => {
    const headed = REMEDY_HEADING.test(sentence.under) ? { why: 'under a heading of remedies', weight: 0.24 } : undefined;
    const changed = passage.voice === 'plan' && CHANGE_HEADING.test(sentence.under) ? { why: 'under a heading of changes', weight: 0.18 } : undefined;
    const part = headed ?? signIn(sentence.plain, REMEDIES) ?? changed;
    return part === undefined || sentence.asks ? [] : [{ passage, sentence, part }];
  });
}

const strongest = (trails: readonly Trail[]): Trail | undefined => trails.toSorted((a, b) => b.part.weight - a.part.weight)[0];

/** A trouble with its cause and its remedy, which may come some messages later; or a remedy that says what it mends. */
export function runbooksIn(passage: Passage, before: readonly Passage[]): Match[] {
  if (passage.voice === 'answer' || passage.voice === 'user') return [];
  const around = [...before, passage];
  const remedies = remediesIn(passage);
  const remedy: Remedy | undefined = strongest(remedies) ?? (passage.acts ? { sentence: undefined, part: { why: 'a file is changed right then', weight: 0.14 } } : undefined);
  const causes = causesIn(passage);
  const proof = seen(around, PROVEN, 0.14);
  const reported = seen(around.filter((other) => other.voice === 'user' || other.voice === 'plan'), SYMPTOMS, 0.12);
  const earlier = causes.length === 0 && remedy !== undefined && remedy.part.weight >= 0.24 ? before.flatMap(causesIn).slice(-2) : [];
  const diagnosed = [...causes, ...earlier].map((trail) => {
    const symptom = signIn(trail.sentence.plain, SYMPTOMS) ?? reported ?? seen(around, SYMPTOMS, 0.08);
    const mend = remedy?.part ?? { why: 'no remedy in sight', weight: SETTLED };
    return matchOf(trail.passage, trail.sentence, [trail.part, mend, symptom, proof, ...against(trail.sentence)], remedy?.sentence === undefined || remedy.sentence === trail.sentence ? [] : [remedy.sentence]);
  });
  const mended = remedies
    .filter((trail) => trail.part.weight >= 0.24 && [trail.sentence, ...nearby(passage, passage.sentences.indexOf(trail.sentence))].some((sentence) => EXPLAINED.test(sentence.plain)))
    .map((trail) => {
      const symptom = signIn(trail.sentence.plain, SYMPTOMS) ?? reported;
      const parts = [trail.part, { why: 'it says what it mends', weight: 0.1 }, symptom, proof, ...against(trail.sentence)];
      return matchOf(passage, trail.sentence, symptom === undefined ? [...parts, { why: 'no trouble was told', weight: -0.14 }] : parts);
    });
  return [...diagnosed, ...mended].filter((match) => match !== undefined);
}

const against = (sentence: Sentence): (Part | undefined)[] => [signIn(sentence.plain, PETTY), ...doubts(sentence)];

function seen(passages: readonly Passage[], signs: readonly Sign[], weight: number): Part | undefined {
  for (const passage of passages) {
    for (const sentence of passage.sentences) {
      const part = signIn(sentence.plain, signs);
      if (part !== undefined) return { ...part, weight };
    }
  }
  return undefined;
}
