import { isCutOff } from '../../capture/summary/text.ts';
import type { MasterSection } from './item.ts';

/** Sentences that only make sense in a conversation: they plan, ask, answer or refer to earlier messages. */
const TALK = new RegExp(
  [
    String.raw`^(?:i|i'll|i'd|i've|i'm|let's|lets|let me|we'll|now|so|and|but|also|then|ok(?:ay)?|yes|no|sure|agreed|actually|wait|hmm|please|here(?:'s| is| are)?|there(?:'s| are)|additionally|bonus|net|diagnosis|repeat|next|just|first|finally|stderr|stdout|error|my|your|you|can|could|would|should we|do you|what|how|why|where|which|is it|are there)\b`,
    String.raw`^(?:still|already|too|worth|short answer|the (?:right|answer|simple[rs]t?|issue|problem|fix|question|key|main|real|notification|approach|user)\b|bug \d)\b`,
    String.raw`^[^:]{3,60}\.: `,
    String.raw`^(?:this|that|these|those|it|its|they|them|he|she|both|each|one|another|such|same|even if|at some point|if so|either way|in that case|otherwise|once done|when done|as (?:for|you)|based on)\b`,
    String.raw`\b(?:you(?:'ll|'re|r)?|i(?:'ll|'d|'m)?|let me|want me|say the word|go ahead)\b`,
    String.raw`https?://|\blines? ~?\d+|\b(?:option|approach|phase|step|task|wave|plan|batch|finding) (?:\(?[a-z]\b|\d)|\b(?:above|below|earlier|later today|just yet|for now|right now|at this point|seems?|maybe|probably|apparently)\b`,
  ].join('|'),
  'i',
);
/** Words of progress reports, which are no statements about the project. */
const PROCESS =
  /\b(?:coderabbit|pull request|this pr|the pr|this branch|current branch|the commit|commits?|push(?:ed)?|rebase|subagents?|sub-agents?|gsd|todo|session|prs?)\b/i;
/** The start of a task for an agent. */
const TASK =
  /^(?:add|go|start|look|do (?!not)|make sure|make|run|check|review|analy[sz]e|investigate|create|rework|fold|write|read|update|fix|implement|push|commit|switch|move|remove|open|continue|resume|proceed|carry|find|test|verify|ensure|set|get|give|show|skip|try|put|take|commit)\b/i;
