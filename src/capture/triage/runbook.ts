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

/** A shorter sentence such as "Found it." only announces a cause. */
const ANNOUNCEMENT = 34;
/** From this weight, a remedy counts without a cause. */
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
    // The title of a plan covers all of it and does not describe a part.
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

/** Problems with their cause and remedy, which may come some messages later, and remedies that name the problem they fix. */
export function runbooksIn(passage: Passage, before: readonly Passage[]): TriageMatch[] {
  if (!isOwnWords(passage)) return [];
  if (passage.voice === 'user') return userReports(passage);
  const around = [...before, passage];
  const proof = findSign(around, PROVEN, 0.14);
  const reported = findSign(
    around.filter((other) => other.voice === 'user' || other.voice === 'plan'),
    SYMPTOMS,
    0.12,
  );
  const remedies = remediesIn(passage);
  const remedy = remedyIn(passage, remedies);
  const hasPlainRemedy = remedy !== undefined && remedy.part.weight >= PLAIN_REMEDY;
  const clear = causesIn(passage);
  const causes = clear.length === 0 && hasPlainRemedy && passage.voice === 'agent' ? causesIn(passage, WHY_IT_HAPPENED) : clear;
  const earlier = causes.length === 0 && hasPlainRemedy ? before.flatMap((other) => causesIn(other)).slice(-2) : [];
  const diagnosed = [...causes, ...earlier].map((problem) => {
    const symptom = signIn(problem.sentence.plain, SYMPTOMS) ?? reported ?? findSign(around, SYMPTOMS, 0.08);
    const fix = remedy?.part ?? { why: 'no remedy in sight', weight: -0.1 };
    const beside = remedy?.sentence === undefined || remedy.sentence === problem.sentence ? [] : [remedy.sentence];
    return matchOf(problem.passage, problem.sentence, [problem.part, fix, symptom, proof, ...counterSigns(problem.sentence)], beside);
  });
  const explained = remedies
    .filter((problem) => problem.part.weight >= PLAIN_REMEDY && isExplained(passage, problem.sentence))
    .map((problem) => {
      const symptom = signIn(problem.sentence.plain, SYMPTOMS) ?? reported ?? { why: 'no trouble was told', weight: -0.14 };
      return matchOf(passage, problem.sentence, [
        problem.part,
        { why: 'it says what it mends', weight: 0.1 },
        symptom,
        proof,
        ...counterSigns(problem.sentence),
      ]);
    });
  return [...diagnosed, ...explained, ...curesIn(passage, remedies)].filter((match) => match !== undefined);
}

/** Problems that are followed directly by the remedy that solved them. */
const curesIn = (passage: Passage, remedies: readonly Problem[]): (TriageMatch | undefined)[] =>
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
        [problem.part, signIn(symptoms.plain, PROBLEM_REPORTED), ...counterSigns(symptoms)],
        symptoms === problem.sentence ? [] : [problem.sentence],
      );
    });

/** Matches in a user's message: advice, and a problem if the message also has its remedy. */
function userReports(passage: Passage): TriageMatch[] {
  const advised = passage.sentences.map((sentence) => {
    const part = sentence.asks ? undefined : signIn(sentence.plain, ADVICE);
    return part === undefined ? undefined : matchOf(passage, sentence, [part, signIn(sentence.plain, SYMPTOMS), ...counterSigns(sentence)]);
  });
  const remedy = remediesIn(passage).find((problem) => problem.part.weight >= PLAIN_REMEDY && !/\bwill\b/i.test(problem.sentence.plain));
  if (remedy === undefined) return advised.filter((match) => match !== undefined);
  const causes = causesIn(passage);
  const symptoms = (causes.length > 0 ? causes : causesIn(passage, WHY_IT_HAPPENED)).map((problem) =>
    matchOf(passage, problem.sentence, [problem.part, remedy.part, signIn(problem.sentence.plain, SYMPTOMS), ...counterSigns(problem.sentence)]),
  );
  return [...advised, ...symptoms, ...curesIn(passage, remediesIn(passage))].filter((match) => match !== undefined);
}

const isExplained = (passage: Passage, sentence: Sentence): boolean =>
  [sentence, ...nearby(passage, passage.sentences.indexOf(sentence))].some((near) => EXPLAINED.test(near.plain));

const counterSigns = (sentence: Sentence): (SignalPart | undefined)[] => [signIn(sentence.plain, PETTY), ...doubts(sentence)];

function findSign(passages: readonly Passage[], signs: readonly Sign[], weight: number): SignalPart | undefined {
  for (const passage of passages) {
    for (const sentence of passage.sentences) {
      const part = signIn(sentence.plain, signs);
      if (part !== undefined) return { ...part, weight };
    }
  }
  return undefined;
}
