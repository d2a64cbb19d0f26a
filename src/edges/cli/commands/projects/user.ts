import { answer, note, noteFeedback, observe, pendingNote, type Noted } from '../../../../app/profile/learn.ts';
import { categoryPlace, readPending, readProfile, readRecords } from '../../../../app/profile/categories.ts';
import { entriesAbout, forget, type Match } from '../../../../app/profile/forget.ts';
import { profileHistory } from '../../../../app/profile/history.ts';
import { documentText } from '../../../../app/documents/read.ts';
import { writeDocument } from '../../../../app/documents/write.ts';
import type { Memory } from '../../../../app/memory/memory.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import { emptyCategory } from '../../../../render/documents/profile.ts';
import type { Arguments, Command, Outcome, Surroundings } from '../../command.ts';
import { inert } from '../../paint.ts';
import { exportTo, importFrom } from '../../present/profile.ts';

const BY = { actor: 'command' } as const;
const HISTORY = 20;
const VERBS = ['show', 'update', 'feedback', 'confirm', 'reject', 'forget', 'history', 'export', 'import'] as const;

async function show(cli: Surroundings, user: Memory, only: string | undefined): Promise<Outcome> {
  const [categories, pending] = [await readProfile(user), await readPending(user)];
  const shown = only === undefined ? categories : categories.filter(({ category }) => category === only);
  if (only !== undefined && shown.length === 0)
    return refuse('NOT_FOUND', `nothing is known under ${JSON.stringify(only)}`, {
      missing: true,
      hint: `there is ${categories.map(({ category }) => category).join(', ') || 'nothing yet'}`,
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
          { text, entries: entries.map(({ topic, text: said }) => ({ ...(topic !== undefined && { topic }), text: said })) },
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
      ...(shown.length + records.length === 0 ? ['nothing is known of you yet: holdfast user update preferences "…"'] : []),
      ...(waiting.length === 0 || only !== undefined
        ? []
        : [
            '',
            paint.bold('Observed; may this be kept? holdfast user confirm N, or reject N'),
            ...waiting.map(({ category, topic, text }, at) => inert(`  ${at + 1}. ${category}: ${topic === undefined ? '' : `${topic}: `}${text}`)),
          ]),
    ],
  });
}

/** Every storing is announced. */
function announced(noted: Result<Noted>): Outcome {
  if (!noted.ok) return noted;
  const { status, category, text, topic, written } = noted.value;
  const said = `${topic === undefined ? '' : `${topic}: `}${text}`;
  const message = status === 'noted' ? `📝 Noted: ${said}` : `Known already: ${said}`;
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
    lines: [inert(written.redactions.length > 0 ? `📝 Noted, without a secret in it (${category})` : message)],
    warnings: [...written.warnings, ...written.redactions.map(({ kind, field }) => `kept from the disk: ${kind} on ${field}`)],
  });
}

async function update(cli: Surroundings, user: Memory, args: Arguments): Promise<Outcome> {
  const [, first, ...rest] = args.positionals;
  const isCategory =
    first !== undefined &&
    (rest.length > 0 || (await readProfile(user)).some(({ category }) => category === first) || first === 'profile' || first === 'preferences');
  const [category, text] = isCategory ? [first, rest.join(' ')] : ['preferences', first ?? ''];
  if (text === '') return editCategory(cli, user, category);
  const request = { category, text, topic: args.text('topic') };
  if (!args.flag('observed')) return announced(await note(user, request, BY));
  const seen = await observe(user, request, BY);
  if (!seen.ok) return seen;
  const { status, number, text: said } = seen.value;
  return ok({
    json: { ok: true, status, number, text: said },
    lines:
      status === 'known'
        ? [inert(`Known already: ${said}`)]
        : [inert(`Observed, not stored: ${said}`), cli.paint.dim(`  may it be kept? holdfast user confirm ${number}, or holdfast user reject ${number}`)],
  });
}

/** A whole category in the user's editor. */
async function editCategory(cli: Surroundings, user: Memory, category: string): Promise<Outcome> {
  const place = categoryPlace(category);
  if (!place.ok) return place;
  const text = (await documentText(user, place.value)) || emptyCategory(category);
  const edited = await cli.edit(`${category}.md`, text);
  if (!edited.ok) return edited;
  if (!edited.value) return ok({ json: { ok: true, status: 'unchanged', category }, lines: ['unchanged'] });
  const next = edited.value.text;
  const written = await writeDocument(user, { ...BY, place: place.value, edit: () => ok(next) });
  if (!written.ok) return refuse(written.error.code, written.error.message, { ...written.error, hint: `your text is kept in ${edited.value.keptAt}` });
  edited.value.discard?.();
  return ok({ json: { ok: true, status: written.value.status, category, file: written.value.file }, lines: [`📝 Noted: ${category} ${written.value.status}`] });
}

const matchLine = ({ path, entry: { topic, text } }: Match): string =>
  inert(`  ${path.replace(/^_|\.md$/g, '')}: ${topic === undefined ? '' : `${topic}: `}${text}`);
