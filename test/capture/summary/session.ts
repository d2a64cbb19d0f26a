import { effectiveConfig } from '../../../src/core/config/effective.ts';
import type { Message, SessionFacts, ToolCall } from '../../../src/core/episode/episode.ts';
import { SessionSummary } from '../../../src/capture/summary/summary.ts';
import { triageSettings } from '../../../src/capture/triage/settings.ts';
import { agent, call, tool } from '../triage/talk.ts';

export const facts: SessionFacts = { sessionId: 'session-1', client: 'claude-code', project: '/home/ada/shop' };

/** A tool call of the agent and the tool's answer. */
export function used(name: string, more: Partial<ToolCall>, answer = 'ok', said: Partial<Message> = {}): Message[] {
  const one = call(name, more);
  return [agent('', { toolCalls: [one] }), tool(answer, { answers: one.id, ...said })];
}

export const edited = (path: string): Message[] => used('Edit', { files: [path] }, 'The file has been updated.');
export const wrote = (path: string): Message[] => used('Write', { files: [path] }, `File created successfully at: ${path}`);
export const ran = (command: string, answer: string, failed = false): Message[] => used('Bash', { command, input: command }, answer, failed ? { failed } : {});
export const committed = (subject: string, hash = 'abc1234'): Message[] => ran(`git commit -m "${subject}"`, `[main ${hash}] ${subject}\n 1 file changed`);

export function summed(messages: readonly Message[]): SessionSummary {
  const summary = new SessionSummary(triageSettings(effectiveConfig({})), { project: facts.project });
  for (const message of messages) summary.add(message);
  return summary;
}

export const contentOf = (messages: readonly Message[], told: SessionFacts = facts): ReturnType<SessionSummary['content']> => summed(messages).content(told);
