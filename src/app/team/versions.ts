import type { ChangePage, OfferedVersion, OfferOutcome } from '../../core/ports/team/sync.ts';
import type { VersionLog } from '../../core/ports/team/version-log.ts';
import type { Sha256 } from '../sync/plain-codec.ts';

const PAGE = 200;
const ANCESTOR_LIMIT = 50;

/** Each change carries a mark made of all before it: a server that was restored has other marks, or none, where a client remembers one. */
const nextMark = (sha256: Sha256, before: string, id: string, hash: string): string => sha256(`${before} ${id} ${hash}`).slice(0, 24);

/** Changes since a cursor; from the first on where the cursor is of a past that this log no longer has. */
export async function changesSince(log: VersionLog, cursor: string | undefined, tip: string | undefined, limit = PAGE): Promise<ChangePage> {
  const since = cursor === undefined ? 0 : await knownAt(log, cursor);
  const isKnown = since !== undefined && (tip === undefined || (await knownAt(log, tip)) !== undefined);
  const heads = await log.headsAfter(isKnown ? (since ?? 0) : 0, limit + 1);
  const changes = heads.slice(0, limit);
  const more = heads.length > limit;
  const last = changes.at(-1)?.seq ?? 0;
  return {
    changes: changes.map(({ seq: _seq, ...version }) => version),
    cursor: more ? cursorOf({ seq: last, mark: (await log.markAt(last)) ?? '' }) : await tipCursor(log),
    more,
    restarted: !isKnown,
  };
}

const cursorOf = ({ seq, mark }: { readonly seq: number; readonly mark: string }): string => `${seq}.${mark}`;

export const tipCursor = async (log: VersionLog): Promise<string> => cursorOf(await log.tip());

/** The number of the change that a cursor names; undefined if this log has another past. */
async function knownAt(log: VersionLog, cursor: string): Promise<number | undefined> {
  const [, number, mark] = /^(\d{1,15})\.([0-9a-f]*)$/.exec(cursor) ?? [];
  if (number === undefined) return undefined;
  const seq = Number(number);
  return (seq === 0 ? '' : await log.markAt(seq)) === mark ? seq : undefined;
}

/** Takes a version if the server still has what it was made from. Taking it twice is the same as once; `appended` gets what was new. */
export async function takeVersion(
  log: VersionLog,
  sha256: Sha256,
  offered: OfferedVersion,
  author: string,
  appended: OfferedVersion[] = [],
): Promise<OfferOutcome> {
  const { id, hash, base, kind } = offered;
  const head = await log.head(id);
  if (head?.hash === hash) return { id, state: 'accepted' };
  if ((head?.hash ?? null) !== base) {
    if (await log.has(id, hash, base)) return { id, state: 'accepted' };
    return { id, state: 'conflict', ...(head && { current: head }) };
  }
  const ancestors = [...new Set([...(head ? [head.hash, ...head.ancestors] : []), ...offered.ancestors])]
    .filter((one) => one !== hash)
    .slice(0, ANCESTOR_LIMIT);
  const { mark } = await log.tip();
  await log.append({ ...offered, ancestors, author }, nextMark(sha256, mark, id, hash));
  appended.push(offered);
  if (kind === 'forgotten') await log.eraseTexts(id);
  return { id, state: 'accepted' };
}
