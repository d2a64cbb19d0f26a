import type { RemoteVersion } from '../../core/ports/team/sync.ts';
import type { SyncedItem } from './state.ts';

/** The decision about a version from the server. */
export type Decision =
  /** Both sides have it, or this machine has a later version. */
  | { readonly do: 'agree' }
  /** Replaces the local file, or removes it. */
  | { readonly do: 'take' }
  /** The local file stays and is sent: a local change wins over a remote removal. */
  | { readonly do: 'keep' }
  /** Both changed; `common` is the version that both know, if there is one. */
  | { readonly do: 'merge'; readonly common?: string }
  /** Waits for the user. */
  | { readonly do: 'hold' };

/** The local side of a record: the hash of its file, if there is one. */
export interface LocalSide {
  readonly hash?: string;
  readonly isBlocked?: true;
}

/** The newest ancestor of the remote version that this machine knows. */
const commonOf = (item: SyncedItem | undefined, { ancestors }: RemoteVersion): string | undefined => {
  const known = new Set([...(item?.known ?? []), item?.base, item?.offered]);
  return ancestors.find((hash) => known.has(hash));
};

/** Decides by versions, never by clocks. `restarted`: the server may have lost versions that this machine knows. */
export function decide(item: SyncedItem | undefined, local: LocalSide, remote: RemoteVersion, restarted: boolean): Decision {
  const isRemoval = remote.kind !== 'text';
  if (local.isBlocked) return { do: 'hold' };
  if (local.hash === undefined ? isRemoval : local.hash === remote.hash) return { do: 'agree' };
  if (item?.base === remote.hash || item?.offered === remote.hash) return { do: 'agree' };
  const merge = (): Decision => {
    if (local.hash === undefined) return { do: 'take' };
    const common = commonOf(item, remote);
    return isRemoval ? { do: 'keep' } : { do: 'merge', ...(common !== undefined && { common }) };
  };
  if (item === undefined) return merge();
  const newest = item.known.at(-1);
  const isNewer = !restarted || (newest !== undefined && remote.ancestors.includes(newest));
  if (!isNewer) return item.known.includes(remote.hash) ? { do: 'agree' } : merge();
  const isUnchanged = local.hash === item.base || (local.hash !== undefined && local.hash === item.offered && remote.ancestors.includes(item.offered));
  return isUnchanged ? { do: 'take' } : merge();
}
