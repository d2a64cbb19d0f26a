import { beginSession, endWork, type WorkContext } from '../../../../app/work/begin.ts';
import { catchUp } from '../../../../app/index/catch-up.ts';
import { takesJsonRecords } from '../../../../app/memory/layout.ts';
import { ok } from '../../../../core/result.ts';
import type { Cli, Command, OpenMemory } from '../../command.ts';
import { shownTime, withShownTimes } from '../../instant.ts';
import { inert } from '../../paint.ts';
import { cloneNotes, offerToJoin } from '../projects/join.ts';

const SESSION = { name: 'session', value: 'ID', about: "the client's session id, if several sessions run in one project" } as const;
const PREFERENCES_SHOWN = 12;
const JSON_STORE = 'This project has a store of JSON records in .claude/memory/.';
const JSON_STORE_HINT = `${JSON_STORE} New records go to your private memory; \`holdfast config set storage.root shared\` puts them there, in its format.`;

/** Asks a person once where new records go if the project brings a store of its own: a repository alone must not receive the user's private notes. */
async function askForStore(cli: Cli, { memory }: OpenMemory, isScript: boolean): Promise<readonly string[]> {
  if (!takesJsonRecords(memory) || memory.config.source('storage.root') !== 'default') return [];
  if (cli.caller !== 'person' || isScript) return [JSON_STORE_HINT];
  const shown = [
    JSON_STORE,
    '  y  new records go there, in its format; commit them with the code',
    '  n  new records go to your private memory',
    '  l  ask me later',
  ].join('\n');
  const answer = await cli.key(shown, 'Put new records there? [y/n/l]', 'ynl');
  if (answer === 'y' || answer === 'n') {
    const saved = await (await cli.settings()).set('storage.root', answer === 'y' ? 'shared' : 'private', 'project');
    if (!saved.ok) return [`The answer was not saved: ${saved.error.message}`];
  }
  return [];
}

/** The context of start and stop besides the project's memory. */
async function workContextOf(cli: Cli, { project }: OpenMemory): Promise<WorkContext> {
  const [{ memory: user }, settings] = [await cli.open('user'), await cli.settings()];
  return {
    user,
    indexPath: `${project?.shownRoot ?? ''}_index.md`,
    findRelations: (map) => cli.relationsFound(map),
    switchMemory: async (to) => settings.set('on', to === 'on' ? 'true' : 'false', 'project'),
  };
}

export const startCommand: Command = {
  name: 'start',
  about:
    'Turns memory on in this project and starts a session: creates the folders and documents, adds the project to the workspace, and loads your preferences.',
  positionals: '',
  most: 0,
  options: [SESSION],
  examples: [
    ['holdfast start', 'in the project folder'],
    ['holdfast start --session 0b7e…', 'a session beside others in the same project'],
  ],
  run: async (original, args) => {
    const joins = await offerToJoin(original);
    if (!joins.ok) return joins;
    const cli = joins.value ? original.elsewhere(args.text('project') ?? '.') : original;
    const opened = await cli.open();
    const { memory, project } = opened;
    const { branch } = await cli.recallContext();
    await catchUp(memory);
    const storeNotes = await askForStore(cli, opened, args.flag('json'));
    const work = await beginSession(memory, await workContextOf(cli, opened), { actor: cli.actor, branch, sessionId: args.text('session') });
    if (!work.ok) return work;
    const { status, session, created, closed, registered, state, preferences, project: description, file, warnings, initiatives, related } = work.value;
    const place = project?.shownRoot ?? '';
    const message = `Memory mode active for ${memory.key}. Context stored at ${place}`;
    const { paint } = cli;
    return ok({
      json: {
        ok: true,
        status,
        message,
        key: memory.key,
        place,
        session,
        open: file.open,
        created,
        closed,
        registered,
        state,
        preferences,
        related,
        initiatives,
        project: description ?? null,
      },
      lines: [
        inert(message),
        ...(status === 'already_active' ? [paint.dim(`  Session open since ${inert(shownTime(session.started))}`)] : []),
        ...(file.open.length > 1 ? [paint.dim(`  ${file.open.length} sessions are open in this project`)] : []),
        ...(state.task === undefined ? [] : [`  Task: ${inert(state.task)}${state.progress === undefined ? '' : ` (${inert(state.progress)})`}`]),
        ...(state.blocker === undefined ? [] : [`  Blocker: ${inert(withShownTimes(state.blocker))}`]),
        ...related.map(({ relation, to, note }) => inert(`  Found: ${memory.key} ${relation} ${to} (${note.replace(/^found \S+ /, '')})`)),
        ...initiatives.map(({ initiative, status: stands }) => inert(`  Initiative: ${initiative}${stands === '' ? '' : ` (${stands})`}`)),
        ...(preferences.length === 0
          ? []
          : ['💭 Based on your preference...', ...preferences.slice(0, PREFERENCES_SHOWN).map((line) => `  - ${inert(line.replaceAll('**', ''))}`)]),
        ...(description === undefined ? [] : ['', inert(description.trim())]),
      ],
      warnings: [
        ...warnings,
        ...storeNotes,
        ...(await cloneNotes(cli)),
        ...closed.map(
          ({ started, ended }) => `The session of ${shownTime(started)} was never stopped. It was closed as of its last activity at ${shownTime(ended)}.`,
        ),
      ],
    });
  },
};

export const stopCommand: Command = {
  name: 'stop',
  about: 'Turns memory off in this project: archives the session and keeps every file.',
  positionals: '',
  most: 0,
  options: [{ ...SESSION, about: 'end only this session' }],
  examples: [['holdfast stop', 'end every open session of this project']],
  run: async (cli, args) => {
    const opened = await cli.open();
    const { memory, project } = opened;
    const ended = await endWork(memory, await workContextOf(cli, opened), { actor: cli.actor, sessionId: args.text('session') });
    if (!ended.ok) return ended;
    const { status, open, warnings } = ended.value;
    const place = project?.shownRoot ?? '';
    const message = `Memory mode stopped. Files preserved at ${place}`;
    return ok({
      json: { ok: true, status, message, key: memory.key, place, ended: ended.value.ended, open },
      lines: [
        inert(message),
        ...(open.length > 0 ? [cli.paint.dim(`  ${open.length} other ${open.length === 1 ? 'session is' : 'sessions are'} still open`)] : []),
      ],
      warnings,
    });
  },
};
