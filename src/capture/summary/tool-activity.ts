import type { Message, ToolCall } from '../../core/episode/episode.ts';
import { isCommit, messageIn } from '../commits/commit-command.ts';
import { isChange } from '../triage/activity.ts';
import { isScratch } from './text.ts';
import { TaskList } from './tasks.ts';

/** The last result of tests, linter, type checker or build. */
export interface Check {
  readonly kind: 'tests' | 'lint' | 'types' | 'build';
  readonly passed: boolean;
  readonly count?: number;
}

const KINDS: readonly (readonly [Check['kind'], RegExp])[] = [
  ['types', /\b(?:typecheck|type-check|tsc|pyright|mypy|ty check|flow check|cargo check)\b/],
  ['lint', /\b(?:lint|eslint|oxlint|biome|ruff|clippy|golangci|flake8|rubocop)\b/],
  ['tests', /\b(?:tests?|vitest|jest|pytest|mocha|rspec|ctest|phpunit|playwright)\b/],
  ['build', /\b(?:build|compile|webpack|esbuild|make)\b/],
];

/** The last number before a word: totals come at the end of the output. */
const numberBefore = (word: string, text: string): number | undefined => {
  const count = [...text.matchAll(new RegExp(String.raw`(\d+)\s+${word}\b`, 'gi'))].at(-1)?.[1];
  return count === undefined ? undefined : Number(count);
};

function checkFrom(command: string, answer: string, failed: boolean): Check | undefined {
  const run = command
    .replace(/<<[\s\S]*$/, '')
    .replace(/"[^"]*"|'[^']*'/g, '')
    .split(/&&|;|\n/)
    // What git prints or its hooks do is no check of its own.
    .filter((part, _, parts) => parts.length === 1 || !/\bgit\b/.test(part))
    .join('&&');
  if (/\bgit\b|^\s*(?:cat|ls|grep|rg|find|sed|head|tail|echo|wc)\b/.test(run)) return undefined;
  const kind = KINDS.find(([, pattern]) => pattern.test(run))?.[0];
  if (kind === undefined) return undefined;
  const wrong = numberBefore('(?:tests? )?fail(?:ed|ures?|ing)?', answer);
  const right = numberBefore('(?:tests? )?pass(?:ed|ing)?', answer);
  // A pipe hides the exit code, so the output decides if it has counts.
  const broke =
    wrong === undefined
      ? failed || /exited with code [1-9]|error TS\d+|Found [1-9]\d* errors?\b|command not found|unrecognized subcommand/.test(answer)
      : wrong > 0;
  if (/unrecognized subcommand|command not found/.test(answer)) return undefined;
  return { kind, passed: !broke, ...(kind === 'tests' && right !== undefined ? { count: right } : {}) };
}

/** A commit made in the session. */
export interface SessionCommit {
  readonly subject: string;
  readonly hash?: string;
  /** The commit message below its subject. */
  readonly body?: string;
  /** ISO 8601, UTC. */
  readonly at?: string;
  /** The message that reports it. */
  readonly messageId?: string;
}

const REFUSED = new RegExp(
  [
    'nothing to commit|no changes added|script failed|FAILED: git commit|error: pathspec|fatal:|Aborting commit',
    'pre-commit hook (?:failed|exited)|husky - .* (?:failed|exited)',
  ].join('|'),
  'i',
);

/** The commit that an answer reports; undefined if none was made. */
function commitFrom(command: string, answer: string, failed: boolean): SessionCommit | undefined {
  const made = /^\[[^\]\s]+(?: \([^)]*\))? ([0-9a-f]{7,40})\] (.+)$/m.exec(answer);
  const { subject, body } = messageIn(command);
  const more = body === '' ? {} : { body };
  if (made) return { hash: made[1] as string, subject: (made[2] as string).trim(), ...more };
  if (failed || REFUSED.test(answer)) return undefined;
  return subject === '' ? undefined : { subject, ...more };
}

/** A file that the session changed. */
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

/** The work of a session, from its tool calls: changed files, commits, checks and tasks. */
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
      this.#tasks.addCall(call);
    }
    if (message.role !== 'tool' || message.answers === undefined) return;
    const call = this.#calls.get(message.answers);
    this.#calls.delete(message.answers);
    if (call === undefined) return;
    this.#tasks.addAnswer(call.id, message.text);
    if (/^ExitPlanMode$/i.test(call.name)) this.#plan = message.failed === true ? call.input : undefined;
    if (isChange(call) && message.failed !== true) this.#addChange(call, message.text);
    if (call.command !== undefined) this.#addRun(call.command, message);
  }

  /** The changed files, without the agent's own notes, unless the project is in a folder of notes. */
  get files(): readonly ChangedFile[] {
    return [...this.#files.values()].filter(({ path }) => !isScratch(path) || this.#isInProject(path));
  }

  /** Sets the folder of the project, if it is known. */
  setProject(folder: string | undefined): void {
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

  /** The last plan submitted for approval that was not carried out. */
  get openPlan(): string | undefined {
    return this.#plan;
  }

  /** The last result of each check. */
  get checks(): readonly Check[] {
    return [...this.#checks.values()];
  }

  /** Whether files were changed after the last test run. */
  get changedSinceCheck(): boolean {
    return this.#changedSinceCheck;
  }

  #addChange(call: ToolCall, answer: string): void {
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

  #addRun(command: string, answer: Message): void {
    const failed = answer.failed === true;
    if (/\bgit\b[^|;&]*\badd\b/.test(command)) this.#staged = `${this.#staged}\n${command}`.slice(-MAX_STAGED);
    if (isCommit(command)) {
      const commit = commitFrom(command, answer.text, failed);
      if (commit !== undefined) this.#addCommit({ ...commit, messageId: answer.id, ...(answer.at !== undefined && { at: answer.at }) });
    }
    const check = checkFrom(command, answer.text, failed);
    // A commit that was refused tells nothing of the tests before it, unless they say it themselves.
    if (check === undefined || (isCommit(command) && check.count === undefined)) return;
    this.#checks.set(check.kind, check);
    if (check.kind === 'tests') this.#changedSinceCheck = false;
  }

  /** Marks the staged files as committed; if none was staged by name, all changed files. */
  #addCommit(commit: SessionCommit): void {
    this.#commits = [...this.#commits, commit].slice(-MAX_COMMITS);
    const named = [...this.#files.values()].filter((file) => this.#staged.includes(file.path.split('/').at(-1) as string));
    const committedFiles = named.length > 0 && !/\badd (?:-A|--all|-u|\.)/.test(this.#staged) ? named : [...this.#files.values()];
    for (const file of committedFiles) this.#files.set(file.path, { ...file, committed: true });
    this.#staged = '';
  }
}
