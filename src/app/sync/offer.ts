import type { OfferedVersion, OfferOutcome, RemoteVersion, SyncStateFile, VersionKind } from '../../core/ports/team/sync.ts';
import { ok, type Result } from '../../core/result.ts';
import type { SyncReport } from './report.ts';
import type { LocalFiles } from './scan.ts';
import { type SyncState, withKnown, writeState } from './state.ts';
import type { SyncPlace } from './take.ts';

/** A file, or its removal, that is offered to the server. */
export interface Offer {
  readonly version: OfferedVersion;
  readonly path: string;
  readonly md5?: string;
  readonly journaled?: boolean;
}

const BATCH_COUNT = 100;
const BATCH_CHARACTERS = 1_000_000;

/** All files and removals that the server lacks or has in another version. */
export async function offersOf({ memory, root, codec }: SyncPlace, state: SyncState, local: LocalFiles, deletesVanished: boolean): Promise<readonly Offer[]> {
  const offers: Offer[] = [];
  for (const [id, { path, md5, hash, text, blockedBecause, journaled }] of local.files) {
    const item = state.items.get(id);
    if (blockedBecause !== undefined || item?.base === hash) continue;
    const body = text ?? (await memory.store.read({ root, path }))?.text;
    if (body === undefined || codec.hashOf(path, body) !== hash) continue;
    const ancestors = (item?.known ?? []).filter((known) => known !== hash).toReversed();
    offers.push({ path, md5, journaled, version: { id, hash, kind: 'text', base: item?.base ?? null, body: codec.pack(path, body), ancestors } });
  }
  const removals = new Map<string, VersionKind>([
    ...local.removed,
    ...(deletesVanished ? [...local.vanished.keys()].map((id) => [id, 'deleted'] as const) : []),
  ]);
  for (const [id, item] of state.items) {
    const kind = item.removed?.kind ?? removals.get(id);
    if (kind === undefined || local.files.has(id)) continue;
    const last = item.known.findLast((hash) => hash !== item.removed?.hash) ?? null;
    const hash = item.removed?.hash ?? codec.removalOf(id, kind, last);
    if (item.base === hash) continue;
    const ancestors = item.known.filter((known) => known !== hash).toReversed();
    offers.push({ path: item.path ?? '', version: { id, hash, kind, base: item.base, ancestors } });
  }
  return offers;
}

function* batches(offers: readonly Offer[]): Generator<readonly Offer[]> {
  let [batch, characters]: [Offer[], number] = [[], 0];
  for (const offer of offers) {
    const weight = offer.version.body?.length ?? 0;
    if (batch.length > 0 && (batch.length >= BATCH_COUNT || characters + weight > BATCH_CHARACTERS)) {
      yield batch;
      [batch, characters] = [[], 0];
    }
    batch.push(offer);
    characters += weight;
  }
  if (batch.length > 0) yield batch;
}

/** Sends offers in batches. Records each batch first, to recognise one that was interrupted. Returns the conflicting versions on the server. */
export async function sendOffers(
  { remote, space }: SyncPlace,
  state: SyncState,
  stateFile: SyncStateFile,
  offers: readonly Offer[],
  report: SyncReport,
): Promise<Result<readonly RemoteVersion[]>> {
  const others: RemoteVersion[] = [];
  for (const batch of batches(offers)) {
    for (const { version, path, journaled } of batch) {
      const item = state.items.get(version.id) ?? { base: null, known: [] };
      state.items.set(version.id, { ...item, ...(path !== '' && { path }), ...(journaled && { journaled: true as const }), offered: version.hash });
    }
    writeState(stateFile, state);
    const answered = await remote.offer(
      space,
      batch.map(({ version }) => version),
    );
    if (!answered.ok) return answered;
    const byId = new Map(answered.value.outcomes.map((outcome) => [outcome.id, outcome]));
    for (const offer of batch) {
      const outcome = byId.get(offer.version.id);
      if (outcome) noteOutcome(state, offer, outcome, report, others);
    }
    state.tip = answered.value.tip;
    writeState(stateFile, state);
  }
  return ok(others);
}

function noteOutcome(state: SyncState, { version, path, md5, journaled }: Offer, outcome: OfferOutcome, report: SyncReport, others: RemoteVersion[]): void {
  const { offered: _sent, removed, md5: _md5, path: oldPath, ...item } = state.items.get(version.id) ?? { base: null, known: [] };
  const { id, hash, kind } = version;
  const isText = kind === 'text';
  const name = path === '' ? id.slice(0, 12) : path;
  switch (outcome.state) {
    case 'accepted':
      state.items.set(id, {
        ...item,
        ...(isText ? { path, ...(md5 !== undefined && { md5 }), ...(journaled && { journaled: true as const }) } : { removed: { kind, hash } }),
        base: hash,
        known: withKnown(item.known, hash),
      });
      (isText ? report.sent : report.retracted).push(name);
      return;
    case 'conflict':
      // Keep the old state: the server's version is handled next.
      state.items.set(id, {
        ...item,
        ...(oldPath !== undefined && { path: oldPath }),
        ...(removed && { removed }),
        ...(outcome.current ? {} : { base: null }),
      });
      if (outcome.current) others.push(outcome.current);
      return;
    case 'proposed':
      report.proposed.push({ path: name, proposal: outcome.proposal });
      return;
    case 'refused':
      report.refused.push({ path: name, why: outcome.message });
  }
}
