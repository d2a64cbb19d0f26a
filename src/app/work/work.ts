import { utcSeconds } from '../../core/instant.ts';
import type { FileRef } from '../../core/ports/store.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { addItems, dropItems, listItems, tickItem, type ListItem } from '../../render/documents/items.ts';
import {
  NO_ACTIVE,
  NO_BLOCKERS,
  NO_COMPLETED,
  renderTask,
  taskOf,
  renderProject,
  type ProjectChange,
  type ProjectFacts,
} from '../../render/documents/project.ts';
import { DOCUMENTS, documentText } from '../documents/read.ts';
import { editDocument, writeDocument, type WrittenDocument } from '../documents/write.ts';
import type { Memory } from '../memory/memory.ts';
import { writing, type Author, type Writing } from '../write/transaction.ts';

/** The state of the work, from four documents of the project. */
export interface Work {
  readonly task?: string;
  readonly steps: readonly ListItem[];
  readonly blockers: readonly ListItem[];
  readonly completed: readonly ListItem[];
}

export async function readWork(memory: Memory): Promise<Work> {
  const task = taskOf(await documentText(memory, DOCUMENTS.task));
  return {
    ...(task !== undefined && { task }),
    steps: listItems(await documentText(memory, DOCUMENTS.active)),
    blockers: listItems(await documentText(memory, DOCUMENTS.blockers)),
    completed: listItems(await documentText(memory, DOCUMENTS.completed)),
  };
}

const LONGEST = 2_000;

function line(text: string): Result<string> {
  const clean = oneLine(text);
  if (clean === '') return refuse('USAGE_ERROR', 'The text is empty.');
  return clean.length > LONGEST ? refuse('VALIDATION_ERROR', `The text has ${clean.length} characters; an entry may have ${LONGEST}.`) : ok(clean);
}

/** The entry with this number or containing these words. */
function findEntry(items: readonly ListItem[], word: string, what: string): Result<ListItem> {
  const number = /^\d+$/.test(word) ? items[Number(word) - 1] : undefined;
  const containing = items.filter(({ text }) => text.toLowerCase().includes(word.toLowerCase()));
  const equal = containing.filter(({ text }) => text.toLowerCase() === word.toLowerCase());
  const matches = number ? [number] : equal.length === 1 ? equal : containing;
  const [first, ...others] = matches;
  if (!first)
    return refuse('NOT_FOUND', `No ${what} matches ${JSON.stringify(word)}.`, {
      missing: true,
      hint: items.map(({ text }, at) => `${at + 1} ${text}`).join('; ') || 'the list is empty',
    });
  return others.length === 0
    ? ok(first)
    : refuse('AMBIGUOUS_ID', `${matches.length} entries match ${JSON.stringify(word)}.`, {
        hint: matches.map((item) => `${items.indexOf(item) + 1} ${item.text}`).join('; '),
      });
}

/** A change of the work in progress; one undo reverts all of it. */
export interface WorkChange {
  /** The current task. */
  readonly task?: string;
  /** `done` moves the task to the completed list and removes ticked steps; `dropped` only clears the task. */
  readonly ended?: 'done' | 'dropped';
  /** Steps to add at the end. */
  readonly steps?: readonly string[];
  /** Steps to add before the open ones; an open step moves there. */
  readonly next?: readonly string[];
  /** Finished steps, by number or by some of their words. */
  readonly finished?: readonly string[];
  /** A finished step that is not on the list is added, ticked. */
  readonly addsFinished?: boolean;
  /** Steps to take out. */
  readonly dropped?: readonly string[];
  readonly blocker?: string;
  /** The blocker that was resolved. */
  readonly resolved?: string;
  /** Added to the notes in the project's document. */
  readonly note?: string;
}

type Operation = (memory: Memory, write: Writing) => Promise<Result<unknown>>;

/** Applies the changes and returns the new state; refuses before writing if any change is not possible. */
export function changeWork(memory: Memory, change: WorkChange, author: Author): Promise<Result<Work>> {
  return writing(memory, author, async (write) => {
    const refusal = refusalOf(await readWork(memory), change);
    if (refusal) return refusal;
    for (const operation of operationsOf(change)) {
      const changed = await operation(memory, write);
      if (!changed.ok) return changed;
    }
    return ok(await readWork(memory));
  });
}

function refusalOf({ task, steps, blockers }: Work, change: WorkChange): (Result<never> & { readonly ok: false }) | undefined {
  const texts = [change.task, change.blocker, change.note].flatMap((text) => text ?? []);
  const checks = [
    ...[...texts, ...(change.steps ?? []), ...(change.next ?? [])].map(line),
    ...(change.finished ?? []).map((word) => (mayAdd(change, steps, word) ? line(word) : findEntry(stillOpen(steps, word), word, 'step'))),
    ...(change.dropped ?? []).map((word) => findEntry(steps, word, 'step')),
    ...(change.resolved === undefined ? [] : [findEntry(blockers, change.resolved, 'blocker')]),
    ...(change.ended === undefined || task !== undefined
      ? []
      : [refuse('NOT_FOUND', 'No task is set.', { missing: true, hint: 'set one with holdfast task TEXT' })]),
  ];
  return checks.find((checked) => !checked.ok);
}

/** Operations that end something run before those that begin something. */
const operationsOf = (change: WorkChange): readonly Operation[] => [
  ...(change.resolved === undefined ? [] : [resolveBlocker(change.resolved)]),
  ...(change.finished ?? []).map((word) => finishStep(word, change)),
  ...(change.dropped ?? []).map(dropStep),
  ...(change.ended === undefined ? [] : [endTask(change.ended)]),
  ...(change.task === undefined ? [] : [setTask(change.task)]),
  ...(change.steps === undefined ? [] : [addSteps(change.steps)]),
  ...(change.next === undefined ? [] : [putNext(change.next)]),
  ...(change.blocker === undefined ? [] : [addBlocker(change.blocker)]),
  ...(change.note === undefined ? [] : [addNote(change.note)]),
];

