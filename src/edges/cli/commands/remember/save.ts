import { saveRecord } from '../../../../app/write/save.ts';
import { recordsToReplace } from '../../../../app/write/supersede.ts';
import { CATEGORIES, type Category } from '../../../../core/record/category.ts';
import { parseDraft, type Draft } from '../../../../core/record/draft.ts';
import { draftFromText } from '../../../../core/record/from-text.ts';
import { redact } from '../../../../core/redact/text.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import type { Trust } from '../../../../core/record/schema.ts';
import { sourceOfActor, trustFrom } from '../../../../core/trust/trust.ts';
import { categoryNamed, rootFor } from '../../record-options.ts';
import type { Arguments, Cli, Command } from '../../command.ts';
import { writtenOutput } from '../../present/written.ts';

const AREAS = ['architecture', 'implementation', 'configuration', 'dependency', 'process'] as const;

export const saveCommand: Command = {
  name: 'save',
  about: `Saves a record and prints its id and file. CATEGORY is one of: ${CATEGORIES.join(', ')}. Give the reason in TEXT: "use SQLite because it needs no server".`,
  positionals: 'CATEGORY [TEXT]',
  options: [
    { name: 'title', value: 'T', about: 'the title (default: the first sentence)' },
    { name: 'tag', value: 'T', many: true, about: 'a tag; repeatable' },
    { name: 'file', value: 'F', many: true, about: 'a project file that the record is about; repeatable' },
    { name: 'applies-to', value: 'A', many: true, about: 'for a rule: an action (commit, push, test), a command or a file that it applies to; repeatable' },
    { name: 'supersedes', value: 'ID', many: true, about: 'a record that this one replaces; repeatable' },
    { name: 'area', value: 'A', choices: AREAS, about: 'the area of a decision (architecture also updates MEMORY.md)' },
    { name: 'input', value: 'FILE', about: 'read a draft as JSON from FILE, or from standard input with -' },
    { name: 'shared', about: 'save into the repository, to commit it with the code' },
    { name: 'user', about: 'save into your user memory, for every project' },
    { name: 'trust', value: 'T', choices: ['confirmed', 'observed'], about: 'how certain the record is' },
  ],
  examples: [
    ['holdfast save decision "Use SQLite because it needs no server" --tag storage', 'a decision with its reason'],
    ['holdfast save decision "Split the API because teams block each other" --area architecture', 'a decision about the architecture'],
    ['holdfast save decision "Use PostgreSQL because SQLite locks" --supersedes use-sqlite', 'replaces an earlier decision; master.md shows how it came about'],
    ['holdfast save preference "Tests live beside the code" --user', 'a preference for every project'],
    ['holdfast save runbook --input fix.json', 'a full draft; its fields are in assets/schemas/'],
  ],
  run: async (cli, args) => {
    const [word, ...rest] = args.positionals;
    if (word === undefined) return refuse('USAGE_ERROR', 'save needs a category and a text.', { hint: `categories: ${CATEGORIES.join(', ')}` });
    const category = categoryNamed(word);
    if (!category.ok) return category;
    if (args.text('area') !== undefined && category.value !== 'decision')
      return refuse('USAGE_ERROR', '--area applies to decisions only.', { hint: 'holdfast save --help' });
    if (args.flag('shared') && args.flag('user')) return refuse('USAGE_ERROR', 'Use --shared or --user, not both.');
    // Redact before splitting into title and steps: half a secret is not recognised.
    const text = redact(rest.join(' '));
    const draft = await draftOf(cli, args, category.value, text.text);
    if (!draft.ok) return draft;
    const { memory } = await cli.open(args.flag('user') ? 'user' : 'project');
    const root = rootFor(memory, args);
    if (!root.ok) return root;
    const replaced = await recordsToReplace(memory, args.texts('supersedes'));
    if (!replaced.ok) return replaced;
    const full = replaced.value.length === 0 ? draft.value : { ...draft.value, supersedes: [...replaced.value] };
    const written = await saveRecord(memory, { category: category.value, draft: full, root: root.value, actor: cli.actor });
    if (!written.ok) return written;
    const redactions = [...text.redactions.map(({ kind }) => ({ kind, field: 'text' })), ...written.value.redactions];
    return ok(writtenOutput({ ...written.value, redactions }, cli.paint, memory));
  },
};

const appliesTo = (args: Arguments): object => (args.texts('applies-to').length > 0 ? { applies_to: [...args.texts('applies-to')] } : {});

/** Adds the area that `--area` names to a decision. */
function withArea(draft: Draft, args: Arguments): Draft {
  const area = args.text('area');
  return area === undefined ? draft : { ...draft, content: { ...(draft['content'] as object), area } };
}

async function draftOf(cli: Cli, args: Arguments, category: Category, text: string): Promise<Result<Draft>> {
  const trust = trustFrom(sourceOfActor(cli.actor), args.text('trust') as Trust | undefined);
  const added = { trust, confidence: trust === 'confirmed' ? 0.9 : 0.8, origin: { channel: 'command' } };
  const [tags, files, title, input] = [args.texts('tag'), args.texts('file'), args.text('title'), args.text('input')];
  if (input === undefined) {
    if (text.trim() === '') return refuse('USAGE_ERROR', 'save needs a text or --input.', { hint: 'holdfast save --help' });
    return ok({ ...withArea(draftFromText(category, text, title, files[0]), args), tags: [...tags], related_files: [...files], ...appliesTo(args), ...added });
  }
  const read = await cli.readInput(input);
  if (!read.ok) return read;
  const parsed = parseDraft(read.value);
  if (!parsed.ok) return parsed;
  const listIn = (key: string): readonly unknown[] =>
    Array.isArray(parsed.value[key]) ? parsed.value[key] : typeof parsed.value[key] === 'string' ? [parsed.value[key]] : [];
  return ok({
    ...added,
    ...withArea(parsed.value, args),
    ...(title !== undefined && { title }),
    tags: parsed.value['tags'] === undefined || tags.length > 0 ? [...listIn('tags'), ...tags] : parsed.value['tags'],
    ...(files.length > 0 && { related_files: [...listIn('related_files'), ...files] }),
    ...appliesTo(args),
  });
}
