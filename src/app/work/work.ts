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

/** Where the work stands, as the four documents of a project say. */
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

/** The entry that a number or some of its words stand for. */
function pick(items: readonly ListItem[], word: string, what: string): Result<ListItem> {
  const number = /^\d+$/.test(word) ? items[Number(word) - 1] : undefined;
  const holding = items.filter(({ text }) => text.toLowerCase().includes(word.toLowerCase()));
  const same = holding.filter(({ text }) => text.toLowerCase() === word.toLowerCase());
  const found = number ? [number] : same.length === 1 ? same : holding;
  const [first, ...others] = found;
  if (!first)
    return refuse('NOT_FOUND', `No ${what} matches ${JSON.stringify(word)}.`, {
      missing: true,
      hint: items.map(({ text }, at) => `${at + 1} ${text}`).join('; ') || 'the list is empty',
    });
  return others.length === 0
    ? ok(first)
    : refuse('AMBIGUOUS_ID', `${found.length} entries match ${JSON.stringify(word)}.`, {
        hint: found.map((item) => `${items.indexOf(item) + 1} ${item.text}`).join('; '),
      });
}

/** A change of the work in progress. It is one action, which one undo takes back. */
export interface WorkChange {
  /** The current task. */
  readonly task?: string;
  /** The task is over: finished, with its ticked steps, or dropped without a trace in what was completed. */
  readonly ended?: 'done' | 'dropped';
  /** Steps to come, after those that are there. */
  readonly steps?: readonly string[];
  /** Steps to come, before those that are open; an open one moves there. */
  readonly next?: readonly string[];
  /** Finished steps, by number or by some of their words. */
  readonly finished?: readonly string[];
  /** A finished step that is not on the list is added, ticked. */
  readonly addsFinished?: boolean;
  /** Steps to take out. */
  readonly dropped?: readonly string[];
  readonly blocker?: string;
  /** The blocker that is out of the way. */
  readonly resolved?: string;
  /** For the notes in the project's document. */
  readonly note?: string;
}

type Operation = (memory: Memory, write: Writing) => Promise<Result<unknown>>;

/** Makes the changes and tells where the work stands then; what cannot be done is refused before anything is written. */
export function changeWork(memory: Memory, change: WorkChange, author: Author): Promise<Result<Work>> {
  return writing(memory, author, async (write) => {
    const refusal = refusalOf(await readWork(memory), change);
    if (refusal) return refusal;
    for (const operation of operationsOf(change)) {
      const done = await operation(memory, write);
      if (!done.ok) return done;
    }
    return ok(await readWork(memory));
  });
}

function refusalOf({ task, steps, blockers }: Work, change: WorkChange): (Result<never> & { readonly ok: false }) | undefined {
  const texts = [change.task, change.blocker, change.note].flatMap((text) => text ?? []);
  const checks = [
    ...[...texts, ...(change.steps ?? []), ...(change.next ?? [])].map(line),
    ...(change.finished ?? []).map((word) => (mayAdd(change, steps, word) ? line(word) : pick(stillOpen(steps, word), word, 'step'))),
    ...(change.dropped ?? []).map((word) => pick(steps, word, 'step')),
    ...(change.resolved === undefined ? [] : [pick(blockers, change.resolved, 'blocker')]),
    ...(change.ended === undefined || task !== undefined
      ? []
      : [refuse('NOT_FOUND', 'No task is set.', { missing: true, hint: 'set one with holdfast task TEXT' })]),
  ];
  return checks.find((checked) => !checked.ok);
}

/** Ends come before beginnings. */
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

/** A number names only a step that is there. */
const mayAdd = ({ addsFinished }: WorkChange, steps: readonly ListItem[], word: string): boolean =>
  addsFinished === true && !/^\d+$/.test(word) && !pick(stillOpen(steps, word), word, 'step').ok;

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

/** Ticks a step and notes it among what was completed. */
const finishStep =
  (word: string, change: WorkChange): Operation =>
  async (memory, write) => {
    const { steps } = await readWork(memory);
    const adds = mayAdd(change, steps, word);
    const found = adds ? ok(undefined) : pick(stillOpen(steps, word), word, 'step');
    if (!found.ok || found.value?.ticked === true) return found;
    const step = found.value;
    const edited = await edit(DOCUMENTS.active, (source = NO_ACTIVE) => (step ? tickItem(source, step) : addItems(source, [`- [x] ${oneLine(word)}`], 'next')))(
      memory,
      write,
    );
    return edited.ok ? complete(step?.text ?? word)(memory, write) : edited;
  };

const dropStep =
  (word: string): Operation =>
  async (memory, write) => {
    const found = pick((await readWork(memory)).steps, word, 'step');
    return found.ok ? edit(DOCUMENTS.active, (source = '') => dropItems(source, [found.value], 'Nothing yet.'))(memory, write) : found;
  };

const addBlocker = (text: string): Operation =>
  edit(DOCUMENTS.blockers, (source = NO_BLOCKERS, now) => {
    const isThere = listItems(source).some((item) => item.text.replace(SINCE, '') === oneLine(text));
    return isThere ? source : addItems(source, [`- ${oneLine(text)} (since ${now})`]);
  });

/** A blocker that is out of the way leaves the list and is noted among what was completed. */
const resolveBlocker =
  (word: string): Operation =>
  async (memory, write) => {
    const found = pick((await readWork(memory)).blockers, word, 'blocker');
    if (!found.ok) return found;
    const edited = await edit(DOCUMENTS.blockers, (source = '') => dropItems(source, [found.value], 'None.'))(memory, write);
    return edited.ok ? complete(`Resolved: ${found.value.text}`)(memory, write) : edited;
  };

const factsOf = (memory: Memory): ProjectFacts => ({ key: memory.key, path: memory.projectPath ?? '', now: utcSeconds(memory.now()) });

const addNote =
  (text: string): Operation =>
  (memory, write) =>
    edit(DOCUMENTS.project, (source) => renderProject(source, factsOf(memory), { sections: { notes: text } }))(memory, write);

/** Says what the project is and what one's role in it is; the document is begun if it is not there. */
export async function describeProject(memory: Memory, change: ProjectChange, author: Author): Promise<Result<WrittenDocument>> {
  const empty = Object.entries(change.sections).find(([, text]) => text.trim() === '');
  if (empty) return refuse('USAGE_ERROR', `--${empty[0]} is empty`);
  return writeDocument(memory, { ...author, place: DOCUMENTS.project, edit: (source) => ok(renderProject(source, factsOf(memory), change)) });
}