const RULE = /\b(?:always|never|do not|don't|dont|only|every|must|prefer|instead of|rather than|no longer|at most|at least|unless)\b/i;
/** A shortened text or a line of a diagram. */
const SHORTENED = /…$|\.\.\.$|→/;
/** Common verbs; a heading or a list fragment often has none. */
const VERB =
  /\b(?:is|are|was|were|be|been|has|have|had|must|should|shall|can|cannot|can't|could|will|would|does|do|did|don't|doesn't|needs?|requires?|causes?|breaks?|uses?|keeps?|stays?|means|returns?|fails?|runs?|stores?|sends?|gets?|helps?)\b/i;
/** Describes what a program does; not a preference of the user. */
const DESCRIBES = /^(?:always|never|only)\s+(?:\w+ly\s+)?[a-z]+s\b/i;
/** References that only make sense in the conversation. */
const POINTS_HERE = /\b(?:this|that|the) (?:page|file|screen|section|view|button|modal|dialog|plan|list|table|tab|card|one)\b/i;
const CHOICE = /^(.{8,}\?) → (.+)$/;
/** Questions about how the conversation goes on. */
const ABOUT_TALK =
  /\b(?:approach|tradeoffs?|options?|which one|areas|discuss|proceed|continue|next|start|commit|push|review|do you want|should i|shall i|want me|ready)\b/i;
const SHORTEST = 30;
const LONGEST = 240;
const LONGEST_RULE = 160;

const isStatement = (text: string): boolean => !TALK.test(text) && !/\?/.test(text) && !SHORTENED.test(text) && !isCutOff(text) && text.length <= LONGEST;
const OPEN_END = /\b(?:deferred?|postponed?|follow-?up|not yet|future|unclear|unresolved|undecided|needs? (?:to|a)|missing|pending|blocked|waiting|decide)\b/i;
const POINTS_AT = /\b(?:the same|mentions?|in this case|that case|these)\b/i;

/** Whether a text only makes sense to readers of the conversation. */
export const isTalk = (text: string): boolean => TALK.test(text) || PROCESS.test(text);

/** Whether a text is a question to the user with its answer. */
export const isChoice = (text: string): boolean => CHOICE.test(text);

/** Whether a sentence from a conversation makes sense without it. */
export function isSelfContained(section: MasterSection, label: string, text: string): boolean {
  const [, question, answer] = CHOICE.exec(text) ?? [];
  if (question !== undefined && answer !== undefined) return !ABOUT_TALK.test(question) && !/\?/.test(answer) && !TALK.test(answer);
  if (!isStatement(text)) return false;
  if (/^preference$/i.test(label))
    return RULE.test(text) && !POINTS_AT.test(text) && !POINTS_HERE.test(text) && !DESCRIBES.test(text) && text.length > SHORTEST && text.length < LONGEST_RULE;
  if (PROCESS.test(text)) return false;
  if (section === 'questions') return OPEN_END.test(text);
  if (section === 'evolution' && label !== '') return GIVEN_UP.test(text) && /\b(?:was|were|did|didn't|had)\b/i.test(text);
  // Readers who do not know the code cannot follow several code names.
  if ((text.match(/`[^`]+`/g) ?? []).length > 1) return false;
  return !TASK.test(text) && !POINTS_HERE.test(text) && (VERB.test(text) || /\b(?:because|since|so that)\b/i.test(text)) && REASONED.test(text);
}

/** Says why something was given up. */
const GIVEN_UP =
  /\b(?:did(?: not|n't)|does(?: not|n't)|fail\w*|revert\w*|gave up|abandon\w*|dropped|removed|rejected|too (?:slow|large|complex|many)|no longer|broke|instead)\b/i;

const REASONED = /\b(?:because|since|so that|instead of|rather than|to avoid|otherwise|must|never|always|due to|caused by|root cause|requires?|cannot|only)\b/i;

/** Code names, such as camelCase, snake_case and calls. */
const CODE = /\b\p{Ll}+\p{Lu}\w*|\b(?:\p{Lu}\p{Ll}+){2,}\b|\b(?:\p{Lu}{2,}\p{Ll}\w*\p{Lu}|\p{Lu}\p{Ll}+\p{Lu}{2,})\w*|\w+_\w+|\w+\(\)/gu;
/** Well-known names that look like code. */
const KNOWN_NAMES =
  /^(?:git(?:hub|lab|ops)|javascript|typescript|powershell|sqlite|mysql|postgresql|mongodb|graphql|websockets?|webassembly|oauth|devops|macos|ios|youtube|openai|chatgpt|nodejs|nestjs|nextjs|vscode|numpy|pytorch|tensorflow|docker(?:file|hub)|makefile|linkedin|iphone|ipad|ebay|goreleaser)$/i;

const squeezed = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]+/g, '');
const singular = (name: string): string => name.replace(/s$/, '');

/** Counts code names that the project's introductions do not contain in any spelling; `AllRefs` matches `--all-refs`. */
export function codeNames(text: string, introduced = ''): number {
  const names = (text.match(CODE) ?? []).filter((name) => !KNOWN_NAMES.test(name));
  if (names.length === 0) return 0;
  const known = squeezed(introduced);
  return new Set(names.map((name) => singular(squeezed(name))).filter((name) => !known.includes(name))).size;
}

/** The worth of a sentence: higher if it gives a reason. */
export const worthOf = (text: string): number => (REASONED.test(text) ? 0.6 : 0);
