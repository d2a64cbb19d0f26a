import { answerObservation, saveProfileNote, noteFeedback, observe, pendingNote, type ProfileNoteResult } from '../../../../app/profile/learn.ts';
import { categoryPlace, FIRST_CATEGORIES, readPending, readProfile, readRecords } from '../../../../app/profile/categories.ts';
import { entriesAbout, forget, type ProfileMatch } from '../../../../app/profile/forget.ts';
import { profileHistory } from '../../../../app/profile/history.ts';
import { documentText } from '../../../../app/documents/read.ts';
import { writeDocument } from '../../../../app/documents/write.ts';
import type { Memory } from '../../../../app/memory/memory.ts';
import { redactionNotes } from '../../../../app/write/redaction-note.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import { emptyCategory } from '../../../../render/documents/profile.ts';
import type { Arguments, Command, CommandResult, CommandContext } from '../../command.ts';
import { shownTime } from '../../instant.ts';
import { inert } from '../../paint.ts';
import { unknownAction } from '../../errors.ts';
import { exportTo, importFrom } from '../../present/profile.ts';
import { declined } from '../../present/written.ts';

const AUTHOR = { actor: 'command' } as const;
const HISTORY = 20;
/** The argument that an action needs. */
const NEEDS: Readonly<Record<string, string>> = {
  feedback: 'works or fails',
  confirm: 'an observation, by number or by part of its text',
  reject: 'an observation, by number or by part of its text',
  export: 'a file',
  import: 'a file',
};
const VERBS = ['show', 'update', 'feedback', 'confirm', 'reject', 'forget', 'history', 'export', 'import'] as const;

