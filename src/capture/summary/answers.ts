import { isOffer, isSmallTalk } from './closing-parts.ts';
import { isAnnouncement, withoutOpener } from './lead-in.ts';
import { distinct, isCutOff, wholeItem, withoutMarks } from './text.ts';
import type { ConversationTurn } from './turns.ts';

/** How an agent names what its answer comes down to. */
const CONCLUDES =
  /^\s*(?:[-*•]\s+)?(?:\*\*|__)?(?:short answer|tl;?dr|verdict|conclusion|bottom line|in short|summary|answer|recommendation)(?:\*\*|__)?\s*[:—–-]\s*(?:\*\*|__)?\s*(?=\S)/i;
const SHORTEST = 25;
const LIMIT = 280;
/** An agent begins with its answer, or soon after. */
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
  const concluded = closing.split('\n').find((line) => CONCLUDES.test(line));
  const found = [...(concluded === undefined ? [] : [withoutMarks(concluded.replace(CONCLUDES, ''))]), ...sentencesIn(closing).slice(0, SENTENCES)].find(
    isAnswer,
  );
  return found === undefined ? [] : [wholeItem(found, LIMIT)];
}

const MOST = 2;

/** The result of a session without known changes: the answers that it ended with. */
export const answersIn = (turns: readonly ConversationTurn[]): string[] =>
  distinct(
    turns
      .filter(({ prompt, midway, refused }) => !midway && !refused && !isSmallTalk(prompt))
      .slice(-MOST)
      .flatMap(({ closing }) => answerIn(closing)),
  );
