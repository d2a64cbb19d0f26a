import { TRIAGED } from '../../core/config/categories.ts';
import type { TriageCategory } from '../../capture/triage/settings.ts';
import { stagedTrust, type UnconfirmedTrust } from '../../core/trust/trust.ts';
import type { DraftContext } from './contexts.ts';
import type { DraftSession } from './drafting.ts';

/** The source of a session's drafts, in a file beside the context files. */
export interface StagedSources {
  readonly sessionId?: string;
  readonly client?: string;
  readonly categories: Readonly<Partial<Record<TriageCategory, { readonly trust: UnconfirmedTrust; readonly messageIds: readonly string[] }>>>;
}

export const SOURCES_NAME = '.memory-sources.json';

export const sourcesText = (session: DraftSession, contexts: readonly DraftContext[]): string =>
  JSON.stringify({
    ...(session.sessionId !== undefined && { sessionId: session.sessionId }),
    ...(session.client !== undefined && { client: session.client }),
    categories: Object.fromEntries(contexts.map(({ category, trust, messageIds }) => [category, { trust, messageIds }])),
  } satisfies StagedSources);

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => value !== null && typeof value === 'object' && !Array.isArray(value);

/** Reads it back; ignores what cannot be read. */
export function parseSources(text: string): StagedSources {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { categories: {} };
  }
  if (!isObject(value)) return { categories: {} };
  const listed = isObject(value['categories']) ? value['categories'] : {};
  const categories = TRIAGED.flatMap((category) => {
    const one = listed[category];
    if (!isObject(one)) return [];
    const ids = Array.isArray(one['messageIds']) ? one['messageIds'].filter((id) => typeof id === 'string') : [];
    return [[category, { trust: stagedTrust(one['trust']), messageIds: ids }] as const];
  });
  const { sessionId, client } = value;
  return {
    ...(typeof sessionId === 'string' && { sessionId }),
    ...(typeof client === 'string' && { client }),
    categories: Object.fromEntries(categories),
  };
}
