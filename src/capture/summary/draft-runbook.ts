import type { Sentence } from '../triage/prose.ts';
import { CAUSE_HEADING, CAUSES, CHANGE_HEADING, PROVEN, REMEDIES, REMEDY_HEADING, SYMPTOMS } from '../triage/runbook-words.ts';
import { type TriageMatch, signIn } from '../triage/score.ts';
import { one } from '../triage/words.ts';
import { isAnnouncement, withoutOpener } from './open-work.ts';
import { distinct, listItem, withoutMarks } from './text.ts';

export interface Runbook {
  readonly trigger: string;
  readonly symptoms: readonly string[];
  readonly steps: readonly string[];
  readonly verification: string;
  readonly root_cause?: string;
}

const STEPS = 5;
const SYMPTOMS_SHOWN = 2;
/** From here a remedy speaks for itself. */
const PLAIN = 0.24;
const EASY = one('simple|straightforward|clear|easy|minimal|in place|entirely');
/** Announces a remedy, names a place or heads a list, and is no step. */
const NO_STEP = new RegExp(
  [
    String.raw`^(?:the )?(?:(?:real|actual) )?(?:fix|solution|bug|change)\b.{0,6}\b(?:is|was) ${EASY}\b[^:—–]{0,20}$`,
    String.raw`^(?:two|three|several) (?:options|changes|fixes)\b|^here(?:'s| is)\b|^.{0,14}$`,
    '^`[^`]+`(?:[\\s,]*\\(?(?:lines?\\b)?[^)a-z]*\\)?)?$',
  ].join('|'),
  'i',
);
const INTENDED =
  /^(?:(?:now|so|actually)[,.]?\s+)?(?:let me|i'll|i will|i need to|i should|we need to|we should|we can|you need to)\s+(?:also |now |just |try to )?/i;
/** What only looks at something changes nothing. */
const LOOKS = /^(?:check|look|see|read|verify|understand|find|run|examine|explore|search|think|re-?run|confirm|try|start|continue|commit)\b/i;
/** What was removed, right after what was wrong. */
const MENDED_AT_ONCE = /\s[—–-]\s+((?:removing|adding|changing|restarting|setting|using|deleting|switching|upgrading|pinning)\b.+)$/i;
const HEADS_SYMPTOM = /\b(?:problem|symptoms?|context|bug|issue|contexte|what happened)\b/i;

/** A sentence that goes on from its label needs it. */
const wordsOf = ({ label, text }: Sentence): string => withoutMarks(label !== '' && /^[a-z]/.test(text) ? `${label} ${text}` : text);

const sayings = (sentences: readonly Sentence[]): string[] => distinct(sentences.map((sentence) => listItem(withoutOpener(wordsOf(sentence)), 240)));

/** The title of a report or plan heads all of it and says nothing of a part. */
const innermost = (sentence: Sentence): string => {
  const heads = sentence.under.split(' > ');
  return (heads.length > 1 ? heads.slice(1) : sentence.label === '' ? [] : heads).join(' > ');
};
const isCause = (sentence: Sentence): boolean =>
  (signIn(sentence.plain, CAUSES) !== undefined || CAUSE_HEADING.test(innermost(sentence))) && !INTENDED.test(sentence.plain);
const isRemedy = (sentence: Sentence): boolean => REMEDY_HEADING.test(innermost(sentence)) || (signIn(sentence.plain, REMEDIES)?.weight ?? 0) >= PLAIN;
const isUsable = (sentence: Sentence): boolean =>
  !sentence.asks && !isAnnouncement(sentence.plain) && !sentence.text.endsWith(':') && !NO_STEP.test(withoutMarks(sentence.text));

const POINTS_BACK = /^(?:this|that|it|these|which|but|so)\b/i;
/** A sentence that tells to do something tells of no trouble. */
const TELLS_TO = /^(?:make|update|prefer|sets?|ensures?|use|treat|return|rewrite|this (?:prevents|ensures|eliminates|fixes|means))\b/i;

const NAMES_CAUSE = /\b(?:causes?|diagnosis|why)\b/i;

/** The clearest cause: one that stands by itself and is not also the remedy. */
function causeIn(matches: readonly TriageMatch[]): Sentence | undefined {
  const causes = matches.map((match) => match.sentence).filter(isCause);
  const whole = causes.filter((sentence) => !POINTS_BACK.test(sentence.plain));
  const named = whole.find((sentence) => NAMES_CAUSE.test(innermost(sentence)) && !isRemedy(sentence));
  return named ?? whole.find((sentence) => !isRemedy(sentence)) ?? whole[0] ?? causes[0];
}

const tellsOfTrouble = (sentence: Sentence): boolean =>
  sentence.plain.length >= 25 &&
  isUsable(sentence) &&
  !TELLS_TO.test(sentence.plain) &&
  !REMEDY_HEADING.test(innermost(sentence)) &&
  signIn(sentence.plain, REMEDIES) === undefined &&
  signIn(sentence.plain, PROVEN) === undefined &&
  signIn(sentence.plain, SYMPTOMS) !== undefined &&
  (signIn(sentence.plain, CAUSES) === undefined || HEADS_SYMPTOM.test(innermost(sentence)));

/** A remedy as something to do: "I need to pass the flag" tells to pass the flag. */
function stepOf(sentence: Sentence): string {
  const words = wordsOf(sentence);
  const rest = words.replace(INTENDED, '');
  if (NO_STEP.test(words) || (rest !== words && LOOKS.test(rest)) || sentence.text.endsWith(':')) return '';
  return listItem(withoutOpener(rest), 240);
}

/** What one message tells of a trouble, its cause and its remedy; undefined when the matches only lead up to it. `task` is what was worked on. */
export function runbookOf(matches: readonly TriageMatch[], task: string): Runbook | undefined {
  const usable = matches.filter((match) => isUsable(match.sentence));
  const [best] = usable;
  if (best === undefined) return undefined;
  const { sentences } = best.passage;
  const cause = causeIn(usable);
  const others = sentences.filter((sentence) => sentence !== cause && !sentence.asks);
  const atOnce = cause === undefined ? undefined : MENDED_AT_ONCE.exec(withoutMarks(cause.text))?.[1];
  const beside = [...best.beside, ...usable.map((match) => match.sentence)].filter((sentence) => sentence !== cause && !isCause(sentence));
  const remedies = [...others.filter(isRemedy), ...beside];
  const changes = best.passage.voice === 'plan' ? others.filter((sentence) => CHANGE_HEADING.test(innermost(sentence)) && !isCause(sentence)) : [];
  const told = distinct([atOnce === undefined ? '' : listItem(atOnce, 240), ...remedies.map(stepOf)]);
  const steps = told.length > 0 ? told : distinct(changes.map(stepOf));
  const symptoms = sayings(others.filter(tellsOfTrouble)).slice(0, SYMPTOMS_SHOWN);
  const proof = others.find((sentence) => !isAnnouncement(sentence.plain) && signIn(sentence.plain, PROVEN) !== undefined);
  const why = cause === undefined ? undefined : sayings([cause])[0];
  if (why === undefined && steps.length === 0) return undefined;
  return {
    trigger: symptoms[0] ?? why ?? `While at work on: ${task}`,
    symptoms,
    steps: steps.slice(0, STEPS),
    verification: proof === undefined ? '' : listItem(proof.text, 200),
    ...(why === undefined ? {} : { root_cause: why }),
  };
}
