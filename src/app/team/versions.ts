import type { ChangePage, OfferedVersion, OfferOutcome } from '../../core/ports/team/sync.ts';
import type { VersionLog } from '../../core/ports/team/version-log.ts';
import type { Sha256 } from '../sync/plain-codec.ts';

const PAGE = 200;
const ANCESTOR_LIMIT = 50;

/** Each change has a mark derived from all changes before it, so that a client detects a server that was restored from a backup. */
const nextMark = (sha256: Sha256, before: string, id: string, hash: string): string => sha256(`${before} ${id} ${hash}`).slice(0, 24);

/** Changes since a cursor; all changes if this log does not know the cursor. */
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

/** The number of the change at a cursor; undefined if this log does not contain it. */
async function knownAt(log: VersionLog, cursor: string): Promise<number | undefined> {
  const [, number, mark] = /^(\d{1,15})\.([0-9a-f]*)$/.exec(cursor) ?? [];
  if (number === undefined) return undefined;
  const seq = Number(number);
  return (seq === 0 ? '' : await log.markAt(seq)) === mark ? seq : undefined;
}

/** Stores a version if its base is the current version. Storing it twice has no effect; new versions are added to `appended`. */
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
