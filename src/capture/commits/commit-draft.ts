import { saying } from '../triage/words.ts';
import type { CommitFacts } from '../../core/episode/episode.ts';
import type { Draft } from '../../core/record/draft.ts';
import { trustFrom } from '../../core/trust/trust.ts';
import { titleOf } from '../../core/record/from-text.ts';
import { tagsFor, distinct, listItem, shortened, startUpper } from '../summary/text.ts';

/** Words that state a reason. */
const BECAUSE = saying(
  'because|so that|so (?:it|they|we|you|users?|that) (?:can|does|do|is|are|will|need)|due to|otherwise|the reason|this way|in order (?:to|for)',
  'since (?:it|they|we|this|the|that|there|users?|most|some)',
  'instead of|rather than|in favou?r of|no longer (?:needed|works|supported|possible)',
);

/** Words that state a rule, with or without its reason. */
const RULE = saying(
  "must|never|always|exactly|at (?:most|least)|do not|does not|don't|shall|policy|invariant|unless|except|regardless|is rejected|are rejected",
  'is (?:only|now) (?:allowed|reachable|valid)|only (?:when|if|for|from|the|in|after|before)|no longer|by default|defaults? to|guarantees?|(?:is|are) (?:required|forbidden|not allowed)',
  'per (?:the|our)|the (?:first|last) \\d+|now (?:never|always|only|drops?|keeps?|merges?|rejects?|returns?)',
);

/** Words that hint at a reason or a consequence. */
const AIM = saying(
  'to (?:avoid|prevent|keep|make sure|ensure|reduce|stop|save|preserve|guard|protect|match|let|allow|simplify|speed)',
  'as (?:it|they|we|this|the) (?:is|are|was|were|does|do|would|can|could|has|have)|which (?:means|would|caused?|breaks?|broke|made|makes|leads?|led)',
  'but (?:it|this|that|the)|would (?:break|fail|lose|need|cause)|caused|causes|broke|breaks|were (?:being )?\\w+(?:ed|ing)|was (?:being )?\\w+ing|the .{0,30}(?:incident|outage)|too (?:slow|large|big|many|much)|unsafe|deprecated|for (?:consistency|safety|performance|simplicity)',
);

/** Subjects with a general rule, which the body then explains. */
const GENERAL = saying('everywhere|always|never|only|at most|at least|exactly|no longer|must(?: not)?|every|all');
const GENERAL_WORTH = 0.6;

/** Subjects that settle how something is done. */
const CHOOSES = saying(
  'use|switch(?:es)?|replaces?|moves?|drops?|adopts?|prefers?|defaults?|require[sd]?|forbids?|removes?|keeps?|disables?|enables?|introduces?|splits?|migrates?',
  'makes?|allows?|limits?|pins?|renames?|stops?|never|always|only|must|do not|revert',
);

/** Commits without a decision: housekeeping and automatic commits. */
export const HOUSEKEEPING = new RegExp(
  [
    String.raw`^(?:merge|fixup!|squash!|amend!|wip\b|initial commit|bump|release|version|v?\d+\.\d+|typos?\b|lint\b|format(?:ting)?\b|update (?:the )?(?:lock|dependenc|change\s?log|readme))`,
    String.raw`^(?:chore|build|ci)\((?:deps|release)[^)]*\)|^(?:chore: )?(?:release|bump)\b|\bdependabot\b|\[bot\]|^auto-?generated`,
  ].join('|'),
  'i',
);

/** A commit that says why, as a draft of a decision. */
export interface CommitDraft {
  readonly commit: CommitFacts;
  /** At least 1; higher for a plainer reason. */
  readonly worth: number;
  readonly draft: Draft;
}

const TRAILER = /^(?:[A-Z][\w-]*-by|Change-Id|Fixes|Closes|Refs?|See-also|Reviewed-on|Bug|Issue|PR|Cc|Link|Note|BREAKING-CHANGE): /i;
const CONVENTIONAL = /^(\w+)(?:\(([^)]*)\))?!?:\s+/;
const AREAS: Readonly<Record<string, string>> = {
  build: 'dependency',
  deps: 'dependency',
  ci: 'process',
  chore: 'process',
  config: 'configuration',
  test: 'process',
};
const MOST_REASONS = 5;
/** The most characters of a statement; a longer one is no sentence. */
const STATEMENT = 700;
const WHOLE = 1_600;
const MOST_RULES = 6;
/** A rule with fewer words is too vague. */
const RULE_WORDS = 6;
const FILES = 8;
const TURNED_DOWN = /\b(?:instead of|rather than)\s+([^,.;()]{3,80}?)(?=\s+(?:because|since|so that|as|due|to)\b|[,.;()]|$)/i;
const REVERTS = /^Revert "(.+)"$/;
const REVERTED = /This reverts commit ([0-9a-f]{7,40})/;

/** The prose of a message: no trailers, logs, code, quotations or addresses. */
function proseOf(body: string): string[] {
  const paragraphs = body
    .replace(/```[\s\S]*?(?:```|$)/g, '')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.split('\n').filter((line) => !TRAILER.test(line) && !/^(?: {4}|\t|>|https?:\/\/\S+$|\(cherry picked)/.test(line)));
  return paragraphs.flatMap((lines) => joinLines(lines)).filter((text) => text !== '');
}

/** Lines of a paragraph as one text, items of a list as one each. */
function joinLines(lines: readonly string[]): string[] {
  const texts: string[] = [];
  for (const line of lines) {
    const isItem = /^\s*(?:[-*+]|\d+[.)])\s/.test(line);
    const words = line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').trim();
    if (isItem || texts.length === 0) texts.push(words);
    else texts.push(`${texts.pop() ?? ''} ${words}`.trim());
  }
  return texts;
}

