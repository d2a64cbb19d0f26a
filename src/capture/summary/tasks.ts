import type { ToolCall } from '../../core/episode.ts';

export type TaskState = 'pending' | 'in_progress' | 'completed';

export interface Task {
  readonly subject: string;
  readonly state: TaskState;
}

const MAX_TASKS = 200;
const stateOf = (word: string | undefined): TaskState | undefined =>
  word === 'completed' || word === 'done'
    ? 'completed'
    : word === 'in_progress' || word === 'active'
      ? 'in_progress'
      : word === 'pending' || word === 'todo'
        ? 'pending'
        : undefined;

/** The agent's own list of tasks, as its clients' tools write it: one call a task, or the whole list each time. */
export class TaskList {
  #tasks = new Map<string, Task>();
  /** Calls that make a task whose number is told by the answer. */
  readonly #unnumbered = new Map<string, string>();

  get tasks(): readonly Task[] {
    return [...this.#tasks.values()];
  }

  called(call: ToolCall): void {
    if (/^TaskCreate$/i.test(call.name)) this.#unnumbered.set(call.id, (call.input.split('\n')[0] ?? '').trim());
    else if (/^TaskUpdate$/i.test(call.name)) this.#update(call.input);
    else if (/^(?:TodoWrite|update_plan|write_todos|todowrite)$/i.test(call.name)) this.#replace(call.input);
  }

  answered(callId: string, text: string): void {
    const subject = this.#unnumbered.get(callId);
    const number = /#(\d+)/.exec(text)?.[1];
    this.#unnumbered.delete(callId);
    if (subject !== undefined && subject !== '' && number !== undefined && this.#tasks.size < MAX_TASKS) this.#tasks.set(number, { subject, state: 'pending' });
  }

  #update(input: string): void {
    const id = /taskId: (\d+)/.exec(input)?.[1] ?? '';
    const word = /status: (\w+)/.exec(input)?.[1];
    const task = this.#tasks.get(id);
    if (word === 'deleted') this.#tasks.delete(id);
    const state = stateOf(word);
    if (task !== undefined && state !== undefined) this.#tasks.set(id, { ...task, state });
  }

  #replace(input: string): void {
    const tasks: Task[] = [];
    let subject = '';
    for (const line of input.replace(/^(?:todos|plan): /, '').split('\n')) {
      const state = stateOf(/^status: (\w+)/.exec(line)?.[1]);
      if (state !== undefined && subject !== '') {
        tasks.push({ subject, state });
        subject = '';
      } else if (!/^(?:id|priority|activeForm|explanation|status): /.test(line) && line.trim() !== '')
        subject = line.replace(/^(?:content|step|description): /, '').trim();
    }
    if (tasks.length > 0) this.#tasks = new Map(tasks.slice(0, MAX_TASKS).map((task, at) => [String(at), task]));
  }
}
