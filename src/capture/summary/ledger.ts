import type { Message, ToolCall } from '../../core/episode.ts';
import { isChange } from '../triage/activity.ts';
import { type Check, checkFrom } from './checks.ts';
import { type SessionCommit, commitFrom, isCommit } from './commits.ts';
import { isScratch } from './paths.ts';
import { TaskList } from './tasks.ts';

/** A file as the session left it. */
export interface ChangedFile {
  readonly path: string;
  readonly edits: number;
  readonly isNew: boolean;
  readonly committed: boolean;
}

const MAX_FILES = 2_000;
const MAX_COMMITS = 200;
const MAX_OPEN_CALLS = 400;
const MAX_STAGED = 20_000;

/** What was done, told by the tools and not by anybody's words: files changed, commits made, checks run, tasks ticked off. */
export class ToolActivity {
  readonly #calls = new Map<string, ToolCall>();
  readonly #files = new Map<string, ChangedFile>();
  readonly #tasks = new TaskList();
  readonly #checks = new Map<Check['kind'], Check>();
  #commits: SessionCommit[] = [];
  #changedSinceCheck = false;
  #plan: string | undefined;
  #staged = '';
  #project: string | undefined;

  add(message: Message): void {
    for (const call of message.toolCalls ?? []) {
      this.#calls.set(call.id, call);
      if (this.#calls.size > MAX_OPEN_CALLS) this.#calls.delete(this.#calls.keys().next().value as string);
      this.#tasks.called(call);
    }
    if (message.role !== 'tool' || message.answers === undefined) return;
    const call = this.#calls.get(message.answers);
    this.#calls.delete(message.answers);
    if (call === undefined) return;
    this.#tasks.answered(call.id, message.text);
    if (/^ExitPlanMode$/i.test(call.name)) this.#plan = message.failed === true ? call.input : undefined;
    if (isChange(call) && message.failed !== true) this.#changed(call, message.text);
    if (call.command !== undefined) this.#ran(call.command, message);
  }

  /** Files that count: an agent's own notes do not, unless the project itself lies where notes do. */
  get files(): readonly ChangedFile[] {
    return [...this.#files.values()].filter(({ path }) => !isScratch(path) || this.#isInProject(path));
  }

  /** The folder of the project, where it is known. */
  inProject(folder: string | undefined): void {
    this.#project = folder;
  }

  #isInProject(path: string): boolean {
    return this.#project !== undefined && path.startsWith(`${this.#project.replace(/\/$/, '')}/`) && !isScratch(path.slice(this.#project.length));
  }

  get commits(): readonly SessionCommit[] {
    return this.#commits;
  }

  get tasks(): TaskList['tasks'] {
    return this.#tasks.tasks;
  }

  /** A plan that was put before the person last and not taken up. */
  get openPlan(): string | undefined {
    return this.#plan;
  }

  /** The last word of each check. */
  get checks(): readonly Check[] {
    return [...this.#checks.values()];
  }

  /** Files were changed after the last check. */
  get unchecked(): boolean {
    return this.#changedSinceCheck;
  }

  #changed(call: ToolCall, answer: string): void {
    for (const path of call.files) {
      const known = this.#files.get(path);
      if (known === undefined && this.#files.size >= MAX_FILES) continue;
      const isNew = known?.isNew ?? (/^(?:write|create)/i.test(call.name) && /\bcreated\b/i.test(answer));
      this.#files.set(path, { path, edits: (known?.edits ?? 0) + 1, isNew, committed: false });
      if (isScratch(path)) continue;
      this.#changedSinceCheck = true;
      this.#plan = undefined;
    }
  }

  #ran(command: string, answer: Message): void {
    const failed = answer.failed === true;
    if (/\bgit\b[^|;&]*\badd\b/.test(command)) this.#staged = `${this.#staged}\n${command}`.slice(-MAX_STAGED);
    if (isCommit(command)) {
      const commit = commitFrom(command, answer.text, failed);
      if (commit !== undefined) this.#committed({ ...commit, messageId: answer.id });
      return;
    }
    const check = checkFrom(command, answer.text, failed);
    if (check === undefined) return;
    this.#checks.set(check.kind, check);
    if (check.kind === 'tests') this.#changedSinceCheck = false;
  }

  /** A commit takes what was staged before it; where nothing was staged by name, all that the agent changed. */
  #committed(commit: SessionCommit): void {
    this.#commits = [...this.#commits, commit].slice(-MAX_COMMITS);
    const named = [...this.#files.values()].filter((file) => this.#staged.includes(file.path.split('/').at(-1) as string));
    const taken = named.length > 0 && !/\badd (?:-A|--all|-u|\.)/.test(this.#staged) ? named : [...this.#files.values()];
    for (const file of taken) this.#files.set(file.path, { ...file, committed: true });
    this.#staged = '';
  }
}
