import { utcSeconds } from '../../core/instant.ts';
import { ok, type Result } from '../../core/result.ts';
import { renderSession, type Crumbs, type WorkSessionFile } from '../../render/documents/session-file.ts';
import type { Memory } from '../memory/memory.ts';
import { writing, type Author } from '../write/transaction.ts';
import { counted, readSession, SESSION_PLACE } from './file.ts';

/** The marker at the end of a reply: if the agent no longer sees it, the conversation was compacted. */
const breadcrumbOf = (key: string, at: string): string => `<!-- MEMORY_BREADCRUMB: ${key} ${at} -->`;

const CRUMB = /<!--\s*MEMORY_BREADCRUMB:\s*(\S+)\s+(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\s*-->/g;

export interface CrumbRequest extends Author {
  readonly sessionId?: string | undefined;
}

/** Each open session has its own breadcrumbs; only those of the newest sessions are stored. */
const MOST_SESSIONS = 20;

function withCrumbs(file: WorkSessionFile, id: string, crumbs: Crumbs): WorkSessionFile {
  const others = Object.entries(file.crumbs).filter(([other]) => other !== id);
  return { ...file, crumbs: Object.fromEntries([...others.slice(-(MOST_SESSIONS - 1)), [id, crumbs]]) };
}

const idOf = ({ sessionId = '' }: CrumbRequest): string => sessionId;

/** Makes the breadcrumb of a reply; undefined outside memory mode. */
export function leaveBreadcrumb(memory: Memory, request: CrumbRequest): Promise<Result<string | undefined>> {
  return writing(memory, request, async (write) => {
    const { session } = await readSession(memory);
    if (session.open.length === 0) return ok(undefined);
    const left = utcSeconds(memory.now());
    const next = withCrumbs(session, idOf(request), { ...session.crumbs[idOf(request)], left });
    await write.state(SESSION_PLACE, renderSession(counted(memory, next)));
    return ok(breadcrumbOf(memory.key, left));
  });
}

/** `inactive`: memory mode is off. `first`: there was no reply yet. `recovered`: compacted, but reported before. */
export type CrumbVerdict = 'inactive' | 'first' | 'intact' | 'compacted' | 'recovered';

const newestIn = (context: string, key: string): string | undefined =>
  [...context.matchAll(CRUMB)]
    .filter(([, project]) => project?.toLowerCase() === key.toLowerCase())
    .flatMap(([, , at]) => at ?? [])
    .toSorted()
    .at(-1);

/** Searches the agent's visible context for the last reply's breadcrumb. Reports a compaction once. */
export function checkBreadcrumb(memory: Memory, context: string, request: CrumbRequest): Promise<Result<CrumbVerdict>> {
  return writing(memory, request, async (write) => {
    const { session } = await readSession(memory);
    if (session.open.length === 0) return ok('inactive');
    const known = session.crumbs[idOf(request)] ?? {};
    const seenAt = newestIn(context, memory.key);
    const now = utcSeconds(memory.now());
    const [verdict, next] = judge(known, seenAt, now, session.open[0]?.started ?? now);
    if (next !== known) await write.state(SESSION_PLACE, renderSession(counted(memory, withCrumbs(session, idOf(request), next))));
    return ok(verdict);
  });
}

function judge(known: Crumbs, seenAt: string | undefined, now: string, started: string): readonly [CrumbVerdict, Crumbs] {
  const { left, recovered } = known;
  // Without an earlier breadcrumb none can be missing; record one for the next check.
  if (left === undefined) return seenAt !== undefined && seenAt >= started ? ['intact', { ...known, left: seenAt }] : ['first', { ...known, left: now }];
  if (seenAt !== undefined && seenAt >= left) return ['intact', seenAt === left ? known : { ...known, left: seenAt }];
  return recovered !== undefined && recovered >= left ? ['recovered', known] : ['compacted', { ...known, recovered: now }];
}
