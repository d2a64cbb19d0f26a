import type { Passage, Sentence } from './prose.ts';
import {
  ADVICE,
  CAUSE_HEADING,
  CAUSE_LABEL,
  CAUSES,
  CHANGE_HEADING,
  EXPLAINED,
  PETTY,
  PROVEN,
  REMEDIES,
  REMEDY_HEADING,
  SYMPTOMS,
  PROBLEM_REPORTED,
  WHY_IT_HAPPENED,
} from './runbook-words.ts';
import { doubts, type TriageMatch, matchOf, nearby, type SignalPart, signIn } from './score.ts';
import type { Sign } from './words.ts';

/** "Found it." announces a cause and tells none. */
const ANNOUNCEMENT = 34;
/** From here a remedy speaks for itself. */
const PLAIN_REMEDY = 0.24;
const WITH_EFFECT = 'the remedy and its effect';

interface Problem {
  readonly passage: Passage;
  readonly sentence: Sentence;
  readonly part: SignalPart;
}

interface Remedy {
  readonly sentence?: Sentence;
  readonly part: SignalPart;
}

const isOwnWords = (passage: Passage): boolean => passage.voice !== 'answer';

function causesIn(passage: Passage, signs = CAUSES): Problem[] {
  if (!isOwnWords(passage)) return [];
  return passage.sentences.flatMap((candidate, at) => {
    const sentence = candidate.plain.length < ANNOUNCEMENT ? (passage.sentences[at + 1] ?? candidate) : candidate;
    const part =
      signIn(candidate.plain, signs) ??
      (CAUSE_HEADING.test(sentence.under) || CAUSE_LABEL.test(candidate.label) ? { why: 'under a heading of causes', weight: 0.3 } : undefined);
    return part === undefined || sentence.asks ? [] : [{ passage, sentence, part }];
  });
}

function remediesIn(passage: Passage): Problem[] {
  return passage.sentences.flatMap((sentence) => {
    // The title of a plan heads all of it and says nothing of a part.
    const heads = sentence.under.split(' > ');
    const headed = REMEDY_HEADING.test(heads.length > 1 ? heads.slice(1).join(' > ') : sentence.under)
      ? { why: 'under a heading of remedies', weight: 0.24 }
      : undefined;
    const changed = passage.voice === 'plan' && CHANGE_HEADING.test(sentence.under) ? { why: 'under a heading of changes', weight: 0.18 } : undefined;
    const part = headed ?? signIn(sentence.plain, REMEDIES) ?? changed;
    return part === undefined || sentence.asks ? [] : [{ passage, sentence, part }];
  });
}

function remedyIn(passage: Passage, remedies: readonly Problem[]): Remedy | undefined {
  const strongest = remedies.toSorted((a, b) => b.part.weight - a.part.weight)[0];
  return strongest ?? (passage.acts ? { part: { why: 'a file is changed right then', weight: 0.14 } } : undefined);
}

/** A problem with its cause and its remedy, which may come some messages later; or a remedy that names the problem it fixes. */
export function runbooksIn(passage: Passage, before: readonly Passage[]): TriageMatch[] {
  if (!isOwnWords(passage)) return [];
  if (passage.voice === 'user') return passedOn(passage);
  const around = [...before, passage];
  const proof = seen(around, PROVEN, 0.14);
  const reported = seen(
    around.filter((other) => other.voice === 'user' || other.voice === 'plan'),
    SYMPTOMS,
    0.12,
  );
  const remedies = remediesIn(passage);
  const remedy = remedyIn(passage, remedies);
  const isMended = remedy !== undefined && remedy.part.weight >= PLAIN_REMEDY;
  const clear = causesIn(passage);
  const causes = clear.length === 0 && isMended && passage.voice === 'agent' ? causesIn(passage, WHY_IT_HAPPENED) : clear;
  const earlier = causes.length === 0 && isMended ? before.flatMap((other) => causesIn(other)).slice(-2) : [];
  const diagnosed = [...causes, ...earlier].map((problem) => {
    const symptom = signIn(problem.sentence.plain, SYMPTOMS) ?? reported ?? seen(around, SYMPTOMS, 0.08);
    const fix = remedy?.part ?? { why: 'no remedy in sight', weight: -0.1 };
    const beside = remedy?.sentence === undefined || remedy.sentence === problem.sentence ? [] : [remedy.sentence];
    return matchOf(problem.passage, problem.sentence, [problem.part, fix, symptom, proof, ...against(problem.sentence)], beside);
  });
  const mended = remedies
    .filter((problem) => problem.part.weight >= PLAIN_REMEDY && isExplained(passage, problem.sentence))
    .map((problem) => {
      const symptom = signIn(problem.sentence.plain, SYMPTOMS) ?? reported ?? { why: 'no trouble was told', weight: -0.14 };
      return matchOf(passage, problem.sentence, [problem.part, { why: 'it says what it mends', weight: 0.1 }, symptom, proof, ...against(problem.sentence)]);
    });
  return [...diagnosed, ...mended, ...cured(passage, remedies)].filter((match) => match !== undefined);
}

/** A trouble, and right after it what made it go away: the cause stands in between or goes without saying. */
const cured = (passage: Passage, remedies: readonly Problem[]): (TriageMatch | undefined)[] =>
  remedies
    .filter((problem) => problem.part.why.startsWith(WITH_EFFECT))
    .map((problem) => {
      const at = passage.sentences.indexOf(problem.sentence);
      const symptoms = [at, at - 1, at - 2]
        .map((index) => passage.sentences[index])
        .find((near) => near !== undefined && !near.asks && signIn(near.plain, PROBLEM_REPORTED));
      if (symptoms === undefined) return undefined;
      return matchOf(
        passage,
        symptoms,
        [problem.part, signIn(symptoms.plain, PROBLEM_REPORTED), ...against(symptoms)],
        symptoms === problem.sentence ? [] : [problem.sentence],
      );
    });

/** A person's account of a problem is a report, unless it also tells what helped. */
function passedOn(passage: Passage): TriageMatch[] {
  const advised = passage.sentences.map((sentence) => {
    const part = sentence.asks ? undefined : signIn(sentence.plain, ADVICE);
    return part === undefined ? undefined : matchOf(passage, sentence, [part, signIn(sentence.plain, SYMPTOMS), ...against(sentence)]);
  });
  const remedy = remediesIn(passage).find((problem) => problem.part.weight >= PLAIN_REMEDY && !/\bwill\b/i.test(problem.sentence.plain));
  if (remedy === undefined) return advised.filter((match) => match !== undefined);
  const causes = causesIn(passage);
  const symptoms = (causes.length > 0 ? causes : causesIn(passage, WHY_IT_HAPPENED)).map((problem) =>
    matchOf(passage, problem.sentence, [problem.part, remedy.part, signIn(problem.sentence.plain, SYMPTOMS), ...against(problem.sentence)]),
  );
  return [...advised, ...symptoms, ...cured(passage, remediesIn(passage))].filter((match) => match !== undefined);
}

const isExplained = (passage: Passage, sentence: Sentence): boolean =>
  [sentence, ...nearby(passage, passage.sentences.indexOf(sentence))].some((near) => EXPLAINED.test(near.plain));

const against = (sentence: Sentence): (SignalPart | undefined)[] => [signIn(sentence.plain, PETTY), ...doubts(sentence)];

function seen(passages: readonly Passage[], signs: readonly Sign[], weight: number): SignalPart | undefined {
  for (const passage of passages) {
    for (const sentence of passage.sentences) {
      const part = signIn(sentence.plain, signs);
      if (part !== undefined) return { ...part, weight };
    }
  }
  return undefined;
}
