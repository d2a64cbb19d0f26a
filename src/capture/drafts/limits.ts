import type { Sentence } from '../triage/prose.ts';

/** Sentences about a limit of another product, which the current work cannot change. */
const LIMIT = new RegExp(
  String.raw`\b(?:${[
    'only (?:supports?|accepts?|allows?)',
    `(?:does not|doesn't|do not|don't|cannot|can't|will not|won't) (?:support|accept|allow|permit|expose|offer|provide)`,
    'no longer (?:supports?|accepts?)',
    '(?:is|are) (?:not supported|unsupported|limited to|not allowed|capped at) ',
    String.raw`(?:rejects|caps|limits) (?:\w+ ){0,4}(?:to|at|over|above|larger|longer|with more) `,
    String.raw`requires? (?:an? |the )?(?:\w+ ){0,2}(?:plan|licen[cs]e|subscription) `,
    String.raw`has an? (?:hard |maximum |size |rate )*limit of \S+`,
  ].join('|')})`,
  'i',
);
/** A product, a protocol or a tool of others: `GitHub`, `FUSE-T`, `Google OAuth`, `nolintlint`. */
const NAME =
  /\b[A-Z][a-z]+[A-Z]\w*|\b(?:[a-z]{1,2}OS)\b|\b[A-Z]{2,}[\w-]*\b|(?<=\S )[A-Z][a-z]{2,}\b|^(?:The )?[A-Z][a-z]+ [A-Z]\w+|^(?:The )?`[a-z][a-z0-9]+(?:-[a-z0-9]+)*`/;
const NOT_A_NAME = /^(?:API|CLI|UI|URL|JSON|HTTP|HTTPS|HTML|CSS|SQL|PR|CI|ID|DB|OS|TODO|NOT|ONLY|AND|OR|IF|README|YAML|XML|TTY|E2E|The|This|That|It|We|You|I)$/;
const OWN = /\b(?:i|i'm|i'll|i've|my|me|we|we're|we'll|our|us|let's|let me|you|your)\b/i;
const CONDITIONAL =
  /^(?:if|when|once|since|because|so|but|then|unless|until|while|although|though|and|or|also|even|instead|now|note|this|that|it|these|those|they|there|here|which|both|neither|either|each)\b/i;
const UNSURE =
  /\b(?:may|might|could|would|should|probably|likely|seems?|appears?|suggests?|perhaps|maybe|possibly|apparently|presumably|i think|unclear|assum\w+|if)\b/i;
const MOMENT =
  /\b(?:current(?:ly)?|yet|for now|right now|today|now|still|anymore|this (?:pr|branch|repo|change|phase|session|commit|file|function|test|approach|code|path|case)|previously|was|were|had)\b/i;
const ELSEWHERE =
  /\b(?:options?|next|to-?do|approach|alternative|plan|nits?|findings?|issues?|suggest\w*|proposal|if|fix|hypothes\w+|theory|caveat|risks?|cons|pros|trade-?offs?|questions?|before|problem)\b/i;
const CODE = /`[^`]*[A-Z()[\]{}=:/][^`]*`/;

const nameIn = (text: string): string | undefined => {
  const name = NAME.exec(text)?.[0];
  return name === undefined || NOT_A_NAME.test(name) ? undefined : name;
};

/** An explicitly named limit: `This is a known GitHub limitation: …`. */
const CALLED_LIMIT = /^(?:this|that|it)(?: is|'s) an? (?:well-known |known |hard |documented )?(.{2,30}?)(?:'s)? limitation\s*[:—–-]\s*(.{30,260})$/i;

/** A hard limit with a named subject, stated as a fact; undefined for guesses, conditions, and the project's own code. */
export function limitIn({ text, plain, under, asks }: Sentence): string | undefined {
  const [, named = '', limit = ''] = CALLED_LIMIT.exec(text) ?? [];
  if (/^\p{Lu}/u.test(named) && !asks && !UNSURE.test(limit)) return `${named} limitation: ${limit}`;
  if (asks || text.length < 30 || text.length > 260 || text.endsWith(':') || text.split(' — ').length > 2) return undefined;
  const match = LIMIT.exec(plain);
  if (match === null) return undefined;
  // The conclusion drawn from a limit may be about the work at hand; the limit itself may not.
  const clause = plain.replace(/,\s*(?:so|which means|therefore)\s.*$/i, '');
  if (OWN.test(clause) || CONDITIONAL.test(clause) || UNSURE.test(clause) || MOMENT.test(clause) || ELSEWHERE.test(under) || CODE.test(text)) return undefined;
  return nameIn(text.replace(/[*_]{2}/g, '')) === undefined ? undefined : text;
}
