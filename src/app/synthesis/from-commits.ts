import { commitDraft, HOUSEKEEPING } from '../../capture/commits/commit-draft.ts';
import { isAlike, startUpper, withoutMarks } from '../../capture/summary/text.ts';
import type { CommitFacts } from '../../core/episode/episode.ts';
import { epochOf } from '../../core/instant.ts';
import { masterLine, type Item } from './item.ts';
import { hasWholeBrackets } from './statement.ts';
import { topicsOf } from './theme.ts';

/** A commit as the master tells it. */
export interface CommitChange {
  /** Its subject without type, scope and number. */
  readonly what: string;
  readonly at: number;
  readonly ref: string;
  /** The statement it makes, where its message gives a reason. */
  readonly item?: Item;
  /** It mends something: what it replaced was never meant to be. */
  readonly isFix: boolean;
  readonly topics: readonly string[];
}

const CONVENTIONAL = /^(?:fixup! |squash! )*(\w+)(?:\(([^)]*)\))?!?:\s+(.+)$/;
const PREFIXED = /^([\w./-]{2,24}):\s+(.+)$/;
/** Work on a review or on housekeeping says nothing of the project. */
const PROCESS = new RegExp(
  [
    String.raw`\b(?:coderabbit|review (?:feedback|findings?|comments?)|(?:after|follow-up) (?:\w+ )*review|(?:pr|code review) (?:feedback|comments?)|address(?:es)? (?:\w+ )?(?:feedback|comments|findings))\b`,
    String.raw`\b(?:lint(?:er|ing)?|golangci-lint|eslint|prettier|whitespace|blank lines?|typos?|wip|todos?|checkpoint|state\.md|work ?log|last activity|phase \d+|formatting|merge conflicts?|nits?|fieldalignment)\b`,
  ].join('|'),
  'i',
);
const REASON = 240;
/** A subject of at least three words. */
const TELLING = /^(?=.{12,})\S*\p{L}{2,}\S*(?:\s+\S+){2,}/u;
const NUMBERS_ONLY = /^[\d\s.,-]+$/;

function partsOf(subject: string): { readonly type: string; readonly scope: string; readonly what: string } {
  const [, type, scope = '', what] = CONVENTIONAL.exec(subject) ?? [];
  if (type !== undefined && what !== undefined && /^[a-z]+$/.test(type)) return { type, scope: NUMBERS_ONLY.test(scope) ? '' : scope, what };
  const [, prefix, rest] = PREFIXED.exec(subject) ?? [];
  return prefix === undefined || rest === undefined ? { type: '', scope: '', what: subject } : { type: '', scope: prefix, what: rest };
}

const isFix = (type: string, what: string): boolean =>
  /^(?:fix|perf|bugfix|hotfix)$/.test(type) || /^(?:fix|mend|correct|repair|prevent|avoid|stop|guard|handle)\w*\b/i.test(what);

/** Words of who found out what was wrong. */
const BROKEN =
  /\b(?:bug|fail(?:s|ed|ing|ure)|broke|broken|crash\w*|regress\w*|silently|wrong(?:ly)?|leak\w*|race|hung|hangs|stall\w*|never (?:set|told|called|sent)|dead-ended|misreport\w*|masks?|slipped|clobber\w*)\b/i;
const POINTS_BACK =
  /^(?:this|that|it|its|these|those|they|them|the (?:tag|former|latter|same|gap)|such|which|both|also|now|here|verified|section \d|fixes|see)\b|\b(?:meanwhile|remains?)\b/i;
/** Names of code, which tell nothing to who does not know the code. */
const CODE = /\b\p{Ll}+\p{Lu}\w*|\b(?:\p{Lu}\p{Ll}+){2,}\b|\w+_\w+|\w\(\)/gu;
const ORDERS =
  /^(?:add|extend|route|push|read|move|use|switch|replace|make|create|remove|drop|update|fix|store|point|reply|set|stub|pass|gate|keep|wire|bump|rename|refactor|introduce|emit|guard|ensure|added|corrected|unified|removed|renamed|updated|changed|moved|replaced|asserts?)\b/i;
const CAUSE = /\b(?:because|since|so that|instead of|rather than|otherwise|due to|no longer|never|must|always|only|to (?:avoid|prevent|keep|ensure))\b/i;

