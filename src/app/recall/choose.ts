import type { ItemFacts } from '../../core/ports/index.ts';
import type { GateResult } from '../../recall/gate/gate.ts';
import { GATE } from '../../recall/gate/weights.ts';
import type { BlockLine } from '../../recall/inject/block.ts';
import { pointerLine, type RecallEntry, recallLine } from '../../recall/inject/entry.ts';
import type { Memory } from '../memory/memory.ts';
import { shortName } from '../read/resolve.ts';
import type { RecallContext } from './recall-context.ts';
import { isForeign, recordName, readEntry } from './entry.ts';

/** An item that may be shown to the agent. */
export interface Choice {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: string;
  readonly gateResult: GateResult;
  readonly line: BlockLine;
  /** The record, unless it is a document. */
  readonly entry?: RecallEntry;
  readonly supersedes: readonly string[];
  /** Whether it came with the repository. */
  readonly foreign?: boolean;
}

/** What a session was shown before. */
export interface ShownBefore {
  readonly session?: string;
  /** The ids, each with the time of change of the version that was shown. */
  readonly shown: ReadonlyMap<string, string>;
}

/** So many successors are followed from one record. */
const MAX_SUCCESSORS = 8;
/** So many more records are read than shown, because one may replace another. */
const EXTRA_READS = 2;

/**
 * Chooses the hits of one step of the gate that are new to the session: at most `most` records, then a few documents. A record that replaces one of them needs
 * less evidence.
 */
export async function choose(
  memory: Memory,
  recallContext: RecallContext,
  { gateResults, step }: { readonly gateResults: readonly GateResult[]; readonly step: 'show' | 'name' },
  shownBefore: ShownBefore,
  most: number,
): Promise<readonly Choice[]> {
  const passed = gateResults.filter((one) => one.step !== 'silent');
  const best = passed[0]?.strength ?? 0;
  const isChosen = (one: GateResult): boolean => one.step === step && one.strength >= best * GATE.besides;
  if (!passed.some(isChosen)) return [];
  const choices: Choice[] = [];
  for (const one of passed.filter(({ hit, strength }) => hit.kind === 'record' && strength >= best * GATE.successor)) {
    if (choices.length >= most + EXTRA_READS) break;
    const choice = await recordChoice(memory, recallContext, one, shownBefore);
    if (choice && !choices.some(({ id }) => id === choice.id)) choices.push(choice);
  }
  const records = choices
    .filter((choice) => isChosen(choice.gateResult) || choices.some((other) => isChosen(other.gateResult) && replaces(choice, other)))
    .filter((choice, _, all) => !all.some((other) => replaces(other, choice)))
    .slice(0, most);
  const pointers = passed.filter((one) => one.hit.kind === 'document' && isChosen(one)).flatMap((one) => pointerChoice(one, shownBefore) ?? []);
  return [...records, ...pointers.slice(0, Math.min(GATE.pointers, most - records.length))];
}

async function recordChoice(memory: Memory, recallContext: RecallContext, gateResult: GateResult, shownBefore: ShownBefore): Promise<Choice | undefined> {
  const { hit } = gateResult;
  const home = hit.root === 'user' ? (recallContext.user ?? memory) : memory;
  const item = successorOf(home, hit.id, hit.root);
  if (!item || item.status !== 'active' || item.trust === 'quarantined' || isShadowed(home, recallContext, item)) return undefined;
  const id = recordName(item);
  if (shownBefore.shown.get(id) === item.updatedAt || isFromSession(shownBefore, item.category === 'session_summary' ? item.id : undefined)) return undefined;
  const read = await readEntry(home, item, recallContext);
  if (!read || isFromSession(shownBefore, read.session)) return undefined;
  const isReplacementKnown = id === hit.id || read.supersedes.some((name) => name === hit.id || hit.id.endsWith(`/${name}`));
  const older = isReplacementKnown ? read.supersedes : [hit.id, ...read.supersedes];
  return {
    id,
    title: item.title,
    updatedAt: item.updatedAt,
    gateResult,
    line: recallLine({ ...read.entry, replaces: older.map((name) => shortName(home, name)) }),
    entry: read.entry,
    supersedes: older,
    foreign: isForeign(item.root),
  };
}

const replaces = (newer: Choice, { id, foreign }: Choice): boolean =>
  (foreign === true || newer.foreign !== true) && newer.supersedes.some((name) => name === id || name === id.slice(id.indexOf('/') + 1));

/** Whether a repository's record has the name of a record of the user, which is shown instead. */
function isShadowed({ index }: Memory, { user }: RecallContext, { root, category, id }: ItemFacts): boolean {
  if (!isForeign(root)) return false;
  return [index, ...(user ? [user.index] : [])].some((one) =>
    one.byId(id).some((item) => item.category === category && item.status === 'active' && !isForeign(item.root)),
  );
}

const isFromSession = ({ session }: ShownBefore, origin: string | undefined): boolean => session !== undefined && origin === session;

/** The record itself, or the last one of those that replaced it. */
function successorOf(memory: Memory, name: string, root: ItemFacts['root'] | undefined): ItemFacts | undefined {
  let item = itemNamed(memory, name, root);
  for (let left = MAX_SUCCESSORS; item?.supersededBy !== undefined && left > 0; left--) {
    const next = item.supersededBy;
    item = itemNamed(memory, next.includes('/') ? next : `${item.category}/${next}`) ?? itemNamed(memory, next);
  }
  return item?.supersededBy === undefined ? item : undefined;
}

function itemNamed(memory: Memory, name: string, root?: ItemFacts['root']): ItemFacts | undefined {
  const slash = name.indexOf('/');
  const [category, id] = slash < 0 ? [undefined, name] : [name.slice(0, slash), name.slice(slash + 1)];
  const items = memory.index.byId(id).filter((item) => item.kind === 'record' && (category === undefined || item.category === category));
  return items.find((item) => item.root === root) ?? items[0];
}

function pointerChoice(gateResult: GateResult, shownBefore: ShownBefore): Choice | undefined {
  const { id, title, text, updatedAt } = gateResult.hit;
  if (shownBefore.shown.has(id)) return undefined;
  return { id, title, updatedAt, gateResult, line: pointerLine({ id, what: 'document', at: updatedAt, passage: text }), supersedes: [] };
}
