import { utcSeconds } from '../../core/instant.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { dropItems } from '../../render/documents/items.ts';
import { emptyCategory, profileEntries, putEntry, sameWords, type Learned, type ProfileEntry } from '../../render/documents/profile.ts';
import { PENDING } from '../documents/read.ts';
import { editDocument, type WrittenDocument } from '../documents/write.ts';
import type { Memory } from '../memory/memory.ts';
import { writing, type Author, type Writing } from '../write/transaction.ts';
import { categoryPlace, readPending } from './categories.ts';

export interface ProfileNote {
  readonly category: string;
  readonly topic?: string | undefined;
  readonly text: string;
}

export interface ProfileNoteResult {
  readonly status: 'noted' | 'known';
  readonly category: string;
  readonly text: string;
  readonly topic?: string;
  readonly written: WrittenDocument;
}

const LONGEST = 1_000;

function cleanNote({ category, topic, text }: ProfileNote): Result<ProfileNote> {
  const [clean, about] = [text.replace(/\s+/g, ' ').trim(), topic?.replace(/\s+/g, ' ').trim()];
  if (clean === '' || about === '') return refuse('USAGE_ERROR', 'The text is empty.', { hint: 'holdfast user update preferences "Tabs, never spaces"' });
  if (clean.length > LONGEST) return refuse('VALIDATION_ERROR', `The text has ${clean.length} characters; an entry may have ${LONGEST}.`);
  return ok({ category, text: clean, ...(about !== undefined && { topic: about }) });
}

const today = (user: Memory): string => utcSeconds(user.now()).slice(0, 10);

async function putWithin(user: Memory, write: Writing, profileNote: ProfileNote, how: Learned, section?: string): Promise<Result<ProfileNoteResult>> {
  const place = categoryPlace(profileNote.category);
  if (!place.ok) return place;
  const { category, topic, text } = profileNote;
  const written = await editDocument(user, write, {
    place: place.value,
    edit: (source = emptyCategory(category)) => ok(putEntry(source, { topic, text, how, day: today(user), ...(section !== undefined && { section }) })),
  });
  if (!written.ok) return written;
  return ok({
    status: written.value.status === 'unchanged' ? 'known' : 'noted',
    category,
    text,
    ...(topic !== undefined && { topic }),
    written: written.value,
  });
}

/** Stores a statement of the user at once. */
export async function saveProfileNote(user: Memory, request: ProfileNote, author: Author): Promise<Result<ProfileNoteResult>> {
  const clean = cleanNote(request);
  return clean.ok ? writing(user, author, (write) => putWithin(user, write, clean.value, 'explicit')) : clean;
}

/** Notes in the profile what worked for the user, or what did not. */
export async function noteFeedback(user: Memory, verdict: 'works' | 'fails', text: string, author: Author): Promise<Result<ProfileNoteResult>> {
  const clean = cleanNote({ category: 'feedback', text });
  return clean.ok ? writing(user, author, (write) => putWithin(user, write, clean.value, 'feedback', verdict === 'works' ? 'Works' : 'Does not work')) : clean;
}

const NO_PENDING =
  '# Observed, not confirmed\n\n<!-- What was noticed about you and waits for your word: holdfast user confirm N, or holdfast user reject N. -->\n';

export interface ObservationResult {
  readonly status: 'pending' | 'known';
  /** Its number in the list, to confirm or reject it. */
  readonly number: number;
  readonly text: string;
}

/** Stores an observation that waits for the user's confirmation. */
export async function observe(user: Memory, request: ProfileNote, author: Author): Promise<Result<ObservationResult>> {
  const clean = cleanNote(request);
  if (!clean.ok) return clean;
  const place = categoryPlace(request.category);
  if (!place.ok) return place;
  const { category, topic, text } = clean.value;
  const line = topic === undefined ? text : `${topic}: ${text}`;
  return writing(user, author, async (write) => {
    const isKnown = profileEntries((await user.store.read(place.value))?.text ?? '').some((entry) => sameWords(entry.text, text));
    if (isKnown) return ok({ status: 'known', number: 0, text: line });
    const entry = { text: `${category} | ${line}`, how: 'observed', day: today(user) } as const;
    const written = await editDocument(user, write, { place: PENDING, edit: (source = NO_PENDING) => ok(putEntry(source, entry)) });
    if (!written.ok) return written;
    const waiting = profileEntries(written.value.text);
    const at = waiting.findIndex(({ text: other }) => sameWords(other, entry.text));
    return ok({ status: 'pending', number: at < 0 ? waiting.length : at + 1, text: line });
  });
}

/** The category and text of a waiting observation. */
export function pendingNote({ text }: ProfileEntry): ProfileNote {
  const [, category, topic, rest] = /^([a-z0-9-]+) \| (?:([^:|]{1,40}): )?(.+)$/.exec(text) ?? [];
  return category === undefined || rest === undefined ? { category: 'preferences', text } : { category, text: rest, ...(topic !== undefined && { topic }) };
}

function findObservation(pending: readonly ProfileEntry[], word: string): Result<ProfileEntry> {
  const number = /^\d+$/.test(word) ? pending[Number(word) - 1] : undefined;
  const matches = number ? [number] : pending.filter(({ text }) => text.toLowerCase().includes(word.toLowerCase()));
  const [first, ...others] = matches;
  if (!first) return refuse('NOT_FOUND', `No observation matches ${JSON.stringify(word)}.`, { missing: true, hint: 'holdfast user lists the observations' });
  return others.length === 0
    ? ok(first)
    : refuse('AMBIGUOUS_ID', `${matches.length} observations match ${JSON.stringify(word)}.`, { hint: 'use the number that holdfast user shows' });
}

/** Saves or drops an observation, as the user answered. */
export function answerObservation(
  user: Memory,
  word: string,
  how: 'confirm' | 'reject',
  author: Author,
): Promise<Result<ProfileNoteResult | { readonly status: 'rejected'; readonly text: string }>> {
  return writing(user, author, async (write) => {
    const observation = findObservation(await readPending(user), word);
    if (!observation.ok) return observation;
    const dropped = await editDocument(user, write, { place: PENDING, edit: (source = '') => ok(dropItems(source, [observation.value.item], 'None.')) });
    if (!dropped.ok) return dropped;
    const pending = pendingNote(observation.value);
    return how === 'reject' ? ok({ status: 'rejected' as const, text: pending.text }) : putWithin(user, write, pending, 'observed');
  });
}
