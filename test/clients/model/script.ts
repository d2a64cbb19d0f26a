/** One tool call of a scripted answer. */
export interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One answer of the model. `usage` makes the client believe that its context is that full; `status` answers with that HTTP error instead, `refusal` in its words. */
export interface Step {
  readonly text?: string;
  readonly calls?: readonly Call[];
  readonly usage?: { readonly input_tokens: number };
  readonly status?: number;
  readonly refusal?: string;
  readonly delayMs?: number;
}

/** What the model does after words that contain `when`: one step a request, the last one again and again. */
export interface Scene {
  readonly when: string | RegExp;
  /** A script may depend on what it was asked: a hook's request names the files to write. */
  readonly steps: readonly Step[] | ((words: string) => readonly Step[]);
}

/** One message of a conversation; `words` is empty when it only brings tool results or the client's own reminders. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly words: string;
}

export const SUMMARY_MARK = 'SCRIPTED-COMPACT-SUMMARY';

const COMPACTION = /create a detailed summary of (?:the|this|our|your) (?:conversation|portion)|summary of the conversation so far/i;

const fits = ({ when }: Scene, words: string): boolean => (typeof when === 'string' ? words.includes(when) : when.test(words));

const SILENT: Step = { text: 'ok' };

/** The answer is a function of the conversation, so the server keeps no state and the client may repeat a request. */
export function chooseStep(turns: readonly Turn[], scenes: readonly Scene[]): Step {
  if (COMPACTION.test(turns.at(-1)?.words ?? '')) return { text: `<summary>\n${SUMMARY_MARK}: the two talked.\n</summary>` };
  const at = turns.findLastIndex((turn) => turn.role === 'user' && turn.words !== '');
  const words = turns[at]?.words ?? '';
  const scene = scenes.find((candidate) => fits(candidate, words));
  if (!scene) return SILENT;
  const steps = typeof scene.steps === 'function' ? scene.steps(words) : scene.steps;
  const answered = turns.slice(at + 1).filter((turn) => turn.role === 'assistant').length;
  return steps[answered] ?? steps.findLast((step) => step.text !== undefined && !step.calls) ?? SILENT;
}
