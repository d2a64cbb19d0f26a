import { hasWholeBrackets, isAlike, withoutMarks } from '../../capture/summary/text.ts';
import { codeNames } from './statement.ts';

const SHORTEST = 30;
const LONGEST = 240;
/** Most code names in a sentence that readers without knowledge of the code can follow. */
const MOST_NAMES = 1;
const LEAST_WORTH = 0.4;

/** Refers to an earlier sentence or to later commits. */
const POINTS_BACK =
  /^(?:this|that|it|its|these|those|they|them|the (?:tag|former|latter|same|gap)|such|which|both|also|now|here|same|verified|section \d|fixes|see)\b|\b(?:meanwhile|remains?|follow-up commits?|(?:next|later) commits?)\b/i;
/** About the commit, its review or its tests, not about the project. */
const ABOUT_THE_CHANGE =
  /\b(?:comments?|docstrings?|call sites?|callers|bugbot|review(?:er|ed|s)?|PR #?\d+|this (?:commit|change|branch|pr|patch)|tests?|assertions?|coverage)\b/i;
/** States a reason explicitly. */
const BECAUSE = /\b(?:because|since|so that|so (?:the|a|an|it|they|users?|you|we)\b|otherwise|due to|to (?:avoid|prevent|keep|ensure))/i;
/** Implies a reason or states a rule. */
const CAUSE = /\b(?:instead of|rather than|no longer|never|must|should|always|only|until|unless|without)\b/i;
/** Words that describe a fault. */
export const BROKEN =
  /\b(?:bug|fail(?:s|ed|ing|ure)|broke|broken|crash\w*|panic\w*|regress\w*|silently|wrong(?:ly)?|leak\w*|race|hung|hangs|stall\w*|never (?:told|called|sent|invoked|ran)|dead-ended|misreport\w*|masks?|slipped|clobber\w*)\b/i;
const DONE_VERB = /^(?:added|corrected|unified|removed|renamed|updated|changed|moved|replaced|fixed)\b/i;

interface Sentence {
  readonly text: string;
  /** From a list, whose entries mostly say what was done. */
  readonly isListed: boolean;
}

const LISTED = /^\s*(?:[-*•]|\d+[.)])\s+/;

/** Complete sentences of a message that are short enough to follow its subject. */
const sentencesIn = (body: string): Sentence[] =>
  body
    .replaceAll(/```[\s\S]*?(?:```|$)/g, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)])\s)/)
    .filter((block) => !/^\s*[\w-]+-by: |^\s*(?:fixes|closes|resolves|refs?) /i.test(block))
    .flatMap((block) =>
      withoutMarks(block.replace(LISTED, ''))
        .split(/(?<=[.!?])\s+(?=[\p{Lu}`"(])/u)
        .map((sentence) => ({ text: sentence.replace(/[.\s]+$/, ''), isListed: LISTED.test(block) })),
    )
    .filter(({ text }) => text.length > SHORTEST && text.length <= LONGEST && !/:$|^https?:/.test(text) && hasWholeBrackets(text));

export interface CommitReason {
  readonly sentence: string;
  /** From 0 to 1: how well it explains to a newcomer why the change was made. */
  readonly worth: number;
}

/** The context for reading a project's commit messages. */
export interface CommitReading {
  /** The project's introductions; names in them need no explanation. */
  readonly introduced: string;
  /** Verbs at the start of the project's commits, such as "add". A sentence that starts with one says what was done, not why. */
  readonly verbs: ReadonlySet<string>;
}

/** The most useful sentence of a message: what was wrong before a fix, or why another change was made. */
export function reasonOf(what: string, body: string, isFix: boolean, { introduced, verbs }: CommitReading): CommitReason | undefined {
  const saysWhatWasDone = (sentence: string): boolean => {
    const start = sentence.replace(/^[\w\s]{3,30}: /, '');
    return DONE_VERB.test(start) || verbs.has((/^\p{L}+/u.exec(start)?.[0] ?? '').toLowerCase());
  };
  const worthOf = ({ text, isListed }: Sentence, place: number): number => {
    const because = BECAUSE.test(text);
    const cause = CAUSE.test(text) || (isFix && BROKEN.test(text));
    if (saysWhatWasDone(text) && (isFix || !because)) return 0;
    // The first sentence often says what was wrong; a later or listed one needs an explicit reason.
    if (!because && !cause && (isListed || (!isFix && place > 0))) return 0;
    return (POINTS_BACK.test(text) ? 0.2 : 0.6) + (because ? 0.4 : cause ? 0.2 : 0) + (place === 0 ? 0.3 : 0) - codeNames(text, introduced) * 0.15 - place / 20;
  };
  const [best] = sentencesIn(body)
    .map((sentence, place) => ({ sentence: sentence.text, worth: worthOf(sentence, place) }))
    .filter(({ sentence, worth }) => {
      if (worth < LEAST_WORTH || isAlike(sentence, what) || ABOUT_THE_CHANGE.test(sentence)) return false;
      return codeNames(`${what} ${sentence}`, introduced) <= MOST_NAMES;
    })
    .toSorted((a, b) => b.worth - a.worth);
  return best && { sentence: best.sentence, worth: Math.min(1, best.worth) };
}