const matchJson = ({ path, entry: { topic, text } }: Match): object => ({ path, ...(topic !== undefined && { topic }), text });

async function forgetTopic(cli: Surroundings, user: Memory, args: Arguments): Promise<Outcome> {
  const topic = args.positionals.slice(1).join(' ');
  if (!args.flag('yes')) {
    const found = await entriesAbout(user, topic);
    if (!found.ok) return found;
    return ok({
      json: { ok: true, status: 'asked', matches: found.value.map(matchJson) },
      lines: ['This would be forgotten:', ...found.value.map(matchLine), cli.paint.dim(`  holdfast user forget ${JSON.stringify(topic)} --yes does it`)],
    });
  }
  const forGood = args.flag('for-good');
  const gone = await forget(user, topic, { ...BY, reason: 'forgotten', forGood });
  if (!gone.ok) return gone;
  return ok({
    json: { ok: true, status: 'forgotten', matches: gone.value.map(matchJson) },
    lines: ['Forgotten:', ...gone.value.map(matchLine), cli.paint.dim(forGood ? '  for good' : '  holdfast undo --user brings it back')],
  });
}

async function history(cli: Surroundings, user: Memory, args: Arguments): Promise<Outcome> {
  const limit = args.number('limit', { min: 1 });
  if (!limit.ok) return limit;
  const changes = await profileHistory(user, args.positionals[1], limit.value ?? HISTORY);
  const { paint } = cli;
  return ok({
    json: changes,
    stream: true,
    lines:
      changes.length === 0
        ? ['nothing was changed yet']
        : changes.flatMap(({ at, op, path, actor, added, removed, undone }) => [
            `${at} ${inert(path)} ${op}${paint.dim(` by ${actor}`)}${undone ? paint.yellow('  undone') : ''}`,
            ...removed.map((line) => inert(`  - ${line.replace(/^[-*] /, '')}`)),
            ...added.map((line) => inert(`  + ${line.replace(/^[-*] /, '')}`)),
          ]),
  });
}

export const userCommand: Command = {
  name: 'user',
  about: 'Shows and keeps what is known of you in every project: profile, preferences, feedback and whatever else you name.',
  positionals: '[show|update|feedback|confirm|reject|forget|history|export|import] …',
  options: [
    { name: 'topic', value: 'T', about: 'with update: what it is about; a topic has one value at a time' },
    { name: 'observed', about: 'with update: only noticed, so ask first; it waits for confirm or reject' },
    { name: 'yes', about: 'with forget: do it; without it, what would go is shown' },
    { name: 'for-good', about: 'with forget --yes: kept versions go too, and no undo brings it back' },
    { name: 'limit', value: 'N', about: `with history: at most so many (${HISTORY})` },
  ],
  examples: [
    ['holdfast user', 'what is known of you'],
    ['holdfast user update preferences "Tabs, never spaces" --topic indentation', 'noted at once'],
    ['holdfast user update workflow "Commits before lunch" --observed', 'asked first'],
    ['holdfast user feedback fails "Long summaries at the end"', 'what does not work for you'],
    ['holdfast user forget indentation --yes', 'undone by holdfast undo --user'],
    ['holdfast user history preferences', 'every change'],
    ['holdfast user export profile.json', 'and import it on another machine'],
    ['holdfast user export me.tar.gz', 'with your records, as the bundle that export and import share'],
  ],
  run: async (cli, args) => {
    const [verb = 'show', first] = args.positionals;
    const { memory } = await cli.open('user');
    if (!VERBS.some((known) => known === verb))
      return refuse('USAGE_ERROR', `user does not know ${JSON.stringify(verb)}`, { hint: `it knows ${VERBS.join(', ')}` });
    if (verb === 'show') return show(cli, memory, first);
    if (verb === 'update') return update(cli, memory, args);
    if (verb === 'forget') return forgetTopic(cli, memory, args);
    if (verb === 'history') return history(cli, memory, args);
    if (first === undefined) return refuse('USAGE_ERROR', `${verb} what?`, { hint: 'holdfast user --help' });
    if (verb === 'export') return exportTo(cli, memory, first);
    if (verb === 'import') return importFrom(cli, memory, first);
    if (verb === 'feedback') {
      if (first !== 'works' && first !== 'fails')
        return refuse('USAGE_ERROR', 'feedback is works or fails', { hint: 'holdfast user feedback works "Small commits"' });
      return announced(await noteFeedback(memory, first, args.positionals.slice(2).join(' '), BY));
    }
    const answered = await answer(memory, args.positionals.slice(1).join(' '), verb === 'confirm' ? 'confirm' : 'reject', BY);
    if (!answered.ok) return answered;
    if (answered.value.status !== 'rejected') return announced(ok(answered.value));
    return ok({ json: { ok: true, ...answered.value }, lines: [inert(`Dropped: ${answered.value.text}`)] });
  },
};