/** Sentences of a message that can stand beside its subject, whole and not too long. */
const sentencesIn = (body: string): string[] =>
  body
    .replaceAll(/```[\s\S]*?(?:```|$)/g, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)])\s)/)
    .filter((block) => !/^\s*[\w-]+-by: |^\s*(?:fixes|closes|resolves|refs?) /i.test(block))
    .flatMap((block) => withoutMarks(block.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '')).split(/(?<=[.!?])\s+(?=[\p{Lu}`"(])/u))
    .map((sentence) => sentence.replace(/[.\s]+$/, ''))
    .filter((sentence) => sentence.length > 30 && sentence.length <= REASON && !/:$|^https?:/.test(sentence) && hasWholeBrackets(sentence));

/** The sentence of a message that tells most: of a fix what was wrong, of anything else why it was done so. */
function reasonOf(what: string, body: string, wasBroken: boolean): string | undefined {
  const worthOf = (sentence: string, place: number): number =>
    Number(!POINTS_BACK.test(sentence)) * 2 +
    Number(CAUSE.test(sentence)) * (wasBroken ? 0.5 : 2) -
    Number(ORDERS.test(sentence)) * (wasBroken ? 2 : 0.5) -
    (wasBroken ? 0 : Math.min(0.6, (sentence.match(CODE)?.length ?? 0) * 0.2)) -
    place / 20;
  return sentencesIn(body)
    .filter((sentence) => !isAlike(sentence, what))
    .map((sentence, place) => ({ sentence, worth: worthOf(sentence, place) }))
    .filter(({ worth }) => worth > 1)
    .toSorted((a, b) => b.worth - a.worth)[0]?.sentence;
}

/** Kinds of commits that settle nothing a newcomer asks for. */
const TRIVIAL = /^(?:style|test|tests)$/;

function changeOf(commit: CommitFacts): CommitChange | undefined {
  const { type, scope, what: said } = partsOf(commit.subject.replace(/^@ /, '').replace(/\s*\(#\d+\)\s*$/, ''));
  const what = startUpper(said.replace(/[.\s]+$/, ''));
  if (commit.merge || HOUSEKEEPING.test(commit.subject) || HOUSEKEEPING.test(what) || PROCESS.test(what) || !TELLING.test(what) || type === 'style')
    return undefined;
  const at = epochOf(commit.at) ?? 0;
  const scopes = topicsOf('', scope.split(/[/,\s]+/), []);
  const topics = [...new Set([...scopes, ...topicsOf(what, [], commit.files)])];
  const wasBroken = isFix(type, what);
  const isReasoned = !TRIVIAL.test(type) && (wasBroken || commitDraft({ ...commit, subject: what }) !== undefined);
  const reason = isReasoned ? reasonOf(what, commit.body, wasBroken) : undefined;
  const ref = commit.id === '' ? 'commit' : `commit ${commit.id.slice(0, 10)}`;
  const common = { what, at, topics, ref, isFix: wasBroken };
  if (reason === undefined) return common;
  const item: Item = {
    section: wasBroken || BROKEN.test(reason) ? 'learnings' : 'decisions',
    text: `${masterLine(what, 110)} – ${reason}`,
    ref,
    at,
    topics,
    files: commit.files.slice(0, 8),
    worth: 1,
  };
  return { ...common, item };
}

/** What somebody noted to be done later, in a commit that says so. */
const NOTED = /\b(?:add|capture|log|create|note|record)\w*\b.{0,40}?\btodos?\b\s*(?:[-–—:]|for|to|on|about)\s*(.{10,})$/i;
const SETTLED = /\b(?:close|complete|finish|resolve|done|start work|remove)\w*\b/i;

/** Work that was noted and not yet done, as the commits tell. */
export function notedWork(commits: readonly CommitFacts[]): Item[] {
  return commits.flatMap((commit) => {
    const what = NOTED.exec(commit.subject)?.[1];
    if (what === undefined) return [];
    const at = epochOf(commit.at) ?? 0;
    const isDone = commits.some(
      (other) => (epochOf(other.at) ?? 0) > at && isAlike(other.subject, what) && (SETTLED.test(other.subject) || !NOTED.test(other.subject)),
    );
    const ref = commit.id === '' ? 'commit' : `commit ${commit.id.slice(0, 10)}`;
    return isDone ? [] : [{ section: 'questions' as const, text: masterLine(`To do: ${what}`), ref, at, topics: [], files: [], worth: 1 }];
  });
}

/** Names of things that a commit took back. */
export const takenBack = (commits: readonly CommitFacts[]): readonly { readonly names: readonly string[]; readonly at: number }[] =>
  commits
    .filter(({ subject }) => /\breverts?\b/i.test(subject))
    .map(({ subject, at }) => ({ names: subject.match(/\b[A-Za-z]+[A-Z]\w+\b|\b\w+[._]\w+\b/g) ?? [], at: epochOf(at) ?? 0 }));

/** The commits that changed something of the project, newest first; one that was made again counts once. */
export function commitChanges(commits: readonly CommitFacts[]): CommitChange[] {
  const known: CommitChange[] = [];
  const seen = new Set<string>();
  for (const commit of commits) {
    const change = changeOf(commit);
    if (change === undefined || seen.has(change.what.toLowerCase())) continue;
    seen.add(change.what.toLowerCase());
    known.push(change);
  }
  return known.toSorted((a, b) => b.at - a.at);
}

const SHOWN = 4;
/** The source of a line that is made of many commits; it names their dates itself. */
export const HISTORY = 'commits';

/** What came to be in one part of the project, in one line; newest first. */
export function historyLine(name: string, changes: readonly Item[], day: (at: number) => string): Item | undefined {
  const [newest, oldest] = [changes[0], changes.at(-1)];
  if (newest === undefined || oldest === undefined) return undefined;
  const shown = changes.slice(0, SHOWN).map(({ text }) => masterLine(text, 90));
  const more = changes.length > SHOWN ? `; and ${changes.length - SHOWN} more` : '';
  const span = day(oldest.at) === day(newest.at) ? day(newest.at) : `${day(oldest.at)} to ${day(newest.at)}`;
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
  return { section: 'evolution', text: `${name} (${span}, ${count}): ${shown.join('; ')}${more}`, ref: HISTORY, at: newest.at, topics: [], files: [] };
}
