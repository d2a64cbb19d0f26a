import { expect } from 'vitest';
import { draftsOf } from '../../../src/capture/drafts/drafts.ts';
import type { Message } from '../../../src/core/episode/episode.ts';
import type { Draft } from '../../../src/core/record/draft.ts';
import { facts, summed } from '../summary/session.ts';
import { agent, call, tool } from '../triage/talk.ts';

export const drafts = (messages: readonly Message[]): Draft[] => draftsOf(summed(messages), facts);

/** The one draft of a category. */
export const only = (messages: readonly Message[], category: string): Draft => {
  const found = drafts(messages).filter((draft) => draft['category'] === category);
  expect(found).toHaveLength(1);
  return found[0] as Draft;
};

/** A question of the agent's with two options, as the client writes it down, and what the user answered. */
export function asked(question: string, answer: string, options: readonly (readonly [string, string])[] = [], header = 'Topic'): Message[] {
  const input = `questions: ${question}\nheader: ${header}\noptions: ${options.map(([label, detail]) => `${label}\n${detail}`).join('\n')}`;
  const asking = call('AskUserQuestion', { input });
  const text = `User has answered your questions: "${question}"="${answer}". You can now continue with the user's answers in mind.`;
  return [agent('', { toolCalls: [asking] }), tool(text, { answers: asking.id })];
}

export const PLANS = 'Should the plans of an import be stored as JSON or as Markdown?';
export const OPTIONS = [
  ['JSON (Recommended)', 'Can be checked by a schema and read by the web page.'],
  ['Markdown', 'Can be read in a pull request.'],
] as const;
