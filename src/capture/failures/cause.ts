/** Words for a cause outside the current change, which can occur again; a bug in new code is fixed and gone. */
const OUTSIDE = new RegExp(
  [
    String.raw`\b(?:pre-?existing|unrelated|not (?:related|caused by)|left-?overs?|stale|(?:also|still) fails? on (?:main|master)|reproduces? on (?:main|master)|flaky)\b`,
    String.raw`\b(?:pre-commit|pre-push|commit-msg) hook\b|\bhook (?:runs?|fail\w*|picks?|checks?|reject\w*)\b|\bpick(?:s|ed|ing)? up\b`,
    String.raw`\b(?:local|global|personal|user'?s?|developer'?s) (?:git )?(?:config\w*|settings?|environment)\b|\benvironment\b|\bsandbox\w*\b|\bgpg\b|\bsign(?:ing|ed) (?:key|setting|issue|failure)`,
    String.raw`\b(?:not|isn'?t|aren'?t|wasn'?t) (?:installed|configured|running|available|set(?: up)?|on the path)\b|\bmissing (?:\S+ )?(?:dependenc\w*|packages?|secrets?|env\w*|credentials?|permissions?|binar\w*|modules?|tools?)\b`,
    String.raw`\b(?:credentials?|keychain|expired|permission denied|protected branch|rate.?limit\w*|network|proxy|offline|certificates?|secrets?)\b`,
    String.raw`\b(?:already in use|disk (?:is )?full|out of memory|daemon|version mismatch|wrong (?:directory|folder|node|version)|working directory|lock ?file)\b`,
    String.raw`\b(?:must|needs? to|has to|have to|only works? when|can only) (?:be )?run (?:from|with|in|inside|after|under|without)\b`,
  ].join('|'),
  'gi',
);
const BECAUSE = /\b(?:because|root cause|caused by|due to|since|(?:the|real|actual) (?:cause|reason|culprit|problem|issue) (?:is|was))\b/i;
/** Words for a failure. */
const FAILURE =
  /\b(?:fail\w*|errors?|erroring|block(?:s|ed|ing)|reject\w*|refus\w*|denied|hook|broken|breaks?|warnings?|issues?|problem|can(?:not|'t)|unable|missing|noisy|unusable|crash\w*|hang\w*|times? ?out)\b/i;
const OPENERS =
  /^(?:let me|let's|now|i'll|i will|i'm going|i need|i should|good|great|perfect|ok|okay|next|first|want me|should i|would you|checking|running|looking|added|new|fixed|corrected|updated|test update|all|everything|done|committed|pushed|my (?:previous|code|change|fix)|build\/|build clean|full suite)\b/i;
const SHORTEST = 30;
const LONGEST = 320;

export interface NamedCause {
  readonly text: string;
  readonly score: number;
}

const sentencesOf = (text: string): readonly string[] =>
  text
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split(/\n+|(?<=[.!?:])\s+(?=[\p{Lu}`"*(])/u)
    .map((sentence) =>
      sentence
        .replace(/^\s*(?:[-*•]|\d+[.)]|#+|>)\s+/, '')
        .replace(/\*\*/g, '')
        .trim(),
    )
    .filter((sentence) => sentence.length >= SHORTEST && sentence.length <= LONGEST && !/^\||[?:]$/.test(sentence));

/** Whether a sentence names a thing: code, a path, a name with a capital inside. */
const NAMES = /`[^`]+`|\b[\w-]+[._/][\w./-]+|\b[A-Z]{3,}\b|\b[a-z]+[A-Z]\w+/;

/** The sentence that names why the command failed; undefined if none does. */
export function causeIn(reply: string, output: string): NamedCause | undefined {
  const printed = output.toLowerCase();
  let best: NamedCause | undefined;
  for (const text of sentencesOf(reply)) {
    const cues = new Set(text.toLowerCase().match(OUTSIDE)).size;
    if (cues === 0 || !FAILURE.test(text) || OPENERS.test(text) || !NAMES.test(text)) continue;
    const words = new Set(text.toLowerCase().match(/[a-z_][\w./-]{3,}/g));
    const shared = [...words].filter((word) => printed.includes(word)).length;
    if (shared === 0) continue;
    const score = Math.min(3, cues) + (BECAUSE.test(text) ? 1 : 0) + Math.min(4, shared) * 0.25;
    if (best === undefined || score > best.score) best = { text, score };
  }
  return best;
}