/** A number can only mean an existing step. */
const mayAdd = ({ addsFinished }: WorkChange, steps: readonly ListItem[], word: string): boolean =>
  addsFinished === true && !/^\d+$/.test(word) && !findEntry(stillOpen(steps, word), word, 'step').ok;

const stillOpen = (steps: readonly ListItem[], word: string): readonly ListItem[] =>
  /^\d+$/.test(word) ? steps : steps.filter(({ ticked }) => ticked !== true);

const edit =
  (place: FileRef, next: (source: string | undefined, now: string) => string | undefined): Operation =>
  (memory, write) =>
    editDocument(memory, write, { place, edit: (source) => ok(next(source, utcSeconds(memory.now()))) });

/** The date at the end of a stored blocker. */
const SINCE = / \(since [^()]*\)$/;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const complete = (text: string): Operation =>
  edit(DOCUMENTS.completed, (source = NO_COMPLETED, now) => addItems(source, [`- ${now} ${oneLine(text)}`], 'first'));

const setTask = (text: string): Operation => edit(DOCUMENTS.task, (source, now) => renderTask(source, { text: oneLine(text), started: now }));

const endTask =
  (how: 'done' | 'dropped'): Operation =>
  async (memory, write) => {
    const { task = '' } = await readWork(memory);
    const cleared = await edit(DOCUMENTS.task, (source) => renderTask(source, undefined))(memory, write);
    if (!cleared.ok || how === 'dropped') return cleared;
    const ticked = (source: string): readonly ListItem[] => listItems(source).filter((step) => step.ticked === true);
    const tidied = await edit(DOCUMENTS.active, (source) => source && dropItems(source, ticked(source), 'Nothing yet.'))(memory, write);
    return tidied.ok ? complete(task)(memory, write) : tidied;
  };

const openStep = (text: string): string => `- [ ] ${oneLine(text)}`;

const addSteps = (texts: readonly string[]): Operation =>
  edit(DOCUMENTS.active, (source = NO_ACTIVE) => {
    const open = listItems(source).flatMap(({ text, ticked }) => (ticked === true ? [] : [text]));
    const fresh = texts.filter((text) => !open.includes(oneLine(text)));
    return fresh.length === 0 ? source : addItems(source, fresh.map(openStep));
  });

const putNext = (texts: readonly string[]): Operation =>
  edit(DOCUMENTS.active, (source = NO_ACTIVE) => {
    const known = new Set(texts.map(oneLine));
    const there = listItems(source).filter(({ text, ticked }) => ticked !== true && known.has(text));
    return addItems(dropItems(source, there, 'Nothing yet.'), texts.map(openStep), 'next');
  });

/** Ticks a step and adds it to the completed list. */
const finishStep =
  (word: string, change: WorkChange): Operation =>
  async (memory, write) => {
    const { steps } = await readWork(memory);
    const isNew = mayAdd(change, steps, word);
    const existing = isNew ? ok(undefined) : findEntry(stillOpen(steps, word), word, 'step');
    if (!existing.ok || existing.value?.ticked === true) return existing;
    const step = existing.value;
    const edited = await edit(DOCUMENTS.active, (source = NO_ACTIVE) => (step ? tickItem(source, step) : addItems(source, [`- [x] ${oneLine(word)}`], 'next')))(
      memory,
      write,
    );
    return edited.ok ? complete(step?.text ?? word)(memory, write) : edited;
  };

const dropStep =
  (word: string): Operation =>
  async (memory, write) => {
    const step = findEntry((await readWork(memory)).steps, word, 'step');
    return step.ok ? edit(DOCUMENTS.active, (source = '') => dropItems(source, [step.value], 'Nothing yet.'))(memory, write) : step;
  };

const addBlocker = (text: string): Operation =>
  edit(DOCUMENTS.blockers, (source = NO_BLOCKERS, now) => {
    const isThere = listItems(source).some((item) => item.text.replace(SINCE, '') === oneLine(text));
    return isThere ? source : addItems(source, [`- ${oneLine(text)} (since ${now})`]);
  });

/** Moves a blocker to the completed list. */
const resolveBlocker =
  (word: string): Operation =>
  async (memory, write) => {
    const blocker = findEntry((await readWork(memory)).blockers, word, 'blocker');
    if (!blocker.ok) return blocker;
    const edited = await edit(DOCUMENTS.blockers, (source = '') => dropItems(source, [blocker.value], 'None.'))(memory, write);
    return edited.ok ? complete(`Resolved: ${blocker.value.text}`)(memory, write) : edited;
  };

const factsOf = (memory: Memory): ProjectFacts => ({ key: memory.key, path: memory.projectPath ?? '', now: utcSeconds(memory.now()) });

const addNote =
  (text: string): Operation =>
  (memory, write) =>
    edit(DOCUMENTS.project, (source) => renderProject(source, factsOf(memory), { sections: { notes: text } }))(memory, write);

/** Changes the project's description; creates the document if it is missing. */
export async function describeProject(memory: Memory, change: ProjectChange, author: Author): Promise<Result<WrittenDocument>> {
  const empty = Object.entries(change.sections).find(([, text]) => text.trim() === '');
  if (empty) return refuse('USAGE_ERROR', `--${empty[0]} is empty`);
  return writeDocument(memory, { ...author, place: DOCUMENTS.project, edit: (source) => ok(renderProject(source, factsOf(memory), change)) });
}
