import type { ConversationDigest } from '../../core/ports/episodes.ts';
import type { ItemFacts } from '../../core/ports/index.ts';
import { epochOf } from '../../core/instant.ts';
import type { Category } from '../../core/record/category.ts';
import { requestsIn } from '../../recall/rules/lasting.ts';
import { ruleId, saysSame } from '../../recall/rules/standing.ts';
import type { Memory } from '../memory/memory.ts';
import type { RecallContext } from './recall-context.ts';

export type TypedRules = ConversationDigest['rules'];

const STATES_RULES: ReadonlySet<Category | undefined> = new Set<Category>(['preference', 'constraint', 'decision']);
/** So many retired and so many archived records are compared with typed sentences, newest first. */
const MOST_COMPARED = 300;
const LONGEST = 320;

/** A sentence that must not be quoted again, because of a verdict on it or because its record is out of use. */
interface MutedText {
  readonly text: string;
  /** A sentence typed later is a new rule. */
  readonly until: number;
}

/** The last verdict on each quoted rule decides. */
function mutedIds({ log }: RecallContext): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { id, verdict } of log.feedback()) {
    if (!id.startsWith('rule:')) continue;
    if (verdict === 'useful') ids.delete(id);
    else ids.add(id);
  }
  return ids;
}

/** The title and the lines of a record out of use. */
function textsOf({ index }: Memory, item: ItemFacts): readonly string[] {
  const lines = (index.body(item) ?? '').split('\n').map((line) => line.replace(/^[\s*#-]+/, ''));
  return [...new Set([item.title, ...lines])].filter((text) => text.includes(' ') && text.length <= LONGEST);
}

function textsOutOfUse(memory: Memory): readonly MutedText[] {
  const items = (['retired', 'archived'] as const).flatMap((status) => memory.index.recent({ kind: 'record', status }, MOST_COMPARED));
  return items
    .filter(({ category }) => STATES_RULES.has(category))
    .flatMap((item) => textsOf(memory, item).map((text) => ({ text, until: epochOf(item.writtenAt) ?? Number.POSITIVE_INFINITY })));
}

/** Returns a function that tells whether a typed sentence, or a part of one, was muted by a verdict or with its record. */
export function mutedRules(memory: Memory, context: RecallContext, typed: TypedRules): (text: string, at: number) => boolean {
  if (typed.length === 0) return () => false;
  const ids = mutedIds(context);
  const judged = ids.size === 0 ? [] : typed.flatMap(({ text }) => [text, ...requestsIn(text)]).filter((text) => ids.has(ruleId(text)));
  const muted: readonly MutedText[] = [
    ...[...new Set(judged)].map((text) => ({ text, until: Number.POSITIVE_INFINITY })),
    ...[memory, ...(context.user ? [context.user] : [])].flatMap(textsOutOfUse),
  ];
  if (ids.size === 0 && muted.length === 0) return () => false;
  const now = memory.now();
  return (text, at) => ids.has(ruleId(text)) || muted.some(({ text: other, until }) => (at <= until || at > now) && saysSame(text, other));
}
