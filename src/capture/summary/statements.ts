import { CAUSE_HEADING } from '../triage/runbook-words.ts';
import type { TriageMatch } from '../triage/score.ts';
import { one } from '../triage/words.ts';
import { isAnnouncement, withoutOpener } from './open-work.ts';
import { isAlike, startUpper, withoutMarks } from './text.ts';

/** Labels that name a part of a report and not what it is about. */
const PART = one(
  'fix(?:es|ed)?|cause|problem|issue|bug|note|solution|goal|result|summary|decision|why|rationale|changes?|files?|context|current',
  String.raw`(?:step|phase|change|fix|bug|problem) \d+`,
);
const PLAIN_LABEL = new RegExp(`^(?:the |root |proposed )?${PART}$`, 'i');

/** Without what it is said of, such a sentence says nothing. */
const LACKS_SUBJECT = /^(?:was|is|were|has|had|now|no longer|[a-z]+s)\s/;

const labelled = (match: TriageMatch, words: string): string => {
  const label = withoutMarks(match.sentence.label);
  if (label === '' || PLAIN_LABEL.test(label) || words.startsWith(label)) return words;
  return /^`[^`]+`$/.test(label) && !LACKS_SUBJECT.test(words.charAt(0).toLowerCase() + words.slice(1)) ? words : `${label}: ${words}`;
};

const POINTS_BACK = /^(?:this|that|it|these|which)\b/i;

/** What a sentence that points back points to. */
function before(match: TriageMatch): string[] {
  const { sentences } = match.passage;
  const earlier = sentences[sentences.indexOf(match.sentence) - 1];
  return POINTS_BACK.test(match.sentence.plain) && earlier !== undefined && earlier.plain.length > 20 ? [withoutOpener(withoutMarks(earlier.text))] : [];
}

/** A match as a line: the sentence, and beside it what makes it whole. */
export function wholeText(match: TriageMatch): string {
  const words = withoutOpener(withoutMarks(match.sentence.text));
  const earlier = before(match);
  const beside = match.beside
    .map((sentence) => withoutOpener(withoutMarks(sentence.text)))
    .filter(
      (text) =>
        !earlier.includes(text) &&
        !isAlike(text, words) &&
        text.length > 20 &&
        !isAnnouncement(text) &&
        !/^(?:now |i need)|^`[^`]+`(?: \([^)]*\))?$/i.test(text),
    );
  return [...earlier, labelled(match, words), ...beside].map((text) => startUpper(text.replace(/[.:\s]+$/, ''))).join('. ');
}

/** It stands under a heading of causes: why something broke is no decision. */
export const isDiagnosis = ({ sentence }: TriageMatch): boolean => CAUSE_HEADING.test(sentence.under.split(' > ').at(-1) ?? '');
