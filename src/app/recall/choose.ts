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

/** The items that a session has already. */
export interface Known {
  readonly session?: string;
  /** Ids with the time of change of what was shown. */
  readonly shown: ReadonlyMap<string, string>;
}

/** The links of a chain of successors that are followed. */
const LONGEST_CHAIN = 8;
/** Records that are read beyond those shown, since one may say that it replaces another. */
const MORE_READ = 2;

/**
 * Of the hits of one step of the gate, those that are news to the session: at most so many records, then a few documents. What takes the place of one of them
 * comes with less evidence.
 */
export async function choose(
  memory: Memory,
  recallContext: RecallContext,
  { gateResults, step }: { readonly gateResults: readonly GateResult[]; readonly step: 'show' | 'name' },
  known: Known,
  most: number,
): Promise<readonly Choice[]> {
  const passing = gateResults.filter((one) => one.step !== 'silent');
  const best = passing[0]?.strength ?? 0;
  const isWorth = (one: GateResult): boolean => one.step === step && one.strength >= best * GATE.besides;
  if (!passing.some(isWorth)) return [];
  const chosen: Choice[] = [];
  for (const one of passing.filter(({ hit, strength }) => hit.kind === 'record' && strength >= best * GATE.successor)) {
    if (chosen.length >= most + MORE_READ) break;
    const choice = await recordChoice(memory, recallContext, one, known);
    if (choice && !chosen.some(({ id }) => id === choice.id)) chosen.push(choice);
  }
  const records = chosen
    .filter((choice) => isWorth(choice.gateResult) || chosen.some((other) => isWorth(other.gateResult) && replaces(choice, other)))
    .filter((choice, _, all) => !all.some((other) => replaces(other, choice)))
    .slice(0, most);
  const pointers = passing.filter((one) => one.hit.kind === 'document' && isWorth(one)).flatMap((one) => pointerChoice(one, known) ?? []);
  return [...records, ...pointers.slice(0, Math.min(GATE.pointers, most - records.length))];
}

async function recordChoice(memory: Memory, recallContext: RecallContext, gateResult: GateResult, known: Known): Promise<Choice | undefined> {
  const { hit } = gateResult;
  const home = hit.root === 'user' ? (recallContext.user ?? memory) : memory;
  const item = successorOf(home, hit.id, hit.root);
  if (!item || item.status !== 'active' || item.trust === 'quarantined' || isNamesake(home, recallContext, item)) return undefined;
  const id = recordName(item);
  if (known.shown.get(id) === item.updatedAt || isOwn(known, item.category === 'session_summary' ? item.id : undefined)) return undefined;
  const read = await readEntry(home, item, recallContext);
  if (!read || isOwn(known, read.session)) return undefined;
  const isNamed = id === hit.id || read.supersedes.some((name) => name === hit.id || hit.id.endsWith(`/${name}`));
  const older = isNamed ? read.supersedes : [hit.id, ...read.supersedes];
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

/** Whether the user has a record of this name: then that one is shown, and not what a repository calls so. */
function isNamesake({ index }: Memory, { user }: RecallContext, { root, category, id }: ItemFacts): boolean {
  if (!isForeign(root)) return false;
  return [index, ...(user ? [user.index] : [])].some((one) =>
    one.byId(id).some((item) => item.category === category && item.status === 'active' && !isForeign(item.root)),
  );
}

const isOwn = ({ session }: Known, origin: string | undefined): boolean => session !== undefined && origin === session;

/** The current record for this one: itself, or the last of those that replaced it. */
function successorOf(memory: Memory, name: string, root: ItemFacts['root'] | undefined): ItemFacts | undefined {
  let item = itemNamed(memory, name, root);
  for (let left = LONGEST_CHAIN; item?.supersededBy !== undefined && left > 0; left--) {
    const next = item.supersededBy;
    item = itemNamed(memory, next.includes('/') ? next : `${item.category}/${next}`) ?? itemNamed(memory, next);
  }
  return item?.supersededBy === undefined ? item : undefined;
}

function itemNamed(memory: Memory, name: string, root?: ItemFacts['root']): ItemFacts | undefined {
  const slash = name.indexOf('/');
  const [category, id] = slash < 0 ? [undefined, name] : [name.slice(0, slash), name.slice(slash + 1)];
  const found = memory.index.byId(id).filter((item) => item.kind === 'record' && (category === undefined || item.category === category));
  return found.find((item) => item.root === root) ?? found[0];
}

function pointerChoice(gateResult: GateResult, known: Known): Choice | undefined {
  const { id, title, text, updatedAt } = gateResult.hit;
  if (known.shown.has(id)) return undefined;
  return { id, title, updatedAt, gateResult, line: pointerLine({ id, what: 'document', at: updatedAt, passage: text }), supersedes: [] };
}
