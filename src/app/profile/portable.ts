import { isObject } from '../../core/value.ts';
import { utcSeconds } from '../../core/instant.ts';
import { redact } from '../../core/redact/text.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { addItems } from '../../render/documents/items.ts';
import { profileEntries, sameWords } from '../../render/documents/profile.ts';
import { PENDING } from '../documents/read.ts';
import { editDocument } from '../documents/write.ts';
import { catchUp } from '../index/catch-up.ts';
import { roleOf } from '../memory/layout.ts';
import type { Memory } from '../memory/memory.ts';
import { textWithoutSecrets } from '../read/without-secrets.ts';
import { writing, type Author, type Writing } from '../write/transaction.ts';

/** A profile for another machine: all its files with their hashes. */
export interface PortableProfile {
  readonly format: 'holdfast-profile';
  readonly version: 1;
  readonly exportedAt: string;
  readonly files: readonly PortableFile[];
}

interface PortableFile {
  readonly path: string;
  readonly md5: string;
  readonly text: string;
}

/** The whole profile: categories, observations that wait, and the user's own records. */
export async function exportProfile(user: Memory): Promise<PortableProfile> {
  await catchUp(user);
  const paths = [...user.index.items({ root: 'user' }).map(({ path }) => path), PENDING.path].toSorted();
  const files: PortableFile[] = [];
  for (const path of paths) {
    const file = await user.store.read({ root: 'user', path });
    if (!file) continue;
    const text = textWithoutSecrets(file);
    files.push({ path, md5: user.md5(text), text });
  }
  return { format: 'holdfast-profile', version: 1, exportedAt: utcSeconds(user.now()), files };
}

export interface ProfileImport {
  readonly created: readonly string[];
  readonly merged: readonly string[];
  readonly unchanged: readonly string[];
  /** Entries that differ: the local one stays, and both are reported. */
  readonly conflicts: readonly { readonly path: string; readonly yours: string; readonly theirs: string }[];
}

const invalidFile = (message: string): Result<never> =>
  refuse('INPUT_ERROR', message, { hint: 'holdfast user export FILE makes such a file; nothing was changed' });

/** Reads an exported profile and checks all of it before any of it is imported. */
async function parseProfile(user: Memory, source: string): Promise<Result<readonly PortableFile[]>> {
  let value: unknown;
  try {
    value = JSON.parse(source.replace(/^\uFEFF/, ''));
  } catch (cause) {
    return invalidFile(`this is not JSON: ${(cause as Error).message}`);
  }
  if (!isObject(value) || value['format'] !== 'holdfast-profile' || !Array.isArray(value['files'])) return invalidFile('this is not an exported profile');
  if (value['version'] !== 1) return invalidFile(`a profile of version ${JSON.stringify(value['version'])} is newer than this program`);
  const files: PortableFile[] = [];
  for (const file of value['files'] as readonly unknown[]) {
    if (!isObject(file) || typeof file['path'] !== 'string' || typeof file['text'] !== 'string')
      return invalidFile('a file of the profile has no path or no text');
    const { path, text, md5 } = file as { path: string; text: string; md5?: unknown };
    if (md5 !== user.md5(text)) return invalidFile(`${JSON.stringify(path.slice(0, 100))} is damaged: its hash does not match`);
    const located = await user.store.locate('user', path);
    const isFile = located.ok && located.value.path === path && (roleOf({ root: 'user', path }).role !== 'other' || path === PENDING.path);
    if (!isFile) return refuse('PATH_ERROR', `${JSON.stringify(path.slice(0, 100))} is not a file of a profile.`, { hint: 'nothing was changed' });
    const item = await user.itemOf({ root: 'user', path, text, hash: user.md5(text), mtimeMs: user.now(), size: text.length });
    if (!item.ok) return refuse('VALIDATION_ERROR', `${path} is not a record: ${item.error.message}`, { hint: 'nothing was changed' });
    files.push({ path, text, md5: user.md5(text) });
  }
  return ok(files);
}

/** Imports an exported profile: adds new entries, keeps existing ones, shows those that differ. A second import changes nothing. */
export async function importProfile(user: Memory, source: string, author: Author): Promise<Result<ProfileImport>> {
  const files = await parseProfile(user, source);
  if (!files.ok) return files;
  return writing(user, author, async (write) => {
    const report = { created: [] as string[], merged: [] as string[], unchanged: [] as string[], conflicts: [] as ProfileImport['conflicts'][number][] };
    for (const file of files.value) {
      const isRecord = roleOf({ root: 'user', path: file.path }).role === 'record';
      const outcome = await (isRecord ? takeRecord : takeDocument)(user, write, file, report.conflicts);
      if (!outcome.ok) return outcome;
      report[outcome.value].push(file.path);
    }
    return ok(report);
  });
}

type Outcome = Result<'created' | 'merged' | 'unchanged'>;

async function takeDocument(user: Memory, write: Writing, { path, text }: PortableFile, conflicts: ProfileImport['conflicts'][number][]): Promise<Outcome> {
  const written = await editDocument(user, write, {
    place: { root: 'user', path },
    edit: (mine) => ok(mine === undefined ? text : merged(path, mine, text, conflicts)),
  });
  if (!written.ok) return written;
  return ok(written.value.status === 'updated' ? 'merged' : written.value.status === 'created' ? 'created' : 'unchanged');
}

/** Adds the imported entries after the local ones, except those that a local entry repeats or contradicts on the same topic. */
function merged(path: string, mine: string, theirs: string, conflicts: ProfileImport['conflicts'][number][]): string {
  const known = profileEntries(mine);
  const lines = theirs.split(/\r?\n/);
  const fresh: string[] = [];
  for (const { item, topic, text } of profileEntries(theirs)) {
    const sameTopic = topic === undefined ? undefined : known.find((entry) => entry.topic !== undefined && sameWords(entry.topic, topic));
    if (sameTopic && !sameWords(sameTopic.text, text)) conflicts.push({ path, yours: `${topic}: ${sameTopic.text}`, theirs: `${topic}: ${text}` });
    else if (!sameTopic && !known.some((entry) => sameWords(entry.item.text, item.text))) fresh.push((lines[item.line] ?? '').trim());
  }
  return fresh.length === 0 ? mine : addItems(mine, fresh);
}

async function takeRecord(user: Memory, write: Writing, { path, text }: PortableFile, conflicts: ProfileImport['conflicts'][number][]): Promise<Outcome> {
  const existing = await user.store.read({ root: 'user', path });
  if (existing?.text === text) return ok('unchanged');
  if (existing) {
    conflicts.push({ path, yours: existing.text, theirs: text });
    return ok('unchanged');
  }
  await write.apply({ root: 'user', path, text: redact(text).text, op: 'create', id: path.replace(/\.(md|json)$/, '') });
  return ok('created');
}