const sentencesIn = (text: string): string[] => text.split(/(?<=[.!?])\s+(?=[\p{Lu}`"(])/u).filter((sentence) => sentence.trim().length > 12);

const bareSubject = (subject: string): string =>
  startUpper(
    subject
      .replace(CONVENTIONAL, '')
      .replace(/\s*\(#\d+\)\s*$/, '')
      .replace(/^\[[^\]]{1,30}\]\s*/, '')
      .trim(),
  );

interface CommitStatements {
  readonly worth: number;
  readonly rules: readonly string[];
  readonly reasons: readonly string[];
  /** The other sentences of their paragraphs, so that the record is complete. */
  readonly rest: readonly string[];
}

/** The statements of a commit: rules, reasons, consequences, as whole sentences. */
function statementsIn(subject: string, prose: readonly string[]): CommitStatements {
  const body = prose.flatMap(sentencesIn);
  const sentences = [subject, ...body];
  const strong = sentences.filter((sentence) => BECAUSE.test(sentence));
  const rules = body.filter((sentence) => RULE.test(sentence) && sentence.split(/\s+/).length >= RULE_WORDS);
  const weak = sentences.filter((sentence) => AIM.test(sentence) && !strong.includes(sentence) && !rules.includes(sentence));
  const worth = Math.min(3, new Set([...strong, ...rules]).size) + 0.5 * Math.min(2, weak.length);
  const [, why] = /\b(?:because|since|so that)\s+(.+)$/i.exec(subject) ?? [];
  const statements = [...strong, ...weak];
  // The subject counts as a reason only with "because" in it, or if there is no other reason.
  const content = statements.flatMap((sentence) => (sentence !== subject ? [sentence] : why !== undefined ? [why] : statements.length === 1 ? [sentence] : []));
  const whole = (texts: readonly string[], most: number): readonly string[] => distinct(texts.map((text) => listItem(text, STATEMENT))).slice(0, most);
  const plainRules = rules.filter((sentence) => !content.includes(sentence));
  const stating = prose.filter((paragraph) => [...rules, ...statements].some((one) => one !== subject && paragraph.includes(one)) && paragraph.length <= WHOLE);
  const rest = stating.flatMap(sentencesIn).filter((sentence) => !content.includes(sentence) && !rules.includes(sentence));
  return { worth, rules: whole(plainRules, MOST_RULES), reasons: whole(content.length > 0 ? content : plainRules, MOST_REASONS), rest };
}

/** The draft of a commit, if its message gives a reason. */
export function commitDraft(commit: CommitFacts, isReverted = false): CommitDraft | undefined {
  const { subject, body, id, at } = commit;
  if (commit.merge || subject.trim() === '' || HOUSEKEEPING.test(subject)) return undefined;
  const what = bareSubject(subject);
  const prose = proseOf(body);
  const { worth: base, rules, reasons, rest } = statementsIn(what, prose);
  if (reasons.length === 0 || what.length < 8) return undefined;
  const isList = prose.length > 6;
  const worth = base + Math.max(CHOOSES.test(what) ? 0.4 : 0, GENERAL.test(what) ? GENERAL_WORTH : 0) - (isList ? 0.5 : 0);
  if (worth < 1) return undefined;
  const [, type = '', scope = ''] = CONVENTIONAL.exec(subject) ?? [];
  const option = TURNED_DOWN.exec([what, ...prose].join('. '))?.[1];
  const files = commit.files.slice(0, FILES);
  const area = AREAS[type.toLowerCase()] ?? AREAS[scope.toLowerCase()];
  const title = titleOf(isReverted ? `Dead end: ${what}` : what);
  return {
    commit,
    worth,
    draft: {
      category: 'decision',
      title,
      created_at: at,
      tags: [...tagsFor(what, files).slice(0, 5), 'git', ...(isReverted ? ['dead-end'] : [])],
      ...(files.length > 0 && { related_files: files }),
      confidence: 0.75,
      trust: trustFrom('commits'),
      origin: { channel: 'git', message_ids: [id] },
      content: {
        status: isReverted ? 'deprecated' : 'accepted',
        ...(area !== undefined && { area }),
        context: rest.length > 0 ? rest.join(' ') : shortened(prose.find((text) => !reasons.some((reason) => text.includes(reason.slice(1, 40)))) ?? '', 400),
        decision: [listItem(what, 400), ...(reasons.some((reason) => rules.includes(reason)) ? [] : rules)].join('. '),
        alternatives: option === undefined ? [] : [{ option: listItem(option, 120), rejected_reason: reasons[0] ?? '' }],
        rationale: reasons,
        consequences: isReverted ? ['It was taken back later'] : [],
      },
    },
  };
}

/** Recognises commits that a later one reverted, by id, or by subject if the later one names no id. */
function revertedIn(commits: readonly CommitFacts[]): (commit: CommitFacts) => boolean {
  const ids = commits.flatMap(({ body }) => REVERTED.exec(body)?.[1] ?? []);
  const subjects = new Set(commits.filter(({ body }) => !REVERTED.test(body)).flatMap(({ subject }) => REVERTS.exec(subject)?.[1] ?? []));
  return ({ id, subject }) => ids.some((one) => id.startsWith(one)) || subjects.has(subject);
}

/** Drafts of the commits worth a record, plainest reasons first, then newest first. */
export function commitDrafts(commits: readonly CommitFacts[], limit: number): readonly CommitDraft[] {
  const isReverted = revertedIn(commits);
  return commits
    .filter(({ subject }) => !REVERTS.test(subject))
    .flatMap((commit) => commitDraft(commit, isReverted(commit)) ?? [])
    .toSorted((a, b) => b.worth - a.worth || (a.commit.at < b.commit.at ? 1 : -1))
    .slice(0, limit);
}
