import { commitDraft, HOUSEKEEPING } from '../../capture/commits/commit-draft.ts';
import { isAlike, startUpper } from '../../capture/summary/text.ts';
import type { CommitFacts } from '../../core/episode/episode.ts';
import { epochOf } from '../../core/instant.ts';
import { masterLine, sessionName, type Item } from './item.ts';
import { isStepOf, wordsIn } from './budget.ts';
import { BROKEN, type CommitReading, reasonOf } from './commit-reason.ts';
import { codeNames } from './statement.ts';
import { topicsOf } from './theme.ts';

/** A commit as an item for the master. */
export interface CommitChange {
  /** Its subject without type, scope and number. */
  readonly what: string;
  readonly at: number;
  readonly ref: string;
  /** The statement for the master, if the message gives a reason. */
  readonly item?: Item;
  /** A fix: the state before it was never intended. */
  readonly isFix: boolean;
  readonly topics: readonly string[];
  /** Its value for a newcomer: features most, fixes less, maintenance least. */
  readonly worth: number;
}

/** Most characters of a commit's subject before its reason. */
export const LONGEST_CHANGE = 110;

const refOfCommit = ({ id, session }: CommitFacts): string =>
  id !== '' ? `commit ${id.slice(0, 10)}` : session === undefined ? 'commit' : `commit in ${sessionName(session)}`;

const CONVENTIONAL = /^(?:fixup! |squash! )*(\w+)(?:\(([^)]*)\))?!?:\s+(.+)$/;
const PREFIXED = /^([\w./-]{2,24}(?:, ?[\w./-]{2,24})*):\s+(.+)$/;
/** Reviews and housekeeping, which say nothing about the project. */
const PROCESS = new RegExp(
  [
    String.raw`\b(?:coderabbit|review (?:feedback|findings?|comments?)|(?:after|follow-up) (?:\w+ )*review|(?:pr|code review) (?:feedback|comments?)|address(?:es)? (?:\w+ )?(?:feedback|comments|findings))\b`,
    String.raw`\b(?:lint(?:er|ing)?|golangci-lint|eslint|prettier|whitespace|blank lines?|typos?|wip|todos?|checkpoint|state\.md|work ?log|last activity|phase \d+|formatting|merge conflicts?|nits?|fieldalignment|[\w-]+ warnings? in)\b`,
  ].join('|'),
  'i',
);
/** A subject of at least three words. */
const THREE_WORDS = /^(?=.{12,})(?=\S*\p{L}{2})\S+(?:\s+\S+){2,}/u;
const NUMBERS_ONLY = /^[\d\s.,-]+$/;

function partsOf(subject: string): { readonly type: string; readonly scope: string; readonly what: string } {
  const [, type, scope = '', what] = CONVENTIONAL.exec(subject) ?? [];
  if (type !== undefined && what !== undefined && /^[a-z]+$/.test(type)) return { type, scope: NUMBERS_ONLY.test(scope) ? '' : scope, what };
  const [, prefix, rest] = PREFIXED.exec(subject) ?? [];
  return prefix === undefined || rest === undefined ? { type: '', scope: '', what: subject } : { type: '', scope: prefix, what: rest };
}

const isFix = (type: string, what: string): boolean =>
  /^(?:fix|perf|bugfix|hotfix)$/.test(type) || /^(?:fix|mend|correct|repair|prevent|avoid|stop|guard|handle)\w*\b/i.test(what);

/** Documentation, tests and tooling, which do not change the project's behaviour. */
const UPKEEP_TYPE = /^(?:docs?|tests?|ci|style)$/;
const UPKEEP =
  /^(?:document|cover|assert|stub|test|capture|realign|tidy|clean up|reorder|reword)\b|\b(?:unit|integration|e2e|end-to-end|smoke) (?:tests?|suite)\b|\btests? (?:suite|harness|coverage)\b|\bflak(?:y|iness)\b|\b(?:coverage|tests?|changelog|readme)$/i;
const ABILITY = /^(?:add|introduce|support|allow|enable|let|implement|rewrite|migrate|replace|switch|make|split|move)\b/i;
/** A ticket number, which means nothing to readers without access. */
const TICKET = /^[A-Za-z]{2,10}-\d+\s*[-–:]\s*/;

