import { ok, refuse, type Result } from '../result.ts';
import { isReservedName, isSlug, SLUG_LIMIT, slugify, uniqueSlug } from './slug.ts';
import { epochOf, utcSeconds } from '../instant.ts';
import type { Category } from '../record/category.ts';

const SAFE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Checks a session id, because it becomes a file name. */
export function safeSessionId(id: string): Result<string> {
  if (SAFE.test(id) && !id.includes('..') && !id.endsWith('.') && !isReservedName(id)) return ok(id);
  return refuse('VALIDATION_ERROR', `the session id ${JSON.stringify(id.slice(0, 60))} cannot be a file name`, {
    hint: 'a session id is 1 to 128 letters, digits, dots, hyphens and underscores, and starts with a letter or digit',
    fields: ['session_id'],
  });
}

const DECISION = /^(\d{4}-\d{2}-\d{2})_(\d{3,15})_(.+)$/;

/** A decision's file name in its parts: day, number of the day, id. */
function decisionParts(stem: string): { readonly day: string; readonly number: number; readonly id: string } | undefined {
  const [, day, number, id] = DECISION.exec(stem) ?? [];
  return day === undefined || id === undefined ? undefined : { day, number: Number(number), id };
}

/** The file names, without extension, in a folder. */
export class Stems {
  readonly #folded = new Set<string>();
  readonly #numbers = new Map<string, number>();

  constructor(stems: Iterable<string> = []) {
    for (const stem of stems) this.add(stem);
  }

  add(stem: string): void {
    this.#folded.add(stem.toLowerCase());
    const decision = decisionParts(stem);
    if (decision) this.#numbers.set(decision.day, Math.max(this.highestOf(decision.day), decision.number));
  }

  /** Ignores letter case, as some file systems do. */
  has(stem: string): boolean {
    return this.#folded.has(stem.toLowerCase());
  }

  /** The highest number among the decisions of a day. */
  highestOf(day: string): number {
    return this.#numbers.get(day) ?? 0;
  }
}

/** The parts of a record's file name. */
export interface Named {
  readonly id: string;
  readonly createdAt: string;
  /** The file or component an analysis is about. */
  readonly path?: string;
  /** The session a summary is about. */
  readonly sessionId?: string;
}

const REPORT = /^\d{4}-\d{2}-\d{2}_\d{6}_(.+)$/;

/** A device name gets an underscore, which no id contains, so that the id can be read back. */
const portable = (stem: string): string => (isReservedName(stem) ? stem.replace(/^[^.]+/, '$&_') : stem);

/** The path of an analysed component as a name: slashes become underscores, letter case stays, the extension goes. */
export function analysisStem(path: string): string {
  const parts = path
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..');
  const last = parts.pop() ?? '';
  parts.push(last.replace(/(?<=.)\.[A-Za-z][A-Za-z0-9]{0,9}$/, ''));
  const ascii = parts
    .join('_')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.');
  const edge = /^[._-]+|[._-]+$/g;
  const whole = ascii.replace(edge, '');
  const shortened = whole.length <= SLUG_LIMIT ? whole : whole.slice(-SLUG_LIMIT).replace(/^[^_]{0,40}_(?=.{20})/, '');
  return shortened.replace(edge, '');
}

/** The name of a session's one summary. */
function sessionStem(sessionId: string, usedStems: Stems): Result<string> {
  const safe = safeSessionId(sessionId);
  if (!safe.ok || !usedStems.has(safe.value)) return safe;
  return refuse('CREATE_OVERWRITE_ERROR', `session ${sessionId} has a summary already`, { hint: 'update that summary instead of creating another' });
}

/** The file name, without extension, of a new record beside the ones that are there. */
export function fileStem(category: Category, named: Named, usedStems: Stems): Result<string> {
  const { id, createdAt, path, sessionId } = named;
  if (category === 'session_summary' && sessionId !== undefined) return sessionStem(sessionId, usedStems);
  if (!isSlug(id)) return refuse('VALIDATION_ERROR', `the id ${JSON.stringify(id.slice(0, 100))} cannot name a file`, { fields: ['id'] });
  const epoch = epochOf(createdAt);
  if (epoch === undefined) return refuse('VALIDATION_ERROR', `created_at ${JSON.stringify(createdAt)} is not a time`, { fields: ['created_at'] });
  const [day = '', time = ''] = utcSeconds(epoch).slice(0, 19).split('T');
  const free = (base: string, prefix = ''): string => portable(prefix + uniqueSlug(base, { has: (stem) => usedStems.has(portable(prefix + stem)) }));
  if (category === 'decision') return ok(`${day}_${String(usedStems.highestOf(day) + 1).padStart(3, '0')}_${id}`);
  if (category === 'subagent_report') return ok(free(id, `${day}_${time.replaceAll(':', '')}_`));
  return ok(free(category === 'analysis' && path !== undefined ? analysisStem(path) || id : id));
}

/** A name without a single ASCII letter or digit still names its record: by its characters' numbers. */
const spelledOut = (name: string): string =>
  `x-${[...name].map((letter) => (letter.codePointAt(0) ?? 0).toString(16)).join('-')}`.slice(0, SLUG_LIMIT).replace(/-+$/, '');

/** The id that a file name stands for: prefixes go, and a plain name is its own id. */
export function idOfStem(category: Category, stem: string): string {
  const bare = stem.endsWith('_') && isReservedName(stem.slice(0, -1)) ? stem.slice(0, -1) : stem;
  const dated = category === 'decision' ? decisionParts(bare)?.id : category === 'subagent_report' ? REPORT.exec(bare)?.[1] : undefined;
  const name = dated ?? bare;
  return isSlug(name) ? name : slugify(name) || spelledOut(name);
}
