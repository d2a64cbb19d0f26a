import { utcSeconds } from '../../core/instant.ts';
import type { InjectionLog, FeedbackVerdict, Verdicts } from '../../core/ports/injection-log.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { requestsIn } from '../../recall/rules/lasting.ts';
import { ruleId } from '../../recall/rules/standing.ts';
import { catchUp } from '../index/catch-up.ts';
import type { Memory } from '../memory/memory.ts';
import { resolveItem } from '../read/resolve.ts';
import { moveRecord } from '../write/status.ts';
import type { Written } from '../write/written.ts';
import { recordName } from './entry.ts';

export interface FeedbackRequest {
  /** A record, or another injected item: a quotation by the id of its message. */
  readonly name: string;
  readonly verdict: FeedbackVerdict;
  /** Also retires a wrong or outdated record. */
  readonly retire?: boolean;
  readonly session?: string;
}

export interface FeedbackResult {
  readonly id: string;
  readonly at: string;
  readonly title: string;
  readonly verdict: FeedbackVerdict;
  readonly verdicts: Verdicts;
  readonly retired?: Written;
}

/** What was typed in the project and may be quoted as a rule. */
type Quoted = () => readonly { readonly text: string }[];

const INJECTIONS_SEARCHED = 1_000;

/** Stores a person's or an agent's verdict on a recalled item; ranking, gate and brief use it. */
export async function giveFeedback(memory: Memory, log: InjectionLog, request: FeedbackRequest, quoted: Quoted = () => []): Promise<Result<FeedbackResult>> {
  const { name, verdict } = request;
  if (request.retire && verdict === 'useful')
    return refuse('USAGE_ERROR', '--retire does not go with useful.', { hint: 'mark the record as wrong or outdated, or leave out --retire' });
  await catchUp(memory);
  const item = await resolveItem(memory, name);
  if (!item.ok) {
    const shown = item.error.code === 'NOT_FOUND' && !request.retire ? (injectedItem(log, name) ?? quotedRule(quoted, name)) : undefined;
    return shown ? ok(storeVerdict(memory, log, shown, request)) : item;
  }
  if (item.value.category === undefined)
    return refuse('VALIDATION_ERROR', `${JSON.stringify(name)} is a document, not a record.`, { hint: 'edit a document in its file' });
  const id = recordName(item.value);
  const retired = request.retire
    ? await moveRecord(memory, 'retire', { root: item.value.root, path: item.value.path }, { actor: 'feedback', reason: `feedback: ${verdict}` })
    : undefined;
  if (retired && !retired.ok) return retired;
  return ok({ ...storeVerdict(memory, log, { id, title: item.value.title }, request), ...(retired && { retired: retired.value }) });
}

/** A sentence of an earlier prompt, or a request in it, that was quoted without being logged. */
function quotedRule(quoted: Quoted, name: string): { readonly id: string; readonly title: string } | undefined {
  if (!name.startsWith('rule:')) return undefined;
  const title = quoted()
    .flatMap(({ text }) => [text, ...requestsIn(text)])
    .find((text) => ruleId(text) === name);
  return title === undefined ? undefined : { id: name, title };
}

/** The item that was injected under an id, or the only one whose id begins with it. */
function injectedItem(log: InjectionLog, name: string): { readonly id: string; readonly title: string } | undefined {
  const items = log.injections(undefined, INJECTIONS_SEARCHED).flatMap((one) => one.items.filter(({ id }) => id.startsWith(name)));
  return items.find(({ id }) => id === name) ?? (new Set(items.map(({ id }) => id)).size === 1 ? items[0] : undefined);
}

function storeVerdict(
  memory: Memory,
  log: InjectionLog,
  { id, title }: { readonly id: string; readonly title: string },
  { verdict, session }: FeedbackRequest,
): FeedbackResult {
  const at = utcSeconds(memory.now());
  log.say({ at, id, verdict, ...(session !== undefined && { session }) });
  return { id, at, title, verdict, verdicts: log.verdicts([id]).get(id) ?? { useful: 0, wrong: 0, outdated: 0 } };
}