async function show(cli: CommandContext, user: Memory, only: string | undefined): Promise<CommandResult> {
  const [categories, pending] = [await readProfile(user), await readPending(user)];
  const shown = only === undefined ? categories : categories.filter(({ category }) => category === only);
  if (only !== undefined && shown.length === 0)
    return refuse('NOT_FOUND', `Your profile has no category ${JSON.stringify(only)}.`, {
      missing: true,
      hint: `categories: ${categories.map(({ category }) => category).join(', ') || 'none yet'}`,
    });
  const waiting = pending.map((entry) => pendingNote(entry));
  const records = only === undefined ? readRecords(user).map(({ category, id, title }) => ({ id: `${category}/${id}`, title })) : [];
  const { paint } = cli;
  return ok({
    json: {
      ok: true,
      categories: Object.fromEntries(
        shown.map(({ category, text, entries }) => [
          category,
          { text, entries: entries.map(({ topic, text: words }) => ({ ...(topic !== undefined && { topic }), text: words })) },
        ]),
      ),
      records,
      pending: waiting,
    },
    lines: [
      ...shown.flatMap(({ category, text }, at) => [
        ...(at > 0 ? [''] : []),
        paint.bold(inert(category)),
        inert(
          text
            .replace(/<!--[\s\S]*?-->/g, '')
            .replace(/^# .*\n+/, '')
            .replace(/[ \t]+$/gm, '')
            .trim(),
        ),
      ]),
      ...(records.length === 0
        ? []
        : [...(shown.length > 0 ? [''] : []), paint.bold('records'), ...records.map(({ id, title }) => inert(`- ${id}  ${title}`))]),
      ...(shown.length + records.length === 0 ? ['Your profile is empty. Add to it with `holdfast user update preferences "…"`.'] : []),
      ...(waiting.length === 0 || only !== undefined
        ? []
        : [
            '',
            paint.bold('Observed, not saved yet. Save with `holdfast user confirm N`, or drop with `holdfast user reject N`:'),
            ...waiting.map(({ category, topic, text }, at) => inert(`  ${at + 1}. ${category}: ${topic === undefined ? '' : `${topic}: `}${text}`)),
          ]),
    ],
  });
}

/** The output of every command that saves a note. */
function noteOutput(saved: Result<ProfileNoteResult>): CommandResult {
  if (!saved.ok) return saved;
  const { status, category, text, topic, written } = saved.value;
  const words = `${topic === undefined ? '' : `${topic}: `}${text}`;
  const message = status === 'noted' ? `📝 Noted: ${words}` : `Already known: ${words}`;
  return ok({
    json: {
      ok: true,
      status,
      category,
      text,
      ...(topic !== undefined && { topic }),
      message,
      file: written.file,
      ...(written.redactions.length > 0 && { redactions: written.redactions }),
    },
    lines: [inert(written.redactions.length > 0 ? `📝 Noted, with a secret redacted (${category})` : message)],
    warnings: [...written.warnings, ...redactionNotes(written.redactions)],
  });
}

async function update(cli: CommandContext, user: Memory, args: Arguments): Promise<CommandResult> {
  const [, first, ...rest] = args.positionals;
  const known = new Set([...(await readProfile(user)).map(({ category: one }) => one), ...FIRST_CATEGORIES]);
  const isCategory = first !== undefined && (rest.length > 0 || known.has(first));
  const [category, text] = isCategory ? [first, rest.join(' ')] : ['preferences', first ?? ''];
  if (text === '') return editCategory(cli, user, category);
  const request = { category, text, topic: args.text('topic') };
  if (!args.flag('observed')) {
    const saved = noteOutput(await saveProfileNote(user, request, AUTHOR));
    const newCategory = known.has(category) ? [] : [`${category} is a new category of your profile. If you meant another, run holdfast undo --user.`];
    return saved.ok ? ok({ ...saved.value, warnings: [...(saved.value.warnings ?? []), ...newCategory] }) : saved;
  }
  const observation = await observe(user, request, AUTHOR);
  if (!observation.ok) return observation;
  const { status, number, text: words } = observation.value;
  return ok({
    json: { ok: true, status, number, text: words },
    lines:
      status === 'known'
        ? [inert(`Already known: ${words}`)]
        : [
            inert(`Observed, not saved yet: ${words}`),
            cli.paint.dim(`  save it with holdfast user confirm ${number}, or drop it with holdfast user reject ${number}`),
          ],
  });
}

/** A whole category in the user's editor. */
async function editCategory(cli: CommandContext, user: Memory, category: string): Promise<CommandResult> {
  const place = categoryPlace(category);
  if (!place.ok) return place;
  const text = (await documentText(user, place.value)) || emptyCategory(category);
  const edited = await cli.edit(`${category}.md`, text);
  if (!edited.ok) return edited;
  if (!edited.value) return ok({ json: { ok: true, status: 'unchanged', category }, lines: ['No changes.'] });
  const next = edited.value.text;
  const written = await writeDocument(user, { ...AUTHOR, place: place.value, edit: () => ok(next) });
  if (!written.ok) return refuse(written.error.code, written.error.message, { ...written.error, hint: `your text is in ${edited.value.tempFile}` });
  edited.value.discard?.();
  return ok({ json: { ok: true, status: written.value.status, category, file: written.value.file }, lines: [`📝 Noted: ${category} ${written.value.status}`] });
}

const matchLine = ({ path, entry: { topic, text } }: ProfileMatch): string =>
  inert(`  ${path.replace(/^_|\.md$/g, '')}: ${topic === undefined ? '' : `${topic}: `}${text}`);
const matchJson = ({ path, entry: { topic, text } }: ProfileMatch): object => ({ path, ...(topic !== undefined && { topic }), text });

async function forgetTopic(cli: CommandContext, user: Memory, args: Arguments): Promise<CommandResult> {
  const topic = args.positionals.slice(1).join(' ');
  if (!args.flag('yes')) {
    const found = await entriesAbout(user, topic);
    if (!found.ok) return found;
    const canAsk = cli.caller === 'person' && !args.flag('json');
    const agreed = canAsk && (await (await cli.setup()).confirm(found.value.map(matchLine).join('\n'), 'Forget this?'));
    if (canAsk && !agreed) return declined('Nothing was forgotten.');
    if (!canAsk)
      return ok({
        json: { ok: true, status: 'asked', matches: found.value.map(matchJson) },
        lines: ['This would be forgotten:', ...found.value.map(matchLine), cli.paint.dim(`  confirm with holdfast user forget ${JSON.stringify(topic)} --yes`)],
      });
  }
  const forGood = args.flag('for-good');
  const forgotten = await forget(user, topic, { ...AUTHOR, reason: 'forgotten', forGood });
  if (!forgotten.ok) return forgotten;
  return ok({
    json: { ok: true, status: 'forgotten', matches: forgotten.value.map(matchJson) },
    lines: ['Forgotten:', ...forgotten.value.map(matchLine), cli.paint.dim(forGood ? '  for good' : '  restore it with holdfast undo --user')],
  });
}

async function history(cli: CommandContext, user: Memory, args: Arguments): Promise<CommandResult> {
  const limit = args.number('limit', { min: 1 });
  if (!limit.ok) return limit;
  const changes = await profileHistory(user, args.positionals[1], limit.value ?? HISTORY);
  const { paint } = cli;
  return ok({
    json: changes,
    stream: true,
    lines:
      changes.length === 0
        ? ['No changes yet.']
        : changes.flatMap(({ at, op, path, actor, added, removed, undone }) => [
            `${shownTime(at)} ${inert(path)} ${op}${paint.dim(` by ${actor}`)}${undone ? paint.yellow('  undone') : ''}`,
            ...removed.map((line) => inert(`  - ${line.replace(/^[-*] /, '')}`)),
            ...added.map((line) => inert(`  + ${line.replace(/^[-*] /, '')}`)),
          ]),
  });
}

export const userCommand: Command = {
  name: 'user',
  about: 'Shows or changes your profile, which every project uses: profile, preferences, feedback and categories that you name.',
  positionals: '[show|update|feedback|confirm|reject|forget|history|export|import] …',
  options: [
    { name: 'topic', value: 'T', about: 'with update: the topic; a new value replaces the old one' },
    { name: 'observed', about: 'with update: an observation, saved only after confirm' },
    { name: 'yes', about: 'with forget: do not ask; without it, a script only gets a list of what would be forgotten' },
    { name: 'for-good', about: 'with forget --yes: delete old versions too; undo cannot restore them' },
    { name: 'limit', value: 'N', about: `with history: maximum number of changes (default ${HISTORY})` },
  ],
  examples: [
    ['holdfast user', 'show your profile'],
    ['holdfast user update preferences "Tabs, never spaces" --topic indentation', 'save a preference'],
    ['holdfast user update workflow "Commits before lunch" --observed', 'save after confirm'],
    ['holdfast user feedback fails "Long summaries at the end"', 'record what does not work for you'],
    ['holdfast user forget indentation --yes', 'undo with holdfast undo --user'],
    ['holdfast user history preferences', 'every change'],
    ['holdfast user export profile.json', 'to import it on another machine'],
    ['holdfast user export me.tar.gz', 'with your records, as a bundle'],
  ],
  run: async (cli, args) => {
    const [verb = 'show', first] = args.positionals;
    const { memory } = await cli.open('user');
    if (!VERBS.some((name) => name === verb)) return refuse('USAGE_ERROR', unknownAction('user', verb, VERBS), { hint: 'holdfast user --help' });
    if (verb === 'show') return show(cli, memory, first);
    if (verb === 'update') return update(cli, memory, args);
    if (verb === 'forget') return forgetTopic(cli, memory, args);
    if (verb === 'history') return history(cli, memory, args);
    if (first === undefined) return refuse('USAGE_ERROR', `user ${verb} needs ${NEEDS[verb]}.`, { hint: 'holdfast user --help' });
    if (verb === 'export') return exportTo(cli, memory, first);
    if (verb === 'import') return importFrom(cli, memory, first);
    if (verb === 'feedback') {
      if (first !== 'works' && first !== 'fails')
        return refuse('USAGE_ERROR', `user feedback needs ${NEEDS['feedback']}.`, { hint: 'holdfast user feedback works "Small commits"' });
      return noteOutput(await noteFeedback(memory, first, args.positionals.slice(2).join(' '), AUTHOR));
    }
    const answered = await answerObservation(memory, args.positionals.slice(1).join(' '), verb === 'confirm' ? 'confirm' : 'reject', AUTHOR);
    if (!answered.ok) return answered;
    if (answered.value.status !== 'rejected') return noteOutput(ok(answered.value));
    return ok({ json: { ok: true, ...answered.value }, lines: [inert(`Dropped: ${answered.value.text}`)] });
  },
};
