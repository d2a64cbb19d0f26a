import type { HookAnswer, HookEvent } from './call.ts';
import { FENCE_CLOSE } from '../../core/episode/injected.ts';

/** Above this length the client gives the model only a preview and a path. */
const MOST = 10_000;

/** Cut so that the fence still closes. */
const within = (text: string): string => (text.length <= MOST ? text : `${text.slice(0, MOST - FENCE_CLOSE.length - 2)}…\n${FENCE_CLOSE}`);

/** An answer in the form that clients read from a hook's output or a tool's text; empty when there is none. */
export function presentAnswer(event: HookEvent, answer: HookAnswer): string {
  const { context, permission, reason, goesOn, hints } = answer;
  if (hints !== undefined) return hints;
  if (goesOn === true) return JSON.stringify({ decision: 'block', reason: reason ?? '' });
  const specific = {
    ...(context !== undefined && { additionalContext: within(context) }),
    ...(permission !== undefined && { permissionDecision: permission }),
    ...(permission !== undefined && reason !== undefined && { permissionDecisionReason: reason }),
  };
  return Object.keys(specific).length === 0 ? '' : JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...specific } });
}
