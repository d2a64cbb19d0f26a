import type { Message, ToolCall } from '../../core/episode/episode.ts';
import type { SignalPart } from './score.ts';

/** Counts of a session's work. */
export interface Activity {
  readonly toolUses: number;
  readonly distinctTools: number;
  /** Prompts that got an answer. */
  readonly exchanges: number;
  /** Tool uses that changed a file. */
  readonly changes: number;
  readonly commands: number;
}

const CHANGES = /^(?:edit|write|multiedit|notebookedit|apply_patch|str_replace|create_file|write_file|replace|patch|update_file|insert)/i;
const PLANS = /^(?:todo|task(?:create|update|list|get)|update_plan|exitplanmode|enterplanmode|toolsearch|skill)/i;

export const isChange = (call: ToolCall): boolean => CHANGES.test(call.name);

export class ActivityCount {
  readonly #tools = new Set<string>();
  #toolUses = 0;
  #exchanges = 0;
  #changes = 0;
  #commands = 0;
  #waiting = false;

  add(message: Message): void {
    if (message.agentId !== undefined) return;
    if (message.role === 'user') this.#waiting = true;
    if (message.role === 'assistant' && this.#waiting) {
      this.#exchanges++;
      this.#waiting = false;
    }
    if (message.role !== 'assistant') return;
    for (const call of message.toolCalls ?? []) {
      if (PLANS.test(call.name)) continue;
      this.#toolUses++;
      this.#tools.add(call.name);
      if (isChange(call)) this.#changes++;
      else if (call.command !== undefined) this.#commands++;
    }
  }

  get activity(): Activity {
    return { toolUses: this.#toolUses, distinctTools: this.#tools.size, exchanges: this.#exchanges, changes: this.#changes, commands: this.#commands };
  }
}

const share = (count: number, full: number, weight: number): number => Math.round(Math.min(1, count / full) * weight * 1000) / 1000;

/** Reading is cheap, changing and running is work: a session is worth a summary when something was done in it. */
export function activityParts(activity: Activity): SignalPart[] {
  const { toolUses, distinctTools, exchanges, changes, commands } = activity;
  return [
    { why: `${toolUses} tool uses`, weight: share(toolUses, 20, 0.2) },
    { why: `${distinctTools} distinct tools`, weight: share(distinctTools, 4, 0.15) },
    { why: `${exchanges} exchanges`, weight: share(exchanges, 2, 0.2) },
    { why: `${changes} changes and ${commands} commands`, weight: share(changes * 2 + commands, 5, 0.45) },
  ].filter((part) => part.weight > 0);
}
