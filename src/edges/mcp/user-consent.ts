import { redact } from '../../core/redact/text.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { isInWordsOf, isQuoted, isRequest } from '../../core/trust/request.ts';
import { isProjectFile } from '../../core/trust/project-file.ts';
import type { TrustSource } from '../../core/trust/trust.ts';
import { refused, type ToolInput, type ToolContext, type ToolResult, stringArgument } from './tool.ts';

const QUOTE_LENGTH = 300;
const HINT =
  'asked quotes the user: a request in their own words, or the whole of their short answer to your question. What you found yourself is looked through at the end of the turn; where nothing asks you then, ask the user whether to keep it.';

export const REQUEST_FIELD = {
  type: 'string',
  description: "the user's own words that ask for it, word for word: the whole request, not a word of it; without a request of the user the call is refused",
} as const;

/** The user's request, and the trust of the change. */
export interface ConsentRequest {
  readonly quote: string;
  readonly source: Extract<TrustSource, 'agent-asked' | 'agent-alone' | 'tool-output'>;
}

/** Checks the user's request that a change must quote. `texts` are the texts that would be saved. */
export async function requestedBy(context: Pick<ToolContext, 'userPrompts'>, given: ToolInput, texts: readonly string[]): Promise<Result<ConsentRequest>> {
  const quote = stringArgument(given, 'asked');
  if (quote === undefined || !/[\p{L}\p{N}\p{So}]/u.test(quote)) {
    return refuse('INPUT_ERROR', 'asked is missing: memory changes when its user asks for it', { hint: HINT });
  }
  const shortQuote = redact(quote).text.slice(0, QUOTE_LENGTH);
  const { prompts, afterOutside } = await context.userPrompts();
  if (prompts.length === 0) return ok({ quote: shortQuote, source: 'agent-alone' });
  if (!prompts.some((prompt) => isRequest(quote, prompt))) {
    const isInSession = prompts.some((prompt) => isQuoted(quote, prompt.text));
    const shown = JSON.stringify(quote.slice(0, 80));
    return refuse('INPUT_ERROR', isInSession ? `${shown} is no request of the user's` : `the user has not said ${shown} in this session`, { hint: HINT });
  }
  const typed = prompts.map((prompt) => prompt.text);
  return ok({ quote: shortQuote, source: afterOutside && !texts.every((text) => isInWordsOf(text, typed)) ? 'tool-output' : 'agent-asked' });
}

/** The refusal where memory is off: there only the user's own word saves anything. */
export async function refusalWhereOff(context: Pick<ToolContext, 'project'>): Promise<ToolResult | undefined> {
  const { path, switched } = await context.project();
  if (switched.on) return undefined;
  return refused({ code: 'SECURITY_ERROR', message: `memory is off in ${path}: nothing was saved`, hint: 'the user turns it on there with holdfast start' });
}

/** Everything that a call would write into a record, text by text, but for plain names of the project's files. */
export function writtenTexts({ text, change, title, tags, files, content }: ToolInput): readonly string[] {
  const otherFiles = Array.isArray(files) ? files.filter((file) => typeof file !== 'string' || /\s/.test(file) || !isProjectFile(file)) : files;
  return stringsIn([text, change, title, tags, otherFiles, content]);
}

const stringsIn = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];

/** Why a record is quarantined. */
export const QUARANTINE_REASONS: Readonly<Record<Exclude<ConsentRequest['source'], 'agent-asked'>, string>> = {
  'agent-alone': 'this client has reported no prompt of the user',
  'tool-output': 'it may follow what a tool or a page said, and is not in the words of the user',
};
