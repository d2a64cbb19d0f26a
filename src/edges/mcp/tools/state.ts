import type { Work, WorkChange } from '../../../app/work/work.ts';
import { ok } from '../../../core/result.ts';
import { isInWordsOf } from '../../../core/trust/request.ts';
import { fenced } from '../../../recall/inject/plain.ts';
import { refusalWhereOff } from '../user-consent.ts';
import { READ_SCHEMA, readResult, refused, stringArgument, textsOf, type Tool, type ToolContext, type ToolInput } from '../tool.ts';

const STEPS = { type: 'array', items: { type: 'string' } } as const;
const MOST_STEPS = 20;
const TEXT_LENGTH = 500;
/** Tells the next session that the text may rest on texts of others. */
const AFTER_OUTSIDE = ' (unconfirmed: noted after reading outside text)';

export const stateTool = (context: ToolContext): Tool => ({
  name: 'memory_state',
  description:
    'Keep where the work stands for the next session: call it when a task starts, a step is done, something blocks it, or it ends. Without fields, shows it.',
  inputSchema: {
    type: 'object',
    properties: {
      task: { type: 'string', maxLength: TEXT_LENGTH, description: 'what is being worked on now, in one sentence' },
      progress: { ...STEPS, description: 'steps that are done now: words or number of a listed step, or a new one' },
      next: { ...STEPS, description: 'steps still to do, the next one first' },
      blocker: { type: 'string', maxLength: TEXT_LENGTH, description: 'what holds the work up' },
      resolved: { type: 'string', description: 'words or number of a blocker that is gone' },
      ended: { type: 'string', enum: ['done', 'dropped'], description: 'the task is over' },
      note: { type: 'string', maxLength: TEXT_LENGTH, description: 'a lasting fact about the project (purpose, role, stack), for project.md' },
    },
  },
  outputSchema: READ_SCHEMA,
  annotations: { title: 'State of the work', readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  run: async (given) => {
    const change = changeOf(given, await wordsOf(context));
    if (typeof change === 'string') return { text: `INPUT_ERROR: ${change}`, isError: true };
    const { changeWork, readWork } = await import('../../../app/work/work.ts');
    const isReadOnly = Object.keys(change).length === 0;
    const off = isReadOnly ? undefined : await refusalWhereOff(context);
    if (off) return off;
    const { memory } = await context.project();
    const work = isReadOnly ? ok(await readWork(memory)) : await changeWork(memory, { ...change, addsFinished: true }, { actor: 'agent' });
    return work.ok ? readResult(fenced('state', workLines(work.value))) : refused(work.error);
  },
});

/** The user's words, if the agent has also read text of others; undefined if not. */
async function wordsOf(context: ToolContext): Promise<readonly string[] | undefined> {
  const { prompts, afterOutside } = await context.userPrompts();
  return afterOutside ? prompts.map(({ text }) => text) : undefined;
}

const FIELDS = ['task', 'progress', 'next', 'blocker', 'resolved', 'ended', 'note'];

/** The requested change, or the message of an error in it. */
function changeOf(given: ToolInput, typed: readonly string[] | undefined): WorkChange | string {
  const unknown = Object.keys(given).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) return `memory_state has no field ${JSON.stringify(unknown)}, and nothing was kept; it has ${FIELDS.join(', ')}`;
  const marked = (text: string): string => (typed === undefined || isInWordsOf(text, typed) ? text : text + AFTER_OUTSIDE);
  const [progress, next] = [textsOf(given, 'progress'), textsOf(given, 'next')];
  const [task, blocker, note, resolved] = ['task', 'blocker', 'note', 'resolved'].map((name) => stringArgument(given, name));
  const ended = given['ended'];
  if (ended !== undefined && ended !== 'done' && ended !== 'dropped') return 'ended is done or dropped';
  if (progress.length > MOST_STEPS || next.length > MOST_STEPS) return `progress and next take at most ${MOST_STEPS} steps`;
  const tooLong = [task, blocker, note, ...progress, ...next].find((text) => (text ?? '').length > TEXT_LENGTH);
  if (tooLong !== undefined) return `${JSON.stringify(tooLong.slice(0, 40))}… has ${tooLong.length} characters; an entry may have ${TEXT_LENGTH}`;
  return {
    ...(task !== undefined && { task: marked(task) }),
    ...(progress.length > 0 && { finished: progress }),
    ...(next.length > 0 && { next: next.map(marked) }),
    ...(blocker !== undefined && { blocker: marked(blocker) }),
    ...(resolved !== undefined && { resolved }),
    ...(ended !== undefined && { ended }),
    ...(note !== undefined && { note: marked(note) }),
  };
}

const workLines = ({ task = 'none', steps, blockers }: Work): readonly string[] => [
  `Task: ${task}`,
  ...(steps.length === 0 ? [] : [`Progress: ${steps.filter(({ ticked }) => ticked).length}/${steps.length}`]),
  ...steps.map(({ text, ticked }, at) => `  ${at + 1}. [${ticked ? 'x' : ' '}] ${text}`),
  `Blockers: ${blockers.length === 0 ? 'none' : ''}`,
  ...blockers.map(({ text }, at) => `  ${at + 1}. ${text}`),
];
