/** `context.json`: whose memory a folder holds, and what became of it last. */
export interface ContextFacts {
  readonly projectKey: string;
  readonly projectHash: string;
  readonly projectPath: string;
  readonly lastLoaded: string | null;
  readonly lastUpdated: string | null;
  readonly sessionId: string | null;
  /** The time under which that session stands in MEMORY.md. */
  readonly summaryTime?: string | null;
  /** Characters by layer. */
  readonly sizes: Readonly<Record<string, number>>;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a file says; a damaged one says nothing. Fields this version does not know stay. */
export function parseContext(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The file with what is new in it. */
export function contextText(existing: string | undefined, news: Partial<ContextFacts>): string {
  const empty: ContextFacts = { projectKey: '', projectHash: '', projectPath: '', lastLoaded: null, lastUpdated: null, sessionId: null, sizes: {} };
  const old = parseContext(existing);
  const sizes = { ...(isObject(old['sizes']) ? old['sizes'] : {}), ...news.sizes };
  return `${JSON.stringify({ ...empty, ...old, ...news, sizes }, null, 2)}\n`;
}

/** The path a folder says it belongs to. */
export function ownerPath(text: string | undefined): string | undefined {
  const path = parseContext(text)['projectPath'];
  return typeof path === 'string' && path !== '' ? path : undefined;
}
