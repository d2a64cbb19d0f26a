import type { RemoteVersion, SyncStateFile } from '../../core/ports/team/sync.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { offersOf, sendOffers } from './offer.ts';
import { emptyReport, type SyncReport } from './report.ts';
import { type LocalFiles, scanFiles } from './scan.ts';
import { readState, type SyncState, writeState } from './state.ts';
import { planSteps, type SyncStep, type SyncPlace, applySteps } from './take.ts';

export interface SyncOptions {
  /** Sends the removal of files that are gone without Holdfast having removed them. */
  readonly deletesVanished?: boolean;
  /** Accepts removals of most local records. */
  readonly acceptsRemovals?: boolean;
}

/** Most rounds of one sync, so that it ends even while others keep writing. */
const ROUNDS = 10;
/** Above this number, removing more than half of the records is probably a mistake and needs the user's consent. */
const MANY_REMOVALS = 10;

/** Brings a root of a memory and a space of a server to the same versions. After any interruption, the next sync continues from there. */
export async function syncPlace(place: SyncPlace, stateFile: SyncStateFile, options: SyncOptions = {}): Promise<Result<SyncReport>> {
  const report = emptyReport();
  const state = readState(stateFile);
  const scan = (): Promise<LocalFiles> => scanFiles(place.memory, place.root, state, place.codec);
  const pulled = await pull(place, state, stateFile, report, options);
  if (!pulled.ok) return pulled;
  for (let round = 0; ; round += 1) {
    const local = await scan();
    const proposed = new Set(report.proposed.map(({ path }) => path));
    const refused = new Set(report.refused.map(({ path }) => path));
    const offers = (await offersOf(place, state, local, options.deletesVanished === true)).filter(({ path }) => !proposed.has(path) && !refused.has(path));
    if (round === 0) report.vanished.push(...(options.deletesVanished ? [] : local.vanished.values()));
    if (offers.length === 0 || round === ROUNDS) {
      report.held.push(...blockedFiles(local));
      writeState(stateFile, state);
      return ok(report);
    }
    const others = await sendOffers(place, state, stateFile, offers, report);
    if (!others.ok) return others;
    const applied = await receive(place, state, others.value, false, report, options);
    if (!applied.ok) return applied;
    writeState(stateFile, state);
  }
}

const blockedFiles = ({ files }: LocalFiles): SyncReport['held'] =>
  [...files.values()].flatMap(({ path, blockedBecause }) => (blockedBecause === undefined ? [] : [{ path, why: blockedBecause }]));

/** Plans a sync without running it. */
export async function planSync(place: SyncPlace, stateFile: SyncStateFile, options: SyncOptions = {}): Promise<Result<SyncReport>> {
  const report = emptyReport();
  const state = readState(stateFile);
  const local = await scanFiles(place.memory, place.root, state, place.codec);
  const handled = new Set<string>();
  for (let cursor = state.cursor, more = true, restarted = false; more;) {
    const page = await place.remote.changes(place.space, cursor, restarted ? undefined : state.tip);
    if (!page.ok) return page;
    restarted ||= page.value.restarted;
    ({ cursor, more } = page.value);
    const steps = await planSteps(place, state, local.files, page.value.changes, restarted);
    if (!steps.ok) return steps;
    for (const step of steps.value) noteStep(step, report, handled);
    report.restored ||= restarted;
  }
  const offers = (await offersOf(place, state, local, options.deletesVanished === true)).filter(({ version }) => !handled.has(version.id));
  for (const { version, path } of offers) (version.kind === 'text' ? report.sent : report.retracted).push(path);
  report.vanished.push(...(options.deletesVanished ? [] : local.vanished.values()));
  report.held.push(...blockedFiles(local));
  return ok(report);
}

function noteStep({ version, decision, local, received, problem }: SyncStep, report: SyncReport, handled: Set<string>): void {
  const path = received?.place.path ?? local?.path ?? '';
  if (problem !== undefined) report.refused.push({ path, why: problem });
  else if (decision.do === 'take') (version.kind === 'text' ? report.received : report.removed).push(path);
  else if (decision.do === 'merge') report.merged.push(path);
  if (decision.do !== 'keep' && decision.do !== 'agree') handled.add(version.id);
}

/** Receives the changes since the last sync, page by page. After the server was restored from a backup, receives all and offers again the versions it lost. */
async function pull(
  place: SyncPlace,
  state: SyncState,
  stateFile: SyncStateFile,
  report: SyncReport & { restored: boolean },
  options: SyncOptions,
): Promise<Result<void>> {
  let [cursor, restarted]: [string | undefined, boolean] = [state.cursor, false];
  const received = new Set<string>();
  for (let more = true; more;) {
    const page = await place.remote.changes(place.space, cursor, restarted ? undefined : state.tip);
    if (!page.ok) return page;
    if (restarted && page.value.restarted) return refuse('IO_ERROR', 'The server keeps restarting its list of changes.', { hint: 'run holdfast sync later' });
    restarted ||= page.value.restarted;
    for (const { id } of page.value.changes) received.add(id);
    const applied = await receive(place, state, page.value.changes, restarted, report, options);
    if (!applied.ok) return applied;
    if (!page.value.restarted && page.value.more && cursor === page.value.cursor)
      return refuse('IO_ERROR', 'The server keeps sending the same page of changes.', { hint: 'run holdfast sync later' });
    ({ cursor, more } = page.value);
    // After a restore the whole list is needed, so an interrupted sync starts over.
    if (!restarted) state.cursor = cursor;
    writeState(stateFile, state);
  }
  if (restarted) for (const [id, item] of state.items) if (!received.has(id)) state.items.set(id, { ...item, base: null });
  report.restored ||= restarted;
  state.cursor = cursor;
  if (restarted) state.tip = undefined;
  writeState(stateFile, state);
  return ok(undefined);
}

async function receive(
  place: SyncPlace,
  state: SyncState,
  versions: readonly RemoteVersion[],
  restarted: boolean,
  report: SyncReport,
  { acceptsRemovals = false }: SyncOptions,
): Promise<Result<void>> {
  if (versions.length === 0) return ok(undefined);
  const { files } = await scanFiles(place.memory, place.root, state, place.codec);
  const steps = await planSteps(place, state, files, versions, restarted);
  if (!steps.ok) return steps;
  const removals = steps.value.filter(({ decision, version, local }) => decision.do === 'take' && version.kind !== 'text' && local).length;
  if (!acceptsRemovals && removals > MANY_REMOVALS && removals > files.size / 2)
    return refuse('SECURITY_ERROR', `The server wants to remove ${removals} of ${files.size} records here. Nothing was removed.`, {
      hint: 'check holdfast sync --dry-run; to accept the removals, run holdfast sync --accept-removals',
    });
  await applySteps(place, state, steps.value, report);
  return ok(undefined);
}
