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

/** Every entry of the profile, waiting ones included, that is about a topic or says these words. */
export async function entriesAbout(user: Memory, topic: string): Promise<Result<readonly ProfileMatch[]>> {
  if (topic.trim() === '') return refuse('USAGE_ERROR', 'forget needs a topic or part of an entry.', { hint: 'holdfast user shows your profile' });
  const known = (await readProfile(user)).flatMap(({ category, entries }) => entries.map((entry) => ({ path: `${category}.md`, entry })));
  const waiting = profileEntries(await documentText(user, PENDING)).map((entry) => ({ path: PENDING.path, entry }));
  const found = [...known, ...waiting].filter(({ entry }) => mentions(entry, topic));
  if (found.length > 0) return ok(found);
  const records = readRecords(user).filter(({ title, id }) => mentions({ text: `${title} ${id}` }, topic));
  return refuse('NOT_FOUND', `Nothing in your profile matches ${JSON.stringify(topic)}.`, {
    missing: true,
    hint: records.map(({ category, id }) => `holdfast retire ${category}/${id} --user`).join('; ') || 'holdfast user shows what is known',
  });
}

export interface ForgetRequest extends Author {
  /** Also deletes old versions that say it, so that nothing brings it back. */
  readonly forGood?: boolean;
}

/** Takes entries out of the profile, all of them as one action that an undo takes back. */
export function forget(user: Memory, topic: string, request: ForgetRequest): Promise<Result<readonly ProfileMatch[]>> {
  return writing(user, request, async (write) => {
    const found = await entriesAbout(user, topic);
    if (!found.ok) return found;
    const paths = [...new Set(found.value.map(({ path }) => path))];
    for (const path of paths) {
      const items = found.value.filter((match) => match.path === path).map(({ entry }) => entry.item);
      const edited = await editDocument(user, write, { place: { root: 'user', path }, edit: (source = '') => ok(dropItems(source, items, 'Nothing yet.')) });
      if (!edited.ok) return edited;
    }
    if (request.forGood === true) await forgetVersions(user, found.value);
    return found;
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
