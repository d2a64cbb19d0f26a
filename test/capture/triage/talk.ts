import { effectiveConfig, type Levels } from '../../../src/core/config/effective.ts';
import type { Message, ToolCall } from '../../../src/core/episode/episode.ts';
import { type TriageCategory, triageSettings } from '../../../src/capture/triage/settings.ts';
import { Triage, type TriagedCategory } from '../../../src/capture/triage/triage.ts';

let count = 0;

const message = (role: Message['role'], text: string, more: Partial<Message> = {}): Message => ({ id: `m${++count}`, sessionId: 's', role, text, ...more });

export const user = (text: string, more: Partial<Message> = {}): Message => message('user', text, more);
export const agent = (text: string, more: Partial<Message> = {}): Message => message('assistant', text, more);
export const tool = (text: string, more: Partial<Message> = {}): Message => message('tool', text, more);
export const call = (name: string, more: Partial<ToolCall> = {}): ToolCall => ({ id: `c${++count}`, name, input: '', files: [], ...more });

export const watch = (messages: readonly Message[], project?: unknown): Triage => {
  const levels: Levels = project === undefined ? {} : { project };
  const triage = new Triage(triageSettings(effectiveConfig(levels)));
  for (const one of messages) triage.add(one);
  return triage;
};

export const judged = (category: TriageCategory, messages: readonly Message[], project?: unknown): TriagedCategory =>
  watch(messages, project)
    .result()
    .categories.find((found) => found.category === category) as TriagedCategory;

/** The categories that fire on these messages. */
export const fired = (messages: readonly Message[], project?: unknown): TriageCategory[] =>
  watch(messages, project)
    .result()
    .categories.filter((found) => found.fired)
    .map((found) => found.category);
