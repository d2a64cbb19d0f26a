import type { DraftOutcome } from '../../../app/drafting/outcome.ts';
import { readTurnRecords } from '../../../app/drafting/turn-records.ts';
import { savedLine, savedName } from '../../../app/hooks/save-request.ts';
import { refused, type ToolContext, type ToolResult, writeResult } from '../tool.ts';

/** Saves the records that the end-of-turn hook asked the agent for. */
export async function saveTurn(context: ToolContext, given: readonly unknown[]): Promise<ToolResult> {
  const session = context.session();
  if (session === undefined) return { text: 'INPUT_ERROR: this client does not tell its session, so nothing was asked for', isError: true };
  const records = readTurnRecords(given);
  if (!records.ok) return refused(records.error);
  const { memory } = await context.project();
  const { prompts, afterOutside } = await context.userPrompts();
  const words = await context.words();
  const userWords = { prompts: prompts.map(({ text }) => text), afterOutside, ...(words && { words }) };
  const saved = await (
    await context.drafting()
  ).saveTurn(memory, { sessionId: session, client: context.client(), records: records.value, conversation: userWords });
  if (!saved.ok) return refused(saved.error);
  const ids = saved.value.flatMap(({ category, id }) => (id === undefined ? [] : [`${category}/${id}`]));
  return { ...writeResult(resultText(saved.value, context.undo), ids), isError: saved.value.some(({ status }) => status === 'failed') };
}

function resultText(outcomes: readonly DraftOutcome[], undo: string): string {
  const isSaved = ({ status, id }: DraftOutcome): boolean => status === 'saved' && id !== undefined;
  const savedNames = outcomes.filter(isSaved).map(savedName);
  const unsaved = outcomes
    .filter((one) => !isSaved(one))
    .map(
      ({ status, category, justification, issues }) =>
        `${status === 'nothing' ? 'not needed' : 'not kept'} (${category}): ${[justification, ...issues].filter((part) => part !== '').join('; ')}`,
    );
  const closing = savedNames.length === 0 ? [] : [`End with this line: ${savedLine(savedNames, undo)}`];
  return [...unsaved, ...closing].join('\n') || 'Nothing was kept.';
}
