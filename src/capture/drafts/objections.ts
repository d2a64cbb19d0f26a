import { typedSentences } from '../../core/rules/typed-sentences.ts';

/** How a prompt takes back what went before: everything that was done, or what the last turn said. */
export type Objection = 'all' | 'last';

const LEAD = String.raw`^(?:(?:ok(?:ay)?|hm+|ah+|oh|well|so|but|and|yeah|sorry)[,.! ]+)*`;
const OBJECTS = new RegExp(
  String.raw`${LEAD}(?:no(?:pe)?\b(?!t| need| problem| worries)|wait\b|wrong\b|not (?:quite|what|like|that)|that'?s (?:not|wrong)|that is (?:not|wrong)|this is (?:not|wrong)|it'?s (?:not|wrong)|i (?:don'?t|do not) (?:think|agree|like|want|believe)|i (?:disagree|meant|changed my mind)|change (?:in|of) plan|scratch that|scrap|never ?mind|ignore (?:that|this|my)|forget (?:that|it|about)|let'?s not|or no\b|instead\b|actually\b|sorry\b|you(?:'re| are) wrong|are you sure|really\?|why (?:did|would|are) you|stop\b|don'?t do that|undo|revert)`,
  'i',
);
const WORK = String.raw`(?:changes?|work|commits?|edits?|everything|all of (?:it|that|this)|it all|that all)`;
const UNDONE = new RegExp(
  [
    String.raw`\bi(?:'ve| have)? (?:just )?(?:reverted|rolled back|undone|undid|discarded|dropped|reset|thrown away) (?:\w+ ){0,3}${WORK}\b`,
    String.raw`\b(?:please |can you |could you )?(?:revert|roll back|undo|discard|throw away) (?:all|everything|your|the|these|those|my|all (?:the|of the|your)) ?(?:\w+ ){0,2}${WORK}?\b`,
    String.raw`\bstart (?:over|again|from scratch)\b`,
  ].join('|'),
  'i',
);

/** Whether a prompt objects to what was said or done before it. */
export function objectionIn(prompt: string): Objection | undefined {
  const sentences = typedSentences(prompt);
  if (sentences.slice(0, 3).some((sentence) => UNDONE.test(sentence))) return 'all';
  return sentences[0] !== undefined && OBJECTS.test(sentences[0]) ? 'last' : undefined;
}

const CODE_NAME = /--[a-z][\w-]{2,}|\b(?:[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+|\w{2,}_\w{2,})\b/g;
const FAULT =
  /\b(?:incorrect(?:ly)?|wrong(?:ly)?|bugs?|buggy|broken|breaks|fails?|regress\w*|unsafe|leaks?|does(?:n't| not)|cannot|can't|never|still|misses|miss)\b/i;

/** Whether a prompt, pasted findings included, calls faulty what was chosen: one of its lines names the code that the option brings in. Such a choice was not the last word. */
export function isFaulted(prompt: string, chosen: string): boolean {
  const names = chosen.match(CODE_NAME) ?? [];
  return names.length > 0 && prompt.split('\n').some((line) => FAULT.test(line) && names.some((name) => line.includes(name)));
}

/** Phrases in which an agent takes back a supposed fact, or says that it changed. */
const CORRECTS =
  /\b(?:i was wrong|turns? out|(?:that|it) was(?:n't| not)|correction|incorrect(?:ly)?|mistaken|not the (?:issue|cause|case|problem)|does support|is supported|works after all|upgraded|added support|now (?:supports?|accepts?|allows?|works?))\b/i;
/** How work is undone. */
const UNDOES =
  /\b(?:revert(?:ed|ing)?|roll(?:ed|ing)? back|back(?:ed|ing) out|undo(?:ne|ing)?|abandon(?:ed|ing)?|gave up on|give up on|drop(?:ped|ping)? the)\b/i;
/** Whether a typed sentence undoes something; a question does not. */
export const undoes = (sentence: string): boolean => !/\?\s*$/.test(sentence) && UNDOES.test(sentence);

/** How a user changes course. */
const CHANGES =
  /\b(?:instead|change|changed|switch(?:ed)? (?:back|to)|no longer|not anymore|any ?more|drop|remove|replace|go back to|rather|actually|scrap)\b/i;

/** How an agent tells that another way took the place of one. */
const OVERTAKES = /\b(?:the old|replac(?:es?|ed|ing)|no longer|goes? back to|superseded?s?|instead of the)\b/i;

const WANTED =
  '(?:us(?:e|ed|ing)|need(?:s|ed)?|want(?:s|ed)?|requir(?:e|es|ed)|support(?:s|ed)?|keep|allow(?:s|ed)?|rely|depend|ship(?:s|ped)?|valid|true|the case)';
/** How a user gives up something that an earlier session settled. What "no longer works" is broken and not given up. */
const GIVES_UP = new RegExp(
  [
    String.raw`\b(?:no longer|not any ?more) (?:be )?${WANTED}\b|\b(?:not|n't) ${WANTED}\b.*\bany ?more\b|\bstop(?:ped)? using\b`,
    String.raw`\b(?:have |has |was |were |been )(?:reverted|dropped|removed|replaced|abandoned)\b|\bwe(?:'ve| have)? (?:dropped|reverted|removed|abandoned|replaced|gave up)\b`,
    String.raw`\b(?:scrap|go(?:ing)? back to)\b`,
  ].join('|'),
  'i',
);

/** Whether a typed sentence gives something up; a question does not. */
export const givesUp = (sentence: string): boolean => !/\?\s*$/.test(sentence) && GIVES_UP.test(sentence);

export interface Later {
  readonly text: string;
  readonly by: 'user' | 'agent';
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{5,}/gu) ?? []);
const SHARED = 3;

const sharedWords = (text: string, words: ReadonlySet<string>): number => [...wordsOf(text)].filter((word) => words.has(word)).length;

/** A choice that is itself a change: what it replaces is told in the same words as what overtakes another. */
const IS_CHANGE = /\b(?:refactor|rename|replace|remove|drop|switch|migrate|retire|exclude)\b/i;

/** Whether an agent tells that what was chosen was overtaken: its own words are named, not only those of the question. */
export const overtakes = (text: string, chosen: string, question: string): boolean =>
  !IS_CHANGE.test(chosen) && OVERTAKES.test(text) && sharedWords(text, wordsOf(chosen)) > 0 && sharedWords(text, wordsOf(`${question} ${chosen}`)) >= SHARED;

/** Whether a sentence that gives something up names what a record says: three telling words, or all that it has. */
export const namesAgain = (sentence: string, earlierText: string): boolean => {
  const words = wordsOf(earlierText);
  return words.size > 0 && sharedWords(sentence, words) >= Math.min(SHARED, words.size);
};

/** Whether a later sentence takes back what an earlier one stated: an agent corrects its own words, and undoes a choice, but changes no rule of the user's. */
export function takesBack({ text, by }: Later, earlier: string, kind: 'rule' | 'choice' | 'limit'): boolean {
  if (by === 'agent' && kind === 'rule') return false;
  const isTurn = UNDOES.test(text) || (by === 'user' ? CHANGES.test(text) : kind === 'limit' && CORRECTS.test(text));
  if (!isTurn) return false;
  const words = wordsOf(earlier);
  return sharedWords(text, words) >= Math.min(SHARED, Math.max(2, Math.ceil(words.size / 2)));
}
