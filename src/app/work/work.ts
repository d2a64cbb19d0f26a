import { utcSeconds } from '../../core/instant.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { addItems, dropItems, listItems, tickItem, type ListItem } from '../../render/documents/items.ts';
import { NO_ACTIVE, NO_BLOCKERS, NO_COMPLETED, renderTask, taskOf, renderProject, type ProjectChange } from '../../render/documents/project.ts';
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
  const clean = text.replace(/\s+/g, ' ').trim();
  if (clean === '') return refuse('USAGE_ERROR', 'The text is empty.');
  return clean.length > LONGEST ? refuse('VALIDATION_ERROR', `The text has ${clean.length} characters; an entry may have ${LONGEST}.`) : ok(clean);
}

/** The entry that a number or some of its words stand for. */
function pick(items: readonly ListItem[], word: string, what: string): Result<ListItem> {
  const number = /^\d+$/.test(word) ? items[Number(word) - 1] : undefined;
  const found = number ? [number] : items.filter(({ text }) => text.toLowerCase().includes(word.toLowerCase()));
  const [first, ...others] = found;
  if (!first)
    return refuse('NOT_FOUND', `No ${what} matches ${JSON.stringify(word)}.`, {
      missing: true,
      hint: items.map(({ text }, at) => `${at + 1} ${text}`).join('; ') || 'there is none',
    });
  return others.length === 0
    ? ok(first)
    : refuse('AMBIGUOUS_ID', `${found.length} entries match ${JSON.stringify(word)}.`, {
        hint: found.map((item) => `${items.indexOf(item) + 1} ${item.text}`).join('; '),
      });
}

type Change = (write: Writing) => Promise<Result<unknown>>;

/** Makes the changes as one action and tells where the work stands then. */
function changed(memory: Memory, author: Author, change: Change): Promise<Result<Work>> {
  return writing(memory, author, async (write) => {
    const done = await change(write);
    return done.ok ? ok(await readWork(memory)) : done;
  });
}

const complete = (memory: Memory, write: Writing, text: string): Promise<Result<unknown>> =>
  editDocument(memory, write, {
    place: DOCUMENTS.completed,
    edit: (source = NO_COMPLETED) => ok(addItems(source, [`- ${utcSeconds(memory.now())} ${text}`], 'first')),
  });

/** Says what is being worked on now. */
export async function setTask(memory: Memory, text: string, author: Author): Promise<Result<Work>> {
  const clean = line(text);
  if (!clean.ok) return clean;
  return changed(memory, author, (write) =>
    editDocument(memory, write, { place: DOCUMENTS.task, edit: (source) => ok(renderTask(source, { text: clean.value, started: utcSeconds(memory.now()) })) }),
  );
}

/** Ends the task: as finished, with its ticked steps, or without a trace in what was completed. */
export function endTask(memory: Memory, how: 'done' | 'dropped', author: Author): Promise<Result<Work>> {
  return changed(memory, author, async (write) => {
    const { task, steps } = await readWork(memory);
    if (task === undefined) return refuse('NOT_FOUND', 'No task is set.', { missing: true, hint: 'set one with holdfast task TEXT' });
    const ticked = steps.filter((step) => step.ticked === true);
    const cleared = await editDocument(memory, write, { place: DOCUMENTS.task, edit: (source) => ok(renderTask(source, undefined)) });
    if (!cleared.ok || how === 'dropped') return cleared;
    const tidied = await editDocument(memory, write, { place: DOCUMENTS.active, edit: (source) => ok(source && dropItems(source, ticked, 'Nothing yet.')) });
    return tidied.ok ? complete(memory, write, task.replace(/\s+/g, ' ')) : tidied;
  });
}

/** Adds steps to what is under way. */
export async function addSteps(memory: Memory, texts: readonly string[], author: Author): Promise<Result<Work>> {
  const entries: string[] = [];
  for (const text of texts) {
    const clean = line(text);
    if (!clean.ok) return clean;
    entries.push(`- [ ] ${clean.value}`);
  }
  return changed(memory, author, (write) =>
    editDocument(memory, write, { place: DOCUMENTS.active, edit: (source = NO_ACTIVE) => ok(addItems(source, entries)) }),
  );
}

/** Ticks a step and notes it among what was completed, or takes it out. */
export function endStep(memory: Memory, word: string, how: 'done' | 'dropped', author: Author): Promise<Result<Work>> {
  return changed(memory, author, async (write) => {
    const { steps } = await readWork(memory);
    const found = pick(how === 'done' && !/^\d+$/.test(word) ? steps.filter(({ ticked }) => ticked !== true) : steps, word, 'step');
    if (!found.ok) return found;
    if (how === 'done' && found.value.ticked === true) return ok(undefined);
    const edited = await editDocument(memory, write, {
      place: DOCUMENTS.active,
      edit: (source = '') => ok(how === 'done' ? tickItem(source, found.value) : dropItems(source, [found.value], 'Nothing yet.')),
    });
    return edited.ok && how === 'done' ? complete(memory, write, found.value.text) : edited;
  });
}

/** Notes what holds the work up. */
export async function addBlocker(memory: Memory, text: string, author: Author): Promise<Result<Work>> {
  const clean = line(text);
  if (!clean.ok) return clean;
  const entry = `- ${clean.value} (since ${utcSeconds(memory.now())})`;
  return changed(memory, author, (write) =>
    editDocument(memory, write, { place: DOCUMENTS.blockers, edit: (source = NO_BLOCKERS) => ok(addItems(source, [entry])) }),
  );
}

/** A blocker is out of the way: it leaves the list and is noted among what was completed. */
export function resolveBlocker(memory: Memory, word: string, author: Author): Promise<Result<Work>> {
  return changed(memory, author, async (write) => {
    const { blockers } = await readWork(memory);
    const found = pick(blockers, word, 'blocker');
    if (!found.ok) return found;
    const edited = await editDocument(memory, write, { place: DOCUMENTS.blockers, edit: (source = '') => ok(dropItems(source, [found.value], 'None.')) });
    return edited.ok ? complete(memory, write, `Resolved: ${found.value.text}`) : edited;
  });
}

/** Says what the project is and what one's role in it is; the document is begun if it is not there. */
export async function describeProject(memory: Memory, change: ProjectChange, author: Author): Promise<Result<WrittenDocument>> {
  const empty = Object.entries(change.sections).find(([, text]) => text.trim() === '');
  if (empty) return refuse('USAGE_ERROR', `--${empty[0]} is empty`);
  const facts = { key: memory.key, path: memory.projectPath ?? '', now: utcSeconds(memory.now()) };
  return writeDocument(memory, { ...author, place: DOCUMENTS.project, edit: (source) => ok(renderProject(source, facts, change)) });
}
