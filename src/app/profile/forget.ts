import { ok, refuse, type Result } from '../../core/result.ts';
import { dropItems } from '../../render/documents/items.ts';
import { profileEntries, type ProfileEntry } from '../../render/documents/profile.ts';
import { PENDING, documentText } from '../documents/read.ts';
import { editDocument } from '../documents/write.ts';
import type { Memory } from '../memory/memory.ts';
import { writing, type Author } from '../write/transaction.ts';
import { readProfile, readRecords } from './categories.ts';

export interface ProfileMatch {
  readonly path: string;
  readonly entry: ProfileEntry;
}

const mentions = ({ topic = '', text }: Pick<ProfileEntry, 'topic' | 'text'>, words: string): boolean =>
  `${topic} ${text}`.toLowerCase().includes(words.trim().toLowerCase());

/** The entries of the profile, including unconfirmed ones, that have a topic or contain these words. */
export async function entriesAbout(user: Memory, topic: string): Promise<Result<readonly ProfileMatch[]>> {
  if (topic.trim() === '') return refuse('USAGE_ERROR', 'forget needs a topic or part of an entry.', { hint: 'holdfast user shows your profile' });
  const known = (await readProfile(user)).flatMap(({ category, entries }) => entries.map((entry) => ({ path: `${category}.md`, entry })));
  const waiting = profileEntries(await documentText(user, PENDING)).map((entry) => ({ path: PENDING.path, entry }));
  const matches = [...known, ...waiting].filter(({ entry }) => mentions(entry, topic));
  if (matches.length > 0) return ok(matches);
  const records = readRecords(user).filter(({ title, id }) => mentions({ text: `${title} ${id}` }, topic));
  return refuse('NOT_FOUND', `Nothing in your profile matches ${JSON.stringify(topic)}.`, {
    missing: true,
    hint: records.map(({ category, id }) => `holdfast retire ${category}/${id} --user`).join('; ') || 'holdfast user shows what is known',
  });
}

export interface ForgetRequest extends Author {
  /** Also deletes old versions that contain it, so that undo cannot restore it. */
  readonly forGood?: boolean;
}

/** Removes entries from the profile as one action, so that one undo restores them. */
export function forget(user: Memory, topic: string, request: ForgetRequest): Promise<Result<readonly ProfileMatch[]>> {
  return writing(user, request, async (write) => {
    const matches = await entriesAbout(user, topic);
    if (!matches.ok) return matches;
    const paths = [...new Set(matches.value.map(({ path }) => path))];
    for (const path of paths) {
      const items = matches.value.filter((match) => match.path === path).map(({ entry }) => entry.item);
      const edited = await editDocument(user, write, { place: { root: 'user', path }, edit: (source = '') => ok(dropItems(source, items, 'Nothing yet.')) });
      if (!edited.ok) return edited;
    }
    if (request.forGood === true) await forgetVersions(user, matches.value);
    return matches;
  });
}

async function forgetVersions(user: Memory, matches: readonly ProfileMatch[]): Promise<void> {
  const hashes = new Set<string>();
  for (const { root, path, before, after } of await user.store.journal.entries()) {
    const texts = matches.filter((match) => root === 'user' && match.path === path).map(({ entry }) => entry.text);
    for (const hash of [before, after]) {
      const version = hash === undefined || texts.length === 0 ? undefined : await user.store.version(hash);
      if (hash !== undefined && version !== undefined && texts.some((text) => version.includes(text))) hashes.add(hash);
    }
  }
  await user.store.forget([...hashes]);
}
