import fs from 'node:fs';
import path from 'node:path';
import { realPath } from '../../../src/adapters/files/containment.ts';
import { configWarnings } from '../../../src/app/config/show.ts';
import { checkWritten } from '../../../src/app/guard/after-write.ts';
import { guardWrite } from '../../../src/app/guard/guard.ts';
import { refresh } from '../../../src/app/index/refresh.ts';
import { rebuild } from '../../../src/app/read/rebuild.ts';
import { candidateFor } from '../../../src/app/write/target.ts';
import { createRecord } from '../../../src/app/write/create.ts';
import { collectGarbage } from '../../../src/app/write/gc.ts';
import { moveRecord, type StatusAction } from '../../../src/app/write/status.ts';
import { updateRecord } from '../../../src/app/write/update.ts';
import { runWindow } from '../../../src/app/write/window.ts';
import type { Written } from '../../../src/app/write/written.ts';
import { resolveCud, type Action, type Structural } from '../../../src/core/lifecycle/candidate.ts';
import type { FileRef } from '../../../src/core/ports/store.ts';
import { slugify } from '../../../src/core/project/slug.ts';
import { categoryFrom, categoryOfFolder, type Category } from '../../../src/core/record/category.ts';
import { parseDraft, type Draft } from '../../../src/core/record/draft.ts';
import { draftPath } from '../../../src/app/drafting/host.ts';
import { ok, refuse, type Refusal, type Result } from '../../../src/core/result.ts';
import { md5 } from '../../../src/adapters/process/environment.ts';
import type { Bench } from './bench.ts';
import { fillIn, type Step } from './case.ts';

const ROOT = 'shared';

/** Works one step of a case through the real use cases and says what came of it. */
export async function work(bench: Bench, raw: Step, names: Map<string, string>): Promise<object> {
  const step = fillIn(raw, bench.places) as Step;
  const operation = OPERATIONS[step.op];
  return operation ? operation(bench, step, names, raw) : { ok: false, error: 'USAGE_ERROR' };
}

type Operation = (bench: Bench, step: Step, names: Map<string, string>, raw: Step) => Promise<object>;

const failed = ({ code, fields, rule, message }: Refusal): object => ({
  ok: false,
  error: code,
  message,
  ...(fields && { error_fields: fields }),
  ...(rule && { error_rule: rule }),
});

