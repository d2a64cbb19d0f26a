import { typedSentences } from '../../core/rules/typed-sentences.ts';

/** What a prompt rejects: all work, or only the last turn. */
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

/** What a prompt rejects; undefined if nothing. */
export function objectionIn(prompt: string): Objection | undefined {
  const sentences = typedSentences(prompt);
  if (sentences.slice(0, 3).some((sentence) => UNDONE.test(sentence))) return 'all';
  return sentences[0] !== undefined && OBJECTS.test(sentences[0]) ? 'last' : undefined;
}

const CODE_NAME = /--[a-z][\w-]{2,}|\b(?:[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+|\w{2,}_\w{2,})\b/g;
const FAULT =
  /\b(?:incorrect(?:ly)?|wrong(?:ly)?|bugs?|buggy|broken|breaks|fails?|regress\w*|unsafe|leaks?|does(?:n't| not)|cannot|can't|never|still|misses|miss)\b/i;

/** Whether a line of a prompt, pasted findings included, reports a fault in code that the chosen option introduced. Such a choice is not final. */
export function isFaulted(prompt: string, chosen: string): boolean {
  const names = chosen.match(CODE_NAME) ?? [];
  return names.length > 0 && prompt.split('\n').some((line) => FAULT.test(line) && names.some((name) => line.includes(name)));
}

/** Phrases with which an agent corrects a supposed fact or says that it changed. */
const CORRECTS =
  /\b(?:i was wrong|turns? out|(?:that|it) was(?:n't| not)|correction|incorrect(?:ly)?|mistaken|not the (?:issue|cause|case|problem)|does support|is supported|works after all|upgraded|added support|now (?:supports?|accepts?|allows?|works?))\b/i;
/** Phrases for undoing work. */
const UNDOES =
  /\b(?:revert(?:ed|ing)?|roll(?:ed|ing)? back|back(?:ed|ing) out|undo(?:ne|ing)?|abandon(?:ed|ing)?|gave up on|give up on|drop(?:ped|ping)? the)\b/i;
/** Whether a typed sentence undoes something; a question does not. */
export const undoes = (sentence: string): boolean => !/\?\s*$/.test(sentence) && UNDOES.test(sentence);

/** Phrases with which a user changes course. */
const CHANGES =
  /\b(?:instead|change|changed|switch(?:ed)? (?:back|to)|no longer|not anymore|any ?more|drop|remove|replace|go back to|rather|actually|scrap)\b/i;

/** Phrases with which an agent says that one approach replaced another. */
const OVERTAKES = /\b(?:the old|replac(?:es?|ed|ing)|no longer|goes? back to|superseded?s?|instead of the)\b/i;

const IN_USE =
  '(?:us(?:e|ed|ing)|need(?:s|ed)?|want(?:s|ed)?|requir(?:e|es|ed)|support(?:s|ed)?|keep|allow(?:s|ed)?|rely|depend|ship(?:s|ped)?|valid|true|the case)';
/** Phrases with which a user withdraws a decision of an earlier session. Something that "no longer works" is broken, not withdrawn. */
const GIVES_UP = new RegExp(
  [
    String.raw`\b(?:no longer|not any ?more) (?:be )?${IN_USE}\b|\b(?:not|n't) ${IN_USE}\b.*\bany ?more\b|\bstop(?:ped)? using\b`,
    String.raw`\b(?:have |has |was |were |been )(?:reverted|dropped|removed|replaced|abandoned)\b|\bwe(?:'ve| have)? (?:dropped|reverted|removed|abandoned|replaced|gave up)\b`,
    String.raw`\b(?:scrap|go(?:ing)? back to)\b`,
  ].join('|'),
  'i',
);

/** Whether a typed sentence withdraws something; a question does not. */
export const givesUp = (sentence: string): boolean => !/\?\s*$/.test(sentence) && GIVES_UP.test(sentence);

export interface LaterSentence {
  readonly text: string;
  readonly by: 'user' | 'agent';
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{5,}/gu) ?? []);
const SHARED = 3;

const sharedWords = (text: string, words: ReadonlySet<string>): number => [...wordsOf(text)].filter((word) => words.has(word)).length;

/** A choice that is itself a change: a report of carrying it out looks like a report that it was replaced. */
const IS_CHANGE = /\b(?:refactor|rename|replace|remove|drop|switch|migrate|retire|exclude)\b/i;

/** Whether an agent says that the chosen option was replaced: the text names words of the option, not only of the question. */
export const overtakes = (text: string, chosen: string, question: string): boolean =>
  !IS_CHANGE.test(chosen) && OVERTAKES.test(text) && sharedWords(text, wordsOf(chosen)) > 0 && sharedWords(text, wordsOf(`${question} ${chosen}`)) >= SHARED;

/** Whether a sentence shares three words with a record's text, or all of them if it has fewer. */
export const namesAgain = (sentence: string, earlierText: string): boolean => {
  const words = wordsOf(earlierText);
  return words.size > 0 && sharedWords(sentence, words) >= Math.min(SHARED, words.size);
};

/** Whether a later sentence withdraws an earlier statement. An agent can correct its own words and undo a choice, but not change a rule of the user. */
export function takesBack({ text, by }: LaterSentence, earlier: string, kind: 'rule' | 'choice' | 'limit'): boolean {
  if (by === 'agent' && kind === 'rule') return false;
  const isTurn = UNDOES.test(text) || (by === 'user' ? CHANGES.test(text) : kind === 'limit' && CORRECTS.test(text));
  if (!isTurn) return false;
  const words = wordsOf(earlier);
  return sharedWords(text, words) >= Math.min(SHARED, Math.max(2, Math.ceil(words.size / 2)));
}
