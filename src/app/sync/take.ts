import type { RootName } from '../../core/ports/store.ts';
import type { Remote, RemoteVersion, Space, VersionCodec } from '../../core/ports/team/sync.ts';
import { redact } from '../../core/redact/text.ts';
import type { Result } from '../../core/result.ts';
import { renderRecordFile } from '../../render/record-file.ts';
import type { Memory } from '../memory/memory.ts';
import { forgetForGood } from '../write/forget.ts';
import { freeNameBeside } from '../write/merge-conflicts.ts';
import { journalName, writing, type Author, type Writing } from '../write/transaction.ts';
import { decide, type Decision } from './decide.ts';
import { joinTexts } from './join.ts';
import { checkReceived, type ReceivedText } from './receive.ts';
import type { SyncReport } from './report.ts';
import type { LocalFile } from './scan.ts';
import { type SyncedItem, type SyncState, withKnown } from './state.ts';

/** A root of a memory and the server's space that it is synced with. */
export interface SyncPlace {
  readonly memory: Memory;
  readonly root: RootName;
  readonly space: Space;
  readonly remote: Remote;
  readonly codec: VersionCodec;
  /** The actor in the journal. */
  readonly author: Author;
}

/** A version from the server, the decision on it, and the texts that carrying it out needs. */
export interface SyncStep {
  readonly version: RemoteVersion;
  readonly decision: Decision;
  readonly local?: LocalFile | undefined;
  readonly received?: ReceivedText | undefined;
  readonly common?: string | undefined;
  readonly problem?: string;
}

/** Decides on versions and fetches the texts that merging needs; writes nothing. */
export async function planSteps(
  place: SyncPlace,
  state: SyncState,
  files: ReadonlyMap<string, LocalFile>,
  versions: readonly RemoteVersion[],
  restarted: boolean,
): Promise<Result<readonly SyncStep[]>> {
  const steps: SyncStep[] = [];
  for (const version of versions) {
    const local = files.get(version.id);
    const side = { ...(local && { hash: local.hash }), ...(local?.blockedBecause !== undefined && { isBlocked: true as const }) };
    const decision = decide(state.items.get(version.id), side, version, restarted);
    const needsText = decision.do === 'merge' || (decision.do === 'take' && version.kind === 'text');
    const received = needsText ? await checkReceived(place.memory, place.root, version, place.codec) : undefined;
    if (received && !received.ok) {
      steps.push({ version, decision, local, problem: received.error.message });
      continue;
    }
    let common: string | undefined;
    if (decision.do === 'merge' && decision.common !== undefined) {
      const body = await place.remote.body(place.space, version.id, decision.common);
      if (!body.ok) return body;
      const unpacked = body.value === undefined ? undefined : place.codec.unpack(body.value);
      common = unpacked?.ok ? unpacked.value.text : undefined;
    }
    steps.push({ version, decision, local, received: received?.value, common });
  }
  return { ok: true, value: steps };
}

/** Carries out the steps as one action and updates the state. Skips files that changed in the meantime until the next round. */
export async function applySteps(place: SyncPlace, state: SyncState, steps: readonly SyncStep[], report: SyncReport): Promise<void> {
  const { memory, root, author } = place;
  const forgotten: { readonly step: SyncStep; readonly path: string }[] = [];
  await writing(memory, author, async (write) => {
    for (const step of steps) {
      const { version, decision, local, problem } = step;
      const item = state.items.get(version.id);
      if (problem !== undefined) {
        report.refused.push({ path: local?.path ?? item?.path ?? version.id.slice(0, 12), why: problem });
        continue;
      }
      if (decision.do === 'hold') continue;
      const path = step.received?.place.path ?? local?.path ?? item?.path;
      if (decision.do === 'take' || decision.do === 'merge') {
        const current = path === undefined ? undefined : await memory.store.read({ root, path });
        if (current?.hash !== local?.md5) continue;
      }
      if (decision.do === 'take' && version.kind === 'forgotten' && local) {
        forgotten.push({ step, path: local.path });
        continue;
      }
      const text = await apply(place, write, step, item, report);
      const isVersion = text !== undefined && path !== undefined && place.codec.hashOf(path, text) === version.hash;
      noteVersion(state, step, path, item, isVersion ? memory.md5(text) : undefined);
    }
  });
  for (const { step, path } of forgotten) {
    await forgetForGood(memory, [{ root, path }], { actor: author.actor });
    report.removed.push(path);
    noteVersion(state, step, undefined, state.items.get(step.version.id), undefined);
  }
}

/** Carries out a step; returns the file's new text if it was written. */
async function apply(
  { memory, root }: SyncPlace,
  write: Writing,
  step: SyncStep,
  item: SyncedItem | undefined,
  report: SyncReport,
): Promise<string | undefined> {
  const { version, decision, local, received } = step;
  if (decision.do === 'take' && version.kind !== 'text') {
    if (!local) return undefined;
    await write.apply({ root, path: local.path, op: 'purge', id: local.path.replace(/\.\w+$/, '') });
    report.removed.push(local.path);
    return undefined;
  }
  if (!received) return undefined;
  const { place, record } = received;
  const entryName = record ? journalName(record) : { id: place.path.replace(/\.md$/, '') };
  if (decision.do === 'take') {
    await write.apply({ ...place, text: received.text, op: local ? 'update' : 'create', ...entryName });
    (item && !local ? report.returned : report.received).push(place.path);
    return received.text;
  }
  if (decision.do !== 'merge' || !local) return undefined;
  const ours = local.text ?? (await memory.store.read(place))?.text ?? '';
  const joined = joinTexts(place, { ours, theirs: received.text, base: step.common });
  if (joined.second) {
    const beside = await freeNameBeside(memory, place, joined.second, record?.id);
    await write.apply({
      root,
      path: beside.path,
      text: redact(renderRecordFile(beside.path, beside.record)).text,
      op: 'create',
      ...journalName(beside.record),
    });
  }
  await write.apply({ ...place, text: joined.text, op: 'update', ...entryName });
  if (joined.conflicts.length > 0) report.conflicts.push({ path: place.path, fields: joined.conflicts });
  else report.merged.push(place.path);
  return joined.text;
}

/** Records the server's version in the state. */
function noteVersion(
  state: SyncState,
  { version, decision, local }: SyncStep,
  path: string | undefined,
  item: SyncedItem | undefined,
  md5: string | undefined,
): void {
  const { id, hash, kind, ancestors } = version;
  const known = withKnown(item?.known ?? [], ...ancestors.toReversed(), hash);
  if (item && decision.do === 'agree' && !local && kind === 'text') {
    // Removed here: keep the path, so that the removal can be sent next.
    const { offered: _arrived, ...rest } = item;
    state.items.set(id, { ...rest, base: hash, known });
    return;
  }
  const isHere = decision.do === 'agree' ? local !== undefined : decision.do !== 'take' || kind === 'text';
  const isAgreed = decision.do === 'agree' && local?.hash === hash;
  const removed = isHere || kind === 'text' ? undefined : { kind, hash };
  state.items.set(id, {
    ...(isHere && path !== undefined && { path }),
    base: hash,
    known,
    ...(isAgreed && local ? { md5: local.md5 } : md5 === undefined ? {} : { md5 }),
    ...(isHere && (decision.do === 'agree' ? local?.journaled : true) && { journaled: true as const }),
    ...(removed && { removed }),
  });
}
