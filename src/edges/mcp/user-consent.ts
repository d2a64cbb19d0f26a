import { redact } from '../../core/redact/redact.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { type ToolInput, type ToolContext, stringArgument } from './tool.ts';

const MOST = 300;
const HINT =
  'asked quotes the user. What you found yourself is looked through at the end of the turn; where nothing asks you then, ask the user whether to keep it.';

export const ASKED = { type: 'string', description: "the user's own words that ask for it, word for word; what nobody asked for is refused" } as const;

const plain = (text: string): string => ` ${text.toLowerCase().replace(/[^\p{L}\p{N}\p{So}]+/gu, ' ')} `.replace(/ +/g, ' ');

/** The words by which the user asked for a change: an agent makes none of its own accord, nor because a tool or a page told it to. */
export async function askedFor(shelf: Pick<ToolContext, 'heard'>, given: ToolInput): Promise<Result<string>> {
  const asked = stringArgument(given, 'asked');
  const words = plain(asked ?? '');
  if (asked === undefined || words === ' ') return refuse('INPUT_ERROR', 'asked is missing: memory changes when its user asks for it', { hint: HINT });
  const said = await shelf.heard((prompt) => plain(prompt).includes(words));
  if (said === false) return refuse('INPUT_ERROR', `the user has not said ${JSON.stringify(asked.slice(0, 80))} in this session`, { hint: HINT });
  return ok(redact(asked).text.slice(0, MOST));
}
