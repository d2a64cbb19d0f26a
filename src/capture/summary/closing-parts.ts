import { distinct, withoutMarks, wholeItem } from './text.ts';

/** The parts of an agent's last message that have headings or labels of their own. */
export interface ClosingParts {
  readonly next: readonly string[];
  readonly blocked: readonly string[];
  readonly done: readonly string[];
  readonly discoveries: readonly string[];
}

type Part = keyof ClosingParts;

const NAMES: readonly (readonly [Part, string])[] = [
  [
    'next',
    String.raw`(?:recommended |suggested |possible )?next (?:steps?|actions?|up)|next|open (?:questions?|items?|points?|issues?|work)|questions? (?:for you|left)|to-?dos?|what(?:'s| is) (?:left|next|missing|open)|still (?:open|to do|missing|needed)|remaining(?: (?:work|tasks?|items?|steps?))?|left to do|follow-?ups?|outstanding|not (?:yet )?done|pending`,
  ],
  ['blocked', 'block(?:ed|ers?)(?: (?:by|on))?|held up(?: by)?|waiting (?:for|on)'],
  ['done', `done|completed|finished|what (?:was|i) (?:done|did)|what changed`],
  ['discoveries', 'discover(?:y|ies)|learned|learnings?|findings?|found out'],
];
const heading = (names: string): RegExp =>
  new RegExp(String.raw`^\s*(?:#{1,6}\s+|\*\*|__)?(?:${names})(?:\*\*|__)?\s*(?:\([^)]*\))?\s*:?\s*(?:\*\*|__)?\s*$`, 'i');
const label = (names: string): RegExp => new RegExp(String.raw`^\s*(?:[-*•]\s+)?(?:\*\*|__)?(?:${names})(?:\*\*|__)?\s*:(?:\*\*|__)?\s+(?=\S)`, 'i');
const PATTERNS = NAMES.map(([part, names]) => ({ part, heading: heading(names), label: label(names) }));
/** A label after a sentence on the same line: `… covers it. Next steps:`. */
const INSIDE =
  /(?<=[.!?)] )(?=(?:\*\*)?(?:next steps?|open (?:questions?|points?)|to-?dos?|blocked|blockers?|what(?:'s| is) left|still open|left to do)(?:\*\*)?:)/gi;
const ITEM = /^\s{0,6}(?:[-*•+]|\d+[.)]|\[[ x]\])\s+(?:\[[ ]\]\s+)?/;
const TICKED = /^\s*(?:[-*•]\s+)?(?:\[x\]|[✅✓])/i;
const ANY_HEADING = /^\s*(?:#{1,6}\s+\S|(?:\*\*|__)[^*_]{2,80}(?:\*\*|__)\s*:?\s*$)/;
const MOST = 5;
const SHORTEST = 8;
/** An agent's offer to do more, which is no next step. */
const OFFER =
  /\b(?:say the word|let me know|if you(?:'d| would)? (?:like|want|prefer)|happy to|feel free|i can (?:also|then|add|do|open|write|push)|i could(?! not|n't)|want me to|would you like|do you want me|shall i|just ask|ping me|ready when you)\b/i;
const SMALL_TALK =
  /^(?:(?:ok(?:ay)?|great|perfect|nice|cool|awesome|thanks?|thank you|thx|cheers|good (?:job|work|night|morning)|well done|bye|see you|lgtm|sounds good|no problem|you'?re welcome|have a (?:nice|good|great) \w+|that'?s (?:all|it)|all good|much appreciated|so much|a lot|very much|really|today|tomorrow|again|and|works? (?:now|great|fine|well)|it works|for (?:now|today|your (?:help|work|time)|the (?:help|work)))[\s,.!:)]*)+$/i;

/** Whether a text offers further work. */
export const isOffer = (text: string): boolean => OFFER.test(text);

/** Thanks, praise and goodbyes: nothing to answer and nothing to do. */
export const isSmallTalk = (text: string): boolean => SMALL_TALK.test(text.replace(/[\u{1f300}-\u{1faff}]/gu, '').trim());

/** Reads the lists under headings such as "Next steps", and lines labelled `Done:`, `Blocked:`, `Discovery:`. */
export function closingParts(closing: string): ClosingParts {
  const linesByPart: Record<Part, string[]> = { next: [], blocked: [], done: [], discoveries: [] };
  let open: Part | undefined;
  const prose = closing.replace(/```[\s\S]*?(?:```|$)/g, '').replace(INSIDE, '\n');
  for (const line of prose.split('\n')) {
    const head = PATTERNS.find((one) => one.heading.test(line));
    const labelled = head === undefined ? PATTERNS.find((one) => one.label.test(line)) : undefined;
    if (head !== undefined) open = head.part;
    else if (labelled !== undefined) linesByPart[labelled.part].push(line.replace(labelled.label, ''));
    else if (ANY_HEADING.test(line)) open = undefined;
    else if (open !== undefined && ITEM.test(line) && !(open === 'next' && TICKED.test(line))) linesByPart[open].push(line.replace(ITEM, ''));
    else if (open !== undefined && line.trim() !== '' && !/^\s/.test(line)) open = undefined;
  }
  const items = (part: Part): string[] =>
    distinct(
      linesByPart[part]
        .filter(
          (text) =>
            withoutMarks(text).length >= SHORTEST &&
            !isOffer(text) &&
            !isSmallTalk(withoutMarks(text)) &&
            !/^(?:none|nothing|n\/a)\b/i.test(withoutMarks(text)),
        )
        .map((text) => wholeItem(text)),
    ).slice(0, MOST);
  return { next: items('next'), blocked: items('blocked'), done: items('done'), discoveries: items('discoveries') };
}
