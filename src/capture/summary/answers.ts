import { isOffer, isSmallTalk } from './closing-parts.ts';
import { isAnnouncement, withoutOpener } from './lead-in.ts';
import { distinct, isCutOff, wholeItem, withoutMarks } from './text.ts';
import type { ConversationTurn } from './turns.ts';

/** Labels with which an agent introduces its conclusion. */
const CONCLUDES =
  /^\s*(?:[-*•]\s+)?(?:\*\*|__)?(?:short answer|tl;?dr|verdict|conclusion|bottom line|in short|summary|answer|recommendation)(?:\*\*|__)?\s*[:—–-]\s*(?:\*\*|__)?\s*(?=\S)/i;
const SHORTEST = 25;
const LIMIT = 280;
/** Sentences at the start of a reply that may be the answer. */
const SENTENCES = 5;

const sentencesIn = (closing: string): string[] =>
  closing
    .replace(/```[\s\S]*?(?:```|$)/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*(?:#|\||>|[-*•]\s|\d+[.)]\s|---)/.test(line))
    .flatMap((line) => withoutMarks(line).split(/(?<=[.!?]) (?=[\p{Lu}`])/u))
    .map((sentence) => withoutOpener(sentence.trim()));

const isAnswer = (sentence: string): boolean =>
  sentence.length >= SHORTEST &&
  !/\?["'”)]*$/.test(sentence) &&
  !isCutOff(sentence.replace(/:$/, '')) &&
  !isOffer(sentence) &&
  !isSmallTalk(sentence) &&
  !isAnnouncement(sentence) &&
  !/^(?:here(?:'s| is| are)|i(?:'ve| have) (?:read|looked|checked|everything|what)|that|those|it|you(?:'re| are)|all (?:\w+ )?(?:tests|checks)|good|great)\b/i.test(
    sentence,
  );

function answerIn(closing: string): string[] {
  const conclusion = closing.split('\n').find((line) => CONCLUDES.test(line));
  const answer = [...(conclusion === undefined ? [] : [withoutMarks(conclusion.replace(CONCLUDES, ''))]), ...sentencesIn(closing).slice(0, SENTENCES)].find(
    isAnswer,
  );
  return answer === undefined ? [] : [wholeItem(answer, LIMIT)];
}

const MOST = 2;

/** The result of a session without known changes: the answers that it ended with. */
export const answersIn = (turns: readonly ConversationTurn[]): string[] =>
  distinct(
    turns
      .filter(({ prompt, cutShort: midway, wasRefused: refused }) => !midway && !refused && !isSmallTalk(prompt))
      .slice(-MOST)
      .flatMap(({ closing }) => answerIn(closing)),
  );
