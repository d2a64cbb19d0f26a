import { FENCE_CLOSE } from '../../core/episode/injected.ts';
import type { HookAnswer, HookEvent } from './call.ts';
import { type ClientDialect, dialectOf } from './client-dialect.ts';

const ELLIPSIS = '…\n';

/** Bytes of a text in UTF-8, or a few more. */
const bytesAtMost = (text: string): number => text.replace(/[^\0-\x7f]/g, (letter) => (letter < '\u0800' ? '..' : '...')).length;

/** Above its limit a client gives the model only a part and a path. Cuts the text so that the fence still closes. */
function cutToLimit(text: string, limits: ClientDialect['contextLimit']): string {
  const [limit, sizeOf] = 'bytes' in limits ? [limits.bytes, bytesAtMost] : [limits.characters, (part: string) => part.length];
  if (sizeOf(text) <= limit) return text;
  const room = limit - sizeOf(ELLIPSIS) - FENCE_CLOSE.length;
  let end = Math.min(text.length, room);
  for (let over = sizeOf(text.slice(0, end)) - room; over > 0; over = sizeOf(text.slice(0, end)) - room) end -= Math.ceil(over / 3);
  return `${text.slice(0, end)}${ELLIPSIS}${FENCE_CLOSE}`;
}

/** An answer in the form that a client reads from a hook's output or a tool's text; empty when there is none. */
export function presentAnswer(event: HookEvent, answer: HookAnswer, client = 'claude-code'): string {
  const { context, permission, reason, request, notice, summaryHints } = answer;
  const { contextField, contextLimit, continuesBy, takesSummaryHints } = dialectOf(client);
  if (summaryHints !== undefined) return takesSummaryHints ? summaryHints : '';
  if (request !== undefined && continuesBy === 'block') return JSON.stringify({ decision: 'block', reason: request });
  const uncut = request ?? context;
  const injected = uncut === undefined ? undefined : cutToLimit(uncut, contextLimit);
  const decision = {
    ...(permission !== undefined && { permissionDecision: permission }),
    ...(permission !== undefined && reason !== undefined && { permissionDecisionReason: reason }),
  };
  if (contextField === 'contextModification') return injected === undefined ? '' : JSON.stringify({ cancel: false, contextModification: injected });
  if (contextField !== 'hookSpecificOutput') {
    const output = { ...(injected !== undefined && { [contextField]: injected }), ...(contextField === 'additionalContext' && decision) };
    return Object.keys(output).length === 0 ? '' : JSON.stringify(output);
  }
  const eventOutput = { ...(injected !== undefined && { additionalContext: injected }), ...decision };
  const output = {
    ...(notice !== undefined && { systemMessage: notice }),
    ...(Object.keys(eventOutput).length > 0 && { hookSpecificOutput: { hookEventName: event, ...eventOutput } }),
  };
  return Object.keys(output).length === 0 ? '' : JSON.stringify(output);
}
