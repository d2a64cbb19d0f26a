import type { ItemFacts } from '../../core/ports/index.ts';
import { CATEGORIES, categoryFrom } from '../../core/record/category.ts';
import { isQuarantined } from '../../core/trust/trust.ts';
import { isObject } from '../../core/value.ts';
import { catchUp } from '../../app/index/catch-up.ts';
import { readMaster } from '../../app/recall/master.ts';
import { fenced, plain } from '../../recall/inject/plain.ts';
import type { Tool, ToolContext } from './tool.ts';

/** A request that the protocol answers with an error. */
export class ProtocolFault extends Error {
  readonly isUnknown: boolean;
  /** Whether the request names a resource that does not exist. */
  readonly isMissing: boolean;
  readonly data: object | undefined;

  constructor(message: string, { isUnknown = false, uri }: { readonly isUnknown?: boolean; readonly uri?: string } = {}) {
    super(message);
    this.isUnknown = isUnknown;
    this.isMissing = uri !== undefined;
    this.data = uri === undefined ? undefined : { uri };
  }
}

export interface ResourceOffer {
  list(cursor: unknown): Promise<object>;
  readonly templates: readonly object[];
  read(uri: unknown): Promise<object>;
  complete(params: Readonly<Record<string, unknown>>): Promise<object>;
}

const PAGE = 100;
const COMPLETIONS = 100;
const MARKDOWN = 'text/markdown';
const RECORD_URI = /^memory:\/\/records\/([a-z_]+)\/([^/?#]+)$/;

/** Documents that every project has. */
const DOCUMENTS = [
  { uri: 'memory://brief', name: 'brief', title: 'Brief', description: 'the brief that a session gets at its start', mimeType: MARKDOWN },
  { uri: 'memory://master', name: 'master', title: 'Master', description: 'the synthesis of all sessions', mimeType: MARKDOWN },
  { uri: 'memory://index', name: 'index', title: 'Index', description: 'what this memory holds, with its newest records', mimeType: MARKDOWN },
];

const TEMPLATES = [
  {
    uriTemplate: 'memory://records/{category}/{id}',
    name: 'record',
    title: 'Record',
    description: 'one decision, runbook, constraint, preference, debt or session summary',
    mimeType: MARKDOWN,
  },
];

const uriOf = ({ category, id }: ItemFacts): string => `memory://records/${category ?? ''}/${encodeURIComponent(id)}`;

/** Quarantined records are not listed, read or completed. */
const LISTED = { kind: 'record', status: 'active' } as const;

export const memoryResources = (context: ToolContext, get: Tool, status: Tool): ResourceOffer => {
  const textOf = async (uri: string): Promise<string | undefined> => {
    if (uri === 'memory://brief') return (await context.brief()) || 'Nothing is remembered of this project yet.';
    if (uri === 'memory://index') return (await status.run({})).text;
    if (uri === 'memory://master') {
      const master = await readMaster((await context.project()).memory);
      return master ? fenced('master', [master.text]) : 'There is no master yet; holdfast synthesize writes it.';
    }
    const [, category, id] = RECORD_URI.exec(uri) ?? [];
    if (category === undefined || id === undefined || categoryFrom(category) === undefined) return undefined;
    const { text, isError } = await get.run({ ids: [`${category}/${decodedId(id)}`] });
    return isError === true ? undefined : text;
  };
  return {
    templates: TEMPLATES,
    list: async (cursor) => {
      const offset = offsetOf(cursor);
      const { index } = await upToDate(context);
      const page = index.recent(LISTED, PAGE + 1, offset);
      const records = page
        .slice(0, PAGE)
        .filter(({ trust }) => !isQuarantined(trust))
        .map((item) => ({ uri: uriOf(item), name: `${item.category ?? ''}/${item.id}`, title: plain(item.title), mimeType: MARKDOWN }));
      return { resources: [...(offset === 0 ? DOCUMENTS : []), ...records], ...(page.length > PAGE && { nextCursor: String(offset + PAGE) }) };
    },
    read: async (uri) => {
      if (typeof uri !== 'string') throw new ProtocolFault('resources/read needs the uri of a resource');
      const text = await textOf(uri);
      if (text === undefined) throw new ProtocolFault(`there is no resource ${JSON.stringify(uri)}`, { uri });
      return { contents: [{ uri, mimeType: MARKDOWN, text }] };
    },
    complete: async ({ argument, context: completionContext }) => {
      const { name, value } = isObject(argument) ? argument : {};
      const start = typeof value === 'string' ? value : '';
      if (name === 'category') return completion(CATEGORIES.filter((category) => category.startsWith(start)));
      if (name !== 'id') return { values: [] };
      const chosen = isObject(completionContext) && isObject(completionContext['arguments']) ? completionContext['arguments']['category'] : undefined;
      const category = typeof chosen === 'string' ? categoryFrom(chosen) : undefined;
      const { index } = await upToDate(context);
      const matching = index.byBeginning(start).filter((item) => item.kind === 'record' && item.status === 'active' && !isQuarantined(item.trust));
      return completion(matching.filter((item) => category === undefined || item.category === category).map(({ id }) => id));
    },
  };
};

async function upToDate(context: ToolContext) {
  const { memory } = await context.project();
  await catchUp(memory);
  return memory;
}

const completion = (values: readonly string[]): object => ({
  values: values.slice(0, COMPLETIONS),
  total: values.length,
  hasMore: values.length > COMPLETIONS,
});

function offsetOf(cursor: unknown): number {
  if (cursor === undefined) return 0;
  const offset = typeof cursor === 'string' && /^\d{1,9}$/.test(cursor) ? Number(cursor) : 0;
  if (offset === 0) throw new ProtocolFault('the cursor is not one that this server gave');
  return offset;
}

function decodedId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
