import { FENCE_CLOSE } from '../../core/episode/injected.ts';
import type { HookAnswer, HookEvent } from './call.ts';
import { type ClientDialect, dialectOf } from './client-dialect.ts';

const ELLIPSIS = '…\n';

/** Bytes of a text in UTF-8, or a few more. */
const bytesOf = (text: string): number => text.replace(/[^\0-\x7f]/g, (letter) => (letter < '\u0800' ? '..' : '...')).length;

/** Above its limit a client gives the model only a part and a path. Cut so that the fence still closes. */
function within(text: string, most: ClientDialect['most']): string {
  const [limit, sizeOf] = 'bytes' in most ? [most.bytes, bytesOf] : [most.characters, (part: string) => part.length];
  if (sizeOf(text) <= limit) return text;
  const room = limit - sizeOf(ELLIPSIS) - FENCE_CLOSE.length;
  let end = Math.min(text.length, room);
  for (let over = sizeOf(text.slice(0, end)) - room; over > 0; over = sizeOf(text.slice(0, end)) - room) end -= Math.ceil(over / 3);
  return `${text.slice(0, end)}${ELLIPSIS}${FENCE_CLOSE}`;
}

/** An answer in the form that a client reads from a hook's output or a tool's text; empty when there is none. */
export function presentAnswer(event: HookEvent, answer: HookAnswer, client = 'claude-code'): string {
  const { context, permission, reason, request, notice, hints } = answer;
  const { form, most, goesOnBy, takesHints } = dialectOf(client);
  if (hints !== undefined) return takesHints ? hints : '';
  if (request !== undefined && goesOnBy === 'block') return JSON.stringify({ decision: 'block', reason: request });
  const added = request ?? context;
  const shown = added === undefined ? undefined : within(added, most);
  const decided = {
    ...(permission !== undefined && { permissionDecision: permission }),
    ...(permission !== undefined && reason !== undefined && { permissionDecisionReason: reason }),
  };
  if (form === 'contextModification') return shown === undefined ? '' : JSON.stringify({ cancel: false, contextModification: shown });
  if (form !== 'hookSpecificOutput') {
    const output = { ...(shown !== undefined && { [form]: shown }), ...(form === 'additionalContext' && decided) };
    return Object.keys(output).length === 0 ? '' : JSON.stringify(output);
  }
  const specific = { ...(shown !== undefined && { additionalContext: shown }), ...decided };
  const output = {
    ...(notice !== undefined && { systemMessage: notice }),
    ...(Object.keys(specific).length > 0 && { hookSpecificOutput: { hookEventName: event, ...specific } }),
  };
  return Object.keys(output).length === 0 ? '' : JSON.stringify(output);
}
