import { chunkKind, chunkSize } from '../chunk-id.ts';
import { mayAnswer } from '../query/answer.ts';
import type { Question } from '../query/parse.ts';
import { timeShare } from '../query/time-share.ts';
import type { RankCandidate } from './candidates.ts';
import type { Exchange } from './exchange.ts';
import type { Proximity } from './proximity.ts';
import { type Channel, CHANNELS, type Register, SHARES, WEIGHTS } from './weights.ts';

/** One reason for a score. The points of all reasons sum to it. */
export interface ScorePart {
  readonly signal: string;
  readonly points: number;
  /** What was measured, from 0 to 1 where it is a share of the best. */
  readonly value: number;
}

export interface Scored {
  readonly candidate: RankCandidate;
  readonly register: Register;
  readonly parts: readonly ScorePart[];
  readonly score: number;
}

export const sumOf = (parts: readonly ScorePart[]): number => parts.reduce((sum, { points }) => sum + points, 0);

export const registerOf = ({ chunk, row }: Pick<RankCandidate, 'chunk' | 'row'>): Register =>
  row.type !== 'session' ? 'kept' : chunkKind(chunk.id) === 'said' ? 'talk' : 'work';

/** A chunk of this many terms is as long as it need be. */
const FULL_LENGTH = 30;
const UNIT_SIZE_SCALE = 10;
const NO_PROXIMITY: Proximity = { pairs: 0, phrases: 0 };

/** What every channel measures, before it is scaled. */
export function measured(
  candidate: RankCandidate,
  question: Question,
  speakers: ReadonlySet<string>,
  { asked, self }: Exchange,
  { pairs, phrases }: Proximity = NO_PROXIMITY,
): Record<Channel, number> {
  const { chunk, row } = candidate;
  const at = chunk.at ?? row.startedAt;
  return {
    near: candidate.near,
    own: candidate.own,
    pairs,
    phrases,
    unit: candidate.unit.unit,
    prose: candidate.unit.prose,
    bestThree: candidate.unit.bestThree,
    bestReply: candidate.unit.bestReply,
    bestCommand: candidate.unit.bestCommand,
    covered: candidate.covered,
    length: Math.min(1, Math.log(1 + chunkSize(chunk.id)) / Math.log(1 + FULL_LENGTH)),
    answer: mayAnswer(question.wanted, chunk.text) ? 1 : 0,
    asks: chunk.asks ? 1 : 0,
    speaker: chunk.speaker !== undefined && speakers.has(chunk.speaker) ? 1 : 0,
    asked,
    self,
    time: question.time === undefined || at === undefined ? 0 : timeShare(question.time, at),
    followed: candidate.wording.followed,
    named: candidate.wording.named,
    committed: row.committed ? 1 : 0,
    unitSize: Math.log(1 + row.size) / UNIT_SIZE_SCALE,
  };
}

/** The highest sum of weights a register can earn is 1, so that talk, work and kept texts share one scale. */
const SCALE = Object.fromEntries(
  Object.entries(WEIGHTS).map(([register, weights]) => [register, 1 / Object.values(weights).reduce((sum, weight) => sum + Math.max(0, weight), 0)]),
) as Readonly<Record<Register, number>>;

export function scoreAll(candidates: readonly RankCandidate[], values: readonly Record<Channel, number>[]): Scored[] {
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
