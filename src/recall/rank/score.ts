import type { AnswerKind, Question } from '../query/parse.ts';
import { chunkPlace, chunkSize, chunkKind } from '../chunks/split-text.ts';
import type { RankCandidate } from './candidates.ts';
import { timeShare } from '../query/time.ts';
import { type Channel, CHANNELS, type Register, SHARES, WEIGHTS } from './weights.ts';

const SIGNS: Readonly<Record<Exclude<AnswerKind, 'anything'>, RegExp>> = {
  time: /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|since|this (?:week|month|year|morning|weekend|past)|(?:week|weekend|month|year|day)s?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|20\d\d)\b/i,
  place: /\b(?:in|at|to|from|near) (?:the )?\p{Lu}\p{Ll}/u,
  title: /["“][^"“”]{2,60}["”]/,
};

/** Whether a text contains the kind of answer that is asked for. */
const mayAnswer = (answerKind: AnswerKind, text: string): boolean => answerKind !== 'anything' && SIGNS[answerKind].test(text);

/**
 * For each candidate, the score of the question that another speaker asked just before it, as a share of the best score. An answer often shares no word with
 * the question, so only the question before it shows that it matches.
 */
export function answeredQuestions(candidates: readonly RankCandidate[]): readonly number[] {
  const best = candidates.reduce((most, { own }) => Math.max(most, own), 1e-9);
  const questions = new Map<string, RankCandidate>();
  for (const one of candidates) if (one.chunk.speaker !== undefined && one.chunk.text.includes('?')) questions.set(keyOf(one, chunkSize(one.chunk.id)), one);
  return candidates.map((one) => {
    const { speaker } = one.chunk;
    const before = speaker === undefined ? undefined : questions.get(keyOf(one, 0));
    return before === undefined || before.chunk.speaker === speaker ? 0 : before.own / best;
  });
}

const keyOf = ({ part, row, chunk }: RankCandidate, further: number): string => `${part.nth} ${row.unit} ${chunkPlace(chunk.id) + further}`;

/** One reason for a score. The points of all reasons sum to it. */
export interface ScorePart {
  readonly signal: string;
  readonly points: number;
  /** The measured value, from 0 to 1 if it is a share of the best. */
  readonly value: number;
}

export interface ScoredCandidate {
  readonly candidate: RankCandidate;
  readonly register: Register;
  readonly parts: readonly ScorePart[];
  readonly score: number;
}

export const sumOf = (parts: readonly ScorePart[]): number => parts.reduce((sum, { points }) => sum + points, 0);

export const registerOf = ({ chunk, row }: Pick<RankCandidate, 'chunk' | 'row'>): Register =>
  row.type !== 'session' ? 'kept' : chunkKind(chunk.id) === 'said' ? 'talk' : 'work';

/** A chunk of this many terms gets all points for length. */
const FULL_LENGTH = 30;
const UNIT_SIZE_SCALE = 10;

/** The speakers named in the question, and a candidate's score as an answer and by pairs of words. */
export interface CandidateContext {
  readonly named: ReadonlySet<string>;
  readonly answersQuestion: number;
  readonly pairs: number;
}

/** The value of every channel, before scaling. */
export function channelValues(candidate: RankCandidate, question: Question, { named, answersQuestion, pairs }: CandidateContext): Record<Channel, number> {
  const { chunk, row } = candidate;
  const at = chunk.at ?? row.startedAt;
  return {
    near: candidate.near,
    pairs,
    unit: candidate.unit.unit,
    bestThree: candidate.unit.bestThree,
    length: Math.min(1, Math.log(1 + chunkSize(chunk.id)) / Math.log(1 + FULL_LENGTH)),
    answer: mayAnswer(question.answerKind, chunk.text) ? 1 : 0,
    asks: chunk.asks ? 1 : 0,
    speaker: chunk.speaker !== undefined && named.has(chunk.speaker) ? 1 : 0,
    asked: answersQuestion,
    time: question.time === undefined || at === undefined ? 0 : timeShare(question.time, at),
    unitSize: Math.log(1 + row.size) / UNIT_SIZE_SCALE,
  };
}

/** Scales the positive weights of each register to a sum of 1, so that talk, work and saved texts are comparable. */
const SCALE = Object.fromEntries(
  Object.entries(WEIGHTS).map(([register, weights]) => [register, 1 / Object.values(weights).reduce((sum, weight) => sum + Math.max(0, weight), 0)]),
) as Readonly<Record<Register, number>>;

export function scoreAll(candidates: readonly RankCandidate[], values: readonly Record<Channel, number>[]): ScoredCandidate[] {
  const best = new Map(CHANNELS.map((channel) => [channel, SHARES.has(channel) ? 1 : Math.max(1e-9, ...values.map((value) => value[channel]))]));
  return candidates.map((candidate, nth) => {
    const register = registerOf(candidate);
    const parts: ScorePart[] = [];
    for (const channel of CHANNELS) {
      const weight = WEIGHTS[register][channel];
      const value = (values[nth] as Record<Channel, number>)[channel] / (best.get(channel) as number);
      if (weight !== undefined && value !== 0) parts.push({ signal: channel, value, points: weight * SCALE[register] * value });
    }
    return { candidate, register, parts, score: sumOf(parts) };
  });
}