function changeOf(commit: CommitFacts, reading: CommitReading): CommitChange | undefined {
  const { type, scope, what: summary } = partsOf(commit.subject.replace(/^@ /, '').replace(/\s*\(#\d+\)\s*$/, ''));
  const what = startUpper(summary.replace(TICKET, '').replace(/[.\s]+$/, ''));
  if (commit.merge || HOUSEKEEPING.test(commit.subject) || HOUSEKEEPING.test(what) || PROCESS.test(what) || !THREE_WORDS.test(what) || type === 'style')
    return undefined;
  const at = epochOf(commit.at) ?? 0;
  const scopes = topicsOf('', scope.split(/[/,\s]+/), []);
  const topics = [...new Set([...scopes, ...topicsOf(what, [], commit.files)])];
  const wasBroken = isFix(type, what);
  const isUpkeep = UPKEEP_TYPE.test(type) || UPKEEP.test(what);
  const names = codeNames(what, reading.introduced);
  const reason =
    !/^tests?$/.test(type) && (wasBroken || commitDraft({ ...commit, subject: what }) !== undefined)
      ? reasonOf(what, commit.body, wasBroken, reading)
      : undefined;
  const ref = refOfCommit(commit);
  const common = { what, at, topics, ref, isFix: wasBroken, worth: (isUpkeep ? 0 : ABILITY.test(what) ? 0.5 : 0.3) - names * 0.15 };
  if (reason === undefined) return common;
  const item: Item = {
    section: wasBroken || BROKEN.test(reason.sentence) ? 'learnings' : 'decisions',
    text: `${masterLine(what, LONGEST_CHANGE)} – ${reason.sentence}`,
    ref,
    at,
    topics,
    files: commit.files.slice(0, 8),
    worth: Math.max(0, reason.worth - names * 0.2),
  };
  return { ...common, worth: 1 + reason.worth, item };
}

/** A commit that records work for later. */
const NEW_TODO = /\b(?:add|capture|log|create|note|record)\w*\b.{0,40}?\btodos?\b\s*(?:[-–—:]|for|to|on|about)\s*(.{10,})$/i;
const DONE_TODO = /\b(?:close|complete|finish|resolve|done|start work|remove)\w*\b/i;

/** Work that commits recorded and that no later commit finished. */
export function openTodos(commits: readonly CommitFacts[]): Item[] {
  return commits.flatMap((commit) => {
    const what = NEW_TODO.exec(commit.subject)?.[1];
    if (what === undefined) return [];
    const at = epochOf(commit.at) ?? 0;
    const isDone = commits.some(
      (other) => (epochOf(other.at) ?? 0) > at && isAlike(other.subject, what) && (DONE_TODO.test(other.subject) || !NEW_TODO.test(other.subject)),
    );
    return isDone ? [] : [{ section: 'questions' as const, text: masterLine(`To do: ${what}`), ref: refOfCommit(commit), at, topics: [], files: [], worth: 1 }];
  });
}

/** Names in the subjects of reverting commits, with their time. */
export const revertedNames = (commits: readonly CommitFacts[]): readonly { readonly names: readonly string[]; readonly at: number }[] =>
  commits
    .filter(({ subject }) => /\breverts?\b/i.test(subject))
    .map(({ subject, at }) => ({ names: subject.match(/\b[A-Za-z]+[A-Z]\w+\b|\b\w+[._]\w+\b/g) ?? [], at: epochOf(at) ?? 0 }));

/** Common first verbs of subjects, for projects with few commits. */
const USUAL_VERBS =
  'add allow avoid change create drop enable enhance fix handle improve keep make move prevent remove rename replace show stop store strip support update use wrap'.split(
    ' ',
  );

const startingVerbs = (commits: readonly CommitFacts[]): ReadonlySet<string> =>
  new Set([...USUAL_VERBS, ...commits.map(({ subject }) => (/^\p{L}+(?=\s)/u.exec(partsOf(subject).what)?.[0] ?? '').toLowerCase())]);

/** The commits that changed the project, newest first, each subject once. Names in `introduced` need no explanation. */
export function commitChanges(commits: readonly CommitFacts[], introduced = ''): CommitChange[] {
  const changes: CommitChange[] = [];
  const subjects = new Set<string>();
  const reading = { introduced, verbs: startingVerbs(commits) };
  for (const commit of commits) {
    const change = changeOf(commit, reading);
    if (change === undefined || subjects.has(change.what.toLowerCase())) continue;
    subjects.add(change.what.toLowerCase());
    changes.push(change);
  }
  return changes.toSorted((a, b) => b.at - a.at);
}

const SAME_CHANGE_MS = 7 * 86_400_000;

/** One commit of each change that took several: the last with a reason, or else the last. Newest first. */
export function onePerChange(changes: readonly CommitChange[]): CommitChange[] {
  const distinct: { readonly change: CommitChange; readonly words: ReadonlySet<string> }[] = [];
  for (const change of changes.toSorted((a, b) => Number(b.item !== undefined) - Number(a.item !== undefined) || b.at - a.at)) {
    const words = wordsIn(change.what);
    const isStep = distinct.some((other) => Math.abs(other.change.at - change.at) <= SAME_CHANGE_MS && isStepOf(words, other.words));
    if (!isStep) distinct.push({ change, words });
  }
  return distinct.map(({ change }) => change).toSorted((a, b) => b.at - a.at);
}

const MOST_SHOWN = 4;
/** The reference of a line made from many commits, which contains their dates. */
export const HISTORY = 'commits';

/** The changes in one part of the project as one line with the most valuable ones. */
export function historyLine(name: string, changes: readonly Item[], day: (at: number) => string): Item | undefined {
  const inTime = changes.toSorted((a, b) => b.at - a.at);
  const [newest, oldest] = [inTime[0], inTime.at(-1)];
  if (newest === undefined || oldest === undefined) return undefined;
  const best = new Set(inTime.toSorted((a, b) => (b.worth ?? 0) - (a.worth ?? 0)).slice(0, MOST_SHOWN));
  const texts = inTime.filter((change) => best.has(change)).map(({ text }) => masterLine(text, 90));
  const more = changes.length > MOST_SHOWN ? `; and ${changes.length - MOST_SHOWN} more` : '';
  const span = day(oldest.at) === day(newest.at) ? day(newest.at) : `${day(oldest.at)} to ${day(newest.at)}`;
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
  return { section: 'evolution', text: `${name} (${span}, ${count}): ${texts.join('; ')}${more}`, ref: HISTORY, at: newest.at, topics: [], files: [] };
}
