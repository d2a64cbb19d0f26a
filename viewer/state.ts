import { computed, effect, signal } from '@preact/signals';
import type { ActResult, Acts, Overview, UndoStep } from '../src/edges/http/contract.ts';
import { act, ask } from './api.ts';
import { key } from './key.ts';
import { Refusal } from './refusal.ts';
import { ALL, route } from './route.ts';
import { complain, say, toasts } from './toasts.ts';

export const overview = signal<Overview | undefined>(undefined);
/** A version of the current project's data on the disk. */
export const version = signal('');
/** How many records of the current project wait for review. */
export const waiting = signal(0);
/** Whether the server still answers. */
export const isOnline = signal(true);

interface Undoable {
  readonly project: string;
  /** What the change did, for the message. */
  readonly did: string;
  readonly step: UndoStep;
}

const undoable = signal<readonly Undoable[]>([]);
export const canUndo = computed(() => undoable.value.length > 0);

/** Sends a change to the server, shows its result and remembers how to undo it. False if it was refused. */
export async function perform<K extends keyof Acts>(name: K, body: Acts[K]): Promise<boolean> {
  try {
    const result = await act(name, body);
    remember(body.project, result);
    await checkForChanges();
    return true;
  } catch (cause) {
    complain(cause);
    return false;
  }
}

export function remember(project: string, { did, undo, notes }: ActResult): void {
  if (undo) undoable.value = [...undoable.value, { project, did, step: undo }];
  say(did, { ...(notes.length > 0 && { hint: notes.join(' · ') }), ...(undo && { undo: () => void undoLast() }) });
}

/** Undoes the last change of this page. */
export async function undoLast(): Promise<void> {
  const last = undoable.value.at(-1);
  if (!last) return say('There is nothing to undo on this page.', { hint: 'the history of a record takes back older changes' });
  undoable.value = undoable.value.slice(0, -1);
  // The buttons of older messages would undo another change.
  toasts.value = toasts.value.filter(({ undo }) => undo === undefined);
  try {
    await act('undo', { project: last.project, step: last.step });
    say(`Undone: ${last.did}`);
  } catch (cause) {
    complain(cause);
  }
  await checkForChanges();
}

/** Asks the server whether data has changed. */
export async function checkForChanges(): Promise<void> {
  const { project } = route.value;
  if (key.value === undefined) return;
  try {
    const changes = await ask('changes', { project: project ?? ALL });
    version.value = `${project ?? ''} ${changes.version}`;
    waiting.value = changes.inbox;
    isOnline.value = true;
  } catch (cause) {
    if (cause instanceof Refusal && cause.answer.error === 'GONE') isOnline.value = false;
  }
}

/** An answer costs the server about a millisecond. */
const CHECK_MS = 400;

/** Checks for changes again after each answer. */
async function keepChecking(): Promise<void> {
  if (document.visibilityState === 'visible') await checkForChanges();
  setTimeout(() => void keepChecking(), CHECK_MS);
}

/** Checks for changes on the disk while the page is visible. */
export function followChanges(): void {
  setTimeout(() => void keepChecking(), CHECK_MS);
  document.addEventListener('visibilitychange', () => void checkForChanges());
  const project = computed(() => route.value.project);
  effect(() => {
    void project.value;
    void checkForChanges();
  });
  effect(() => {
    // Asks again for each project, because projects may have been added.
    void project.value;
    if (key.value !== undefined) void ask('overview', {}).then((answer) => (overview.value = answer), complain);
  });
}