/** The category that a step names, or else the folder of its target does; never a guess. */
function categoryOf(step: Step): Result<Category> {
  const [word, folder] = [text(step['category']), text(step['target'])?.split('/')[0]];
  const category = word === undefined ? categoryOfFolder(folder ?? '') : categoryFrom(word);
  return category === undefined ? refuse('VALIDATION_ERROR', `Unknown category ${JSON.stringify(word ?? folder)}.`, { fields: ['category'] }) : ok(category);
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function draftOf(bench: Bench, step: Step): Result<Draft> {
  const file = text(step['input_path']) ?? bench.places.INPUT;
  const allowed = draftPath(file, bench.staging);
  if (!allowed.ok) return allowed;
  if (step['input_path'] === undefined) fs.writeFileSync(file, typeof step['input'] === 'string' ? step['input'] : JSON.stringify(step['input']));
  if (!fs.existsSync(file)) return refuse('INPUT_ERROR', `${file} does not exist`);
  return parseDraft(fs.readFileSync(file, 'utf8'));
}

/** The target as the case wrote it, so that placeholders come back as placeholders. */
const said = (written: Written, raw: Step): object => ({
  ok: true,
  error: null,
  status: written.status,
  target: written.renamedFrom === undefined ? raw['target'] : written.place.path,
  id: written.record.id,
  title: written.record.title,
  times_updated: written.record.times_updated,
  ...(written.reason !== undefined && { reason: written.reason }),
  ...(written.renamedFrom !== undefined && { renamed_from: written.renamedFrom }),
});

const create: Operation = async (bench, step, _names, raw) => {
  const draft = draftOf(bench, step);
  if (!draft.ok) return failed(draft.error);
  const target = text(step['target']);
  const category = categoryOf(step);
  if (!category.ok) return failed(category.error);
  const written = await createRecord(bench.memory, {
    category: category.value,
    draft: draft.value,
    root: ROOT,
    actor: 'conformance',
    ...(target !== undefined && { target }),
  });
  return written.ok ? said(written.value, raw) : failed(written.error);
};

const update: Operation = async (bench, step, names, raw) => {
  const named = step['category'] === undefined ? undefined : categoryOf(step);
  if (named?.ok === false) return failed(named.error);
  const place = await bench.memory.store.locate(ROOT, String(step['target']));
  if (!place.ok) return failed(place.error);
  const draft = draftOf(bench, step);
  if (!draft.ok) return failed(draft.error);
  const hash = hashOf(bench, place.value, text(step['hash']), names);
  const written = await updateRecord(bench.memory, { place: place.value, draft: draft.value, actor: 'conformance', ...(hash !== undefined && { hash }) });
  return written.ok ? said(written.value, raw) : failed(written.error);
};

const currentHash = (bench: Bench, place: FileRef): string => {
  const file = bench.memory.store.absolute(place);
  return fs.existsSync(file) ? md5(fs.readFileSync(file)) : '';
};

const hashOf = (bench: Bench, place: FileRef, word: string | undefined, names: ReadonlyMap<string, string>): string | undefined =>
  word === 'current' ? currentHash(bench, place) : word === undefined ? undefined : (names.get(word) ?? word);

const move =
  (action: StatusAction): Operation =>
  async (bench, step, _names, raw) => {
    const named = step['category'] === undefined ? undefined : categoryOf(step);
    if (named?.ok === false) return failed(named.error);
    const place = await bench.memory.store.locate(ROOT, String(step['target']));
    if (!place.ok) return failed(place.error);
    const reason = text(step['reason']);
    const moved = await moveRecord(bench.memory, action, place.value, { actor: 'conformance', ...(reason !== undefined && { reason }) });
    return moved.ok ? said(moved.value, raw) : failed(moved.error);
  };

const MAX_RETAINED = 'categories.session_summary.max_retained';

const enforce: Operation = async (bench, step) => {
  const number = (key: string): number | undefined => (typeof step[key] === 'number' ? step[key] : undefined);
  const [maxRetained, maxRetire, dryRun] = [number('max_retained'), number('max_retire'), step['dry_run'] === true];
  const options = { ...(maxRetained !== undefined && { maxRetained }), ...(maxRetire !== undefined && { maxRetire }), dryRun };
  const report = await runWindow(bench.memory, ROOT, { actor: 'conformance' }, options);
  if (!report.ok) return failed(report.error);
  return {
    ok: true,
    retired: report.value.retired,
    active_count: report.value.active,
    max_retained: report.value.maxRetained,
    ...(dryRun && { dry_run: true }),
    guard_warnings: report.value.warnings.length,
    config_warning: maxRetained === undefined && configWarnings(bench.memory).some(({ key }) => key === MAX_RETAINED),
    skipped_corrupt: report.value.unreadable.length,
  };
};

const gc: Operation = async (bench, step) => {
  const { deleted, skipped, archived, graceDays } = await collectGarbage(bench.memory, { actor: 'conformance' }, { dryRun: step['dry_run'] === true });
  return { ok: true, deleted, skipped, archived, grace_period_days: graceDays };
};

const candidate: Operation = async (bench, step) => {
  const category = categoryOf(step);
  if (!category.ok) return failed(category.error);
  const answer = await candidateFor(bench.memory, category.value, text(step['new_info']) ?? '', text(step['lifecycle_event']));
  return answer.ok ? { ok: true, ...answer.value } : failed(answer.error);
};

const cud: Operation = async (_bench, step) => ({
  ok: true,
  action: resolveCud({
    structural: String(step['l1']).toUpperCase() as Structural,
    requested: String(step['l2']).toUpperCase() as Action,
    preAction: (step['pre_action'] as 'CREATE' | 'NOOP' | null | undefined) ?? null,
    vetoes: (step['vetoes'] as readonly string[] | undefined) ?? [],
  }),
});

const guardBefore: Operation = async (bench, step) => {
  const staged = text(step['staging']);
  const file = staged === undefined ? (text(step['file_path']) ?? '') : path.join(bench.staging, staged);
  return guardWrite(file === '' ? '' : realPath(file), { roots: [realPath(bench.root)], staging: realPath(bench.staging) });
};

const guardAfter: Operation = async (bench, step) => {
  const place = await bench.memory.store.locate(ROOT, String(step['file_path']));
  if (!place.ok) return { permission: 'none' };
  const verdict = await checkWritten(bench.memory, place.value);
  if (verdict.setAside !== undefined) fs.renameSync(bench.memory.store.absolute(place.value), path.join(bench.root, verdict.setAside));
  return verdict;
};

const rebuildAll: Operation = async (bench) => {
  const { records, unreadable } = await rebuild(bench.memory, 'conformance');
  return {
    ok: true,
    entries: bench.memory.index.count({ kind: 'record', status: 'active' }),
    records,
    unreadable: unreadable.map((file) => path.basename(file.path)),
  };
};

const validateIndex: Operation = async (bench) => {
  await refresh(bench.memory);
  const active = new Set(bench.memory.index.items({ kind: 'record', status: 'active' }).map((item) => item.path));
  const listed = new Set(bench.final().index.map((entry) => (entry as { path: string }).path));
  const missing = [...active].filter((file) => !listed.has(file));
  const stale = [...listed].filter((file) => !active.has(file));
  return { ok: missing.length + stale.length === 0, missing_from_index: missing.toSorted(), stale_in_index: stale.toSorted() };
};

const OPERATIONS: Readonly<Record<string, Operation>> = {
  create,
  update,
  retire: move('retire'),
  delete: move('retire'),
  restore: move('restore'),
  archive: move('archive'),
  unarchive: move('unarchive'),
  enforce,
  gc,
  candidate,
  resolve_cud: cud,
  slugify: async (_bench, step) => ({ ok: true, slug: slugify(text(step['text']) ?? '') }),
  guard_write: guardBefore,
  post_write: guardAfter,
  rebuild: rebuildAll,
  validate_index: validateIndex,
  capture_hash: async (bench, step, names) => {
    const place = await bench.memory.store.locate(ROOT, String(step['target']));
    if (!place.ok) return failed(place.error);
    names.set(String(step['as']), currentHash(bench, place.value));
    return ok({});
  },
};
