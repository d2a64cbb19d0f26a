import { isObject } from '../../core/value.ts';
import { ProtocolFault } from './resources.ts';
import type { Tool } from './tool.ts';

/** A prompt that a client offers to its user, often as a command. */
export interface PromptOffer {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments?: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  /** The text for the model. */
  messages(texts: Readonly<Record<string, string>>): Promise<readonly string[]>;
}

const argument = (name: string, description: string, required = true) => ({ name, description, required });

export const memoryPrompts = (search: Tool): readonly PromptOffer[] => [
  {
    name: 'recall',
    title: 'Recall',
    description: 'What is remembered about something',
    arguments: [argument('about', 'words, names or a question')],
    messages: async ({ about = '' }) => [
      `What do we know from earlier sessions about this: ${about}\nAnswer from the memory below, read more with memory_get where it matters, and check it against the code.`,
      (await search.run({ query: about })).text,
    ],
  },
  {
    name: 'save',
    title: 'Save',
    description: 'Remember something',
    arguments: [argument('text', 'what to remember, with the why')],
    messages: async ({ text = '' }) => [
      `Remember this: ${text}\nCall memory_save once, with the category that fits, and quote these words in "asked". Then tell me in one line what was saved.`,
    ],
  },
  {
    name: 'summarize',
    title: 'Summarize',
    description: 'Keep a summary of this session',
    messages: async () => [
      'Summarise this session: what I asked for, what came out of it, what was decided and why, what is open. Show me the summary; when I approve it, call memory_save with the category session_summary and my words in "asked".',
    ],
  },
  {
    name: 'synthesize',
    title: 'Synthesize',
    description: 'Bring the project’s overview up to date',
    messages: async () => [
      'Run `holdfast synthesize` in the project’s folder and tell me what changed in the overview. Where you cannot run commands, read memory://master and the newest records (memory_timeline) and tell me what the overview lacks.',
    ],
  },
  {
    name: 'inbox',
    title: 'Inbox',
    description: 'Review the inbox',
    messages: async () => [
      'Run `holdfast inbox` in the project’s folder and show me what was saved automatically, one line each. I accept, edit or reject there; do not confirm anything for me. Where you cannot run commands, tell me to run it.',
    ],
  },
];

export async function promptNamed(prompts: readonly PromptOffer[], params: Readonly<Record<string, unknown>>): Promise<object> {
  const prompt = prompts.find(({ name }) => name === params['name']);
  if (!prompt) throw new ProtocolFault(`there is no prompt ${JSON.stringify(params['name'])}`);
  const input = isObject(params['arguments']) ? params['arguments'] : {};
  const texts = Object.fromEntries(Object.entries(input).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  const missing = prompt.arguments?.find(({ name, required }) => required && (texts[name] ?? '').trim() === '');
  if (missing) throw new ProtocolFault(`${prompt.name} needs ${missing.name}: ${missing.description}`);
  const messages = (await prompt.messages(texts)).map((text) => ({ role: 'user', content: { type: 'text', text } }));
  return { description: prompt.description, messages };
}
