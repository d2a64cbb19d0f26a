/** A sentence of a message. */
export interface QuotableSentence {
  readonly text: string;
  /** Part of it is bold: agents mark important words. */
  readonly isMarked: boolean;
  /** It is among the first sentences of its message. */
  readonly isFirst: boolean;
}

const FENCE = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)/g;
const ADDED = /<(system-reminder|command-[a-z]+|local-command-[a-z]+)\b[\s\S]*?(?:<\/\1>|$)/g;
/** Headings, tables, rules and program output. */
const NO_SENTENCE =
  /^\s*(?:#|\||[-=*_]{3,}\s*$|[❯➜$%>] |\[?\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d|at \S+:\d+|@@|\+\+\+|--- |diff --git|\d+[→|]|(?:\w+ )?(?:error|fatal|warning|panic):|exit status|\[[\w:-]+\] )/i;
const MARK = /^\s*(?:[-*•+]|\d+[.)]|\[[ x]\])\s+/;
const END = /(?<=(?<!\b(?:e\.g|i\.e|vs|cf))[.!?]["')*`]*)\s+(?=["'(*`[]*[\p{Lu}\d`])|(?<=[。！？])/u;
/** A link: its address costs more tokens than the sentence and adds nothing. */
const LINK = /!?\[([^\]\n]+)\]\([^)\s]*\)/g;
const SHORTEST = 8;
const FIRST = 2;

/** The sentences of a message, without code, tables and program output. */
export function quotableSentences(text: string): readonly QuotableSentence[] {
  const sentences: QuotableSentence[] = [];
  for (const line of text.replace(FENCE, '\n').replace(ADDED, '\n').split('\n')) {
    if (NO_SENTENCE.test(line)) continue;
    const isMarked = line.includes('**');
    const parts = line.replace(MARK, '').replaceAll('**', '').replace(LINK, '$1').trim().split(END);
    for (const [nth, part] of parts.entries()) {
      const sentence = part.trim();
      if (sentence.length >= SHORTEST) sentences.push({ text: sentence, isMarked: isMarked && nth < 2, isFirst: sentences.length < FIRST });
    }
  }
  return sentences;
}
