import { stripInjected } from '../../../core/injected.ts';
import { textAfter, dropBlocks, openingOf } from '../blocks.ts';

/** Context that Codex sends in the user's name: instructions, surroundings, notices. */
const CONTEXT = /^(?:# AGENTS\.md instructions|<INSTRUCTIONS>|Another language model started to solve this problem|Warning: The maximum number of)/;
/** The editor's context, with the person's request behind it. */
const EDITOR_CONTEXT = '# Context from my IDE setup:';
const REQUEST = '## My request for Codex:';
const HOOK_OPENING = openingOf('hook_context|hook_prompt');
/** A text that is one tagged block from end to end. A prompt that looks so is still known from its event. */
const ONE_BLOCK = /^<([a-z][a-z_-]*)(?:\s[^>]*)?>[\s\S]*<\/\1(?:\s[^>]*)?>$/i;

/** The person's words in a text that an event says is a prompt. */
export function promptWords(text: string): string {
  const words = stripInjected(text).trim();
  if (words.startsWith(EDITOR_CONTEXT) && !words.includes(REQUEST)) return '';
  return dropBlocks(textAfter(words, REQUEST), HOOK_OPENING).trim();
}

/** The person's words in a text of the model's history, where context stands beside prompts. */
export function historyWords(text: string): string {
  const words = stripInjected(text).trim();
  return CONTEXT.test(words) || ONE_BLOCK.test(words) ? '' : promptWords(words);
}
