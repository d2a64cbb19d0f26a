import {
  type ActionResult,
  changeSetting,
  editConflict,
  saveVerdict,
  mergeInboxRecords,
  moveNamed,
  reviewRecords,
  saveEdit,
  settleConflict,
  undoAction,
  type UndoStep,
} from '../../app/page/acts.ts';
import { VERDICTS } from '../../core/ports/injection-log.ts';
import { refuse, type Refusal, type Result } from '../../core/result.ts';
import { isObject } from '../../core/value.ts';
import type { Acts, EditConflict } from './contract.ts';
import type { ReadContext } from './reads.ts';
import { type PageMemory, USER } from './page-memories.ts';

type Body = Readonly<Record<string, unknown>>;
type ActRefusal = Refusal & { readonly conflict?: EditConflict };
type Act = (place: PageMemory, body: Body, actor: string) => Promise<Result<ActionResult, ActRefusal>>;

const MOVES = ['retire', 'restore', 'archive', 'unarchive', 'confirm'] as const;
const MOST_IDS = 1_000;

const invalid = (field: string): Result<never> => refuse('USAGE_ERROR', `The page sent no valid "${field}".`, { hint: 'load the page again' });
const textIn = (body: Body, name: string): string | undefined => (typeof body[name] === 'string' ? body[name] : undefined);
const oneOf = <T extends string>(value: unknown, words: readonly T[]): T | undefined => words.find((word) => word === value);

function idsIn({ ids }: Body): readonly string[] | undefined {
  return Array.isArray(ids) && ids.length > 0 && ids.length <= MOST_IDS && ids.every((id) => typeof id === 'string') ? ids : undefined;
}

function undoIn({ step }: Body): UndoStep | undefined {
  if (!isObject(step)) return undefined;
  const [key, id, at, group] = ['key', 'id', 'at', 'group'].map((name) => textIn(step, name));
  const [level, verdict, value] = [oneOf(step['level'], ['user', 'project']), oneOf(step['verdict'], VERDICTS), textIn(step, 'value')];
  if (step['kind'] === 'action' && group !== undefined) return { kind: 'action', group };
  if (step['kind'] === 'feedback' && id !== undefined && at !== undefined && verdict) return { kind: 'feedback', id, at, verdict };
  return step['kind'] === 'setting' && key !== undefined && level ? { kind: 'setting', key, level, ...(value !== undefined && { value }) } : undefined;
}

const review =
  (decision: 'accept' | 'reject'): Act =>
  async ({ memory }, body, actor) => {
    const ids = idsIn(body);
    return ids ? reviewRecords(memory, decision, ids, actor) : invalid('ids');
  };

/** The changes that the page can make: one use case each. */
const ACTS: { readonly [K in keyof Acts]: Act } = {
  accept: review('accept'),
  reject: review('reject'),
  merge: async ({ memory }, body, actor) => {
    const ids = idsIn(body);
    return ids ? mergeInboxRecords(memory, ids, actor) : invalid('ids');
  },
  edit: async ({ memory }, body, actor) => {
    const [id, text, hash] = [textIn(body, 'id'), textIn(body, 'text'), textIn(body, 'hash')];
    if (id === undefined || text === undefined || hash === undefined) return invalid('text');
    const saved = await saveEdit(memory, { id, text, hash }, actor);
    if (saved.ok || saved.error.code !== 'OCC_CONFLICT') return saved;
    const conflict = await editConflict(memory, { id, text, hash });
    return { ok: false, error: { ...saved.error, ...(conflict && { conflict }) } };
  },
  move: async ({ memory }, body, actor) => {
    const [id, to] = [textIn(body, 'id'), oneOf(body['to'], MOVES)];
    return id !== undefined && to ? moveNamed(memory, to, id, actor) : invalid('to');
  },
  settle: async ({ memory }, body, actor) => {
    const [path, prefer] = [textIn(body, 'path'), oneOf(body['prefer'], ['ours', 'theirs'])];
    return path !== undefined && prefer ? settleConflict(memory, path, prefer, actor) : invalid('prefer');
  },
  feedback: async ({ memory, log }, body) => {
    const [id, verdict, session] = [textIn(body, 'id'), oneOf(body['verdict'], VERDICTS), textIn(body, 'session')];
    if (id === undefined || !verdict || !log) return invalid('verdict');
    return saveVerdict(memory, log, { id, verdict, ...(session !== undefined && { session }) });
  },
  setting: async ({ access, key: project }, body) => {
    const [key, level, value] = [textIn(body, 'key'), oneOf(body['level'], ['user', 'project']), textIn(body, 'value')];
    if (key === undefined || !level || (project === USER && level === 'project')) return invalid('level');
    return changeSetting(await access.settings(), { key, level, ...(value !== undefined && { value }) });
  },
  undo: async ({ memory, log, access }, body, actor) => {
    const step = undoIn(body);
    return step ? undoAction({ memory, log, settings: () => access.settings() }, step, actor) : invalid('step');
  },
};

/** Carries out one act. The caller runs acts one after the other, so that each sees the result of the one before. */
export async function actOn({ places, host }: ReadContext, name: string, body: unknown): Promise<Result<ActionResult, ActRefusal>> {
  if (!Object.hasOwn(ACTS, name)) return refuse('NOT_FOUND', 'The page asked for a change that this version does not know.', { missing: true });
  if (!isObject(body)) return invalid('body');
  const place = await places.at(textIn(body, 'project'));
  return place.ok ? ACTS[name as keyof Acts](place.value, body, host.actor) : place;
}
