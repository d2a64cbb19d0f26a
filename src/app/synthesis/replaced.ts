import { isAlike } from '../../capture/summary/text.ts';
import { masterLine, type Item } from './item.ts';

/** A replacement of one thing by another, in the words of the source. */
interface Replacement {
  readonly about: string;
  readonly from: string;
  readonly to: string;
  readonly at: number;
  readonly ref: string;
}

export interface DatedText {
  readonly text: string;
  readonly at: number;
  readonly ref: string;
}

const END = String.raw`(?=\s+(?:because|since|so that|so|to (?:avoid|keep|make|allow|prevent|reduce)|for|in|in order|which|when|and|as|but|after|if)\b|[,.;:()–—!?]|$)`;
const THING = String.raw`([^,.;:()–—!?→]{3,60}?)`;
const PATTERNS: readonly (readonly [RegExp, (match: readonly string[]) => readonly [string, string, string]])[] = [
  [
    new RegExp(String.raw`\b(?:switch|migrate|move|change|convert)(?:e?d|es|s|ing)?\s+${THING}\s+from\s+${THING}\s+to\s+${THING}${END}`, 'i'),
    ([, about = '', from = '', to = '']) => [about, from, to],
  ],
  [new RegExp(String.raw`\b(?:switch|migrate|move)(?:e?d|es|s|ing)?\s+from\s+${THING}\s+to\s+${THING}${END}`, 'i'), ([, from = '', to = '']) => ['', from, to]],
  [new RegExp(String.raw`\breplac(?:e|ed|es|ing)\s+${THING}\s+(?:with|by)\s+${THING}${END}`, 'i'), ([, from = '', to = '']) => ['', from, to]],
  [
    new RegExp(String.raw`^(?:use|adopt|prefer|keep|take)(?:s|d)?\s+${THING}\s+(?:instead of|rather than|in place of|over)\s+${THING}${END}`, 'i'),
    ([, to = '', from = '']) => ['', from, to],
  ],
  [
    new RegExp(String.raw`^${THING}\s+(?:was|were|is|are)\s+(?:replaced|superseded)\s+(?:by|with)\s+${THING}${END}`, 'i'),
    ([, from = '', to = '']) => ['', from, to],
  ],
];

const tidy = (text: string): string =>
  text
    .replace(/^(?:the|a|an|our|all|bare|old|current)\s+/i, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
const isThing = (text: string): boolean =>
  /\p{L}{3,}/u.test(text) && text.split(' ').length <= 8 && !/^(?:it|this|that|them|these|what|how|something)\b/i.test(text);

function replacementIn({ text, at, ref }: DatedText): Replacement | undefined {
  for (const [pattern, parts] of PATTERNS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const [about, from, to] = parts(match).map(tidy) as [string, string, string];
    if (isThing(from) && isThing(to) && !isAlike(from, to)) return { about, from, to, at, ref };
  }
  return undefined;
}

/** Chains such as "A → tried B → settled on C", from replacements in commits and summaries. */
export function replacementsIn(texts: readonly DatedText[]): Item[] {
  const steps = texts.flatMap((text) => replacementIn(text) ?? []).toSorted((a, b) => a.at - b.at);
  const chains: Replacement[][] = [];
  for (const step of steps) {
    const chain = chains.find((one) => {
      const last = one.at(-1);
      return last !== undefined && isAlike(last.to, step.from) && !one.some(({ from }) => isAlike(from, step.to));
    });
    if (chain) chain.push(step);
    else if (!chains.some((one) => one.some(({ from, to }) => isAlike(from, step.from) && isAlike(to, step.to)))) chains.push([step]);
  }
  return chains.map((chain) => {
    const [first, last] = [chain[0] as Replacement, chain.at(-1) as Replacement];
    const tried = chain.slice(0, -1).map(({ to }) => `tried ${to}`);
    const about = first.about === '' ? '' : `${first.about}: `;
    const text = masterLine(`${about}${[first.from, ...tried, `settled on ${last.to}`].join(' → ')}`);
    return { section: 'evolution', text, ref: last.ref, at: last.at, topics: [], files: [], worth: 1 };
  });
}
