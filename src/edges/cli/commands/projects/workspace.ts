import type { WrittenDocument } from '../../../../app/documents/write.ts';
import type { Memory } from '../../../../app/memory/memory.ts';
import { endInitiative, mapProject, relate, setProjectStatus, trackInitiative, unmapProject, unrelate } from '../../../../app/workspace/change.ts';
import { addFoundRelations } from '../../../../app/workspace/discover.ts';
import { neighbourhood, readWorkspace } from '../../../../app/workspace/workspace.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import type { Initiative, Relationship } from '../../../../render/documents/workspace.ts';
import type { Arguments, Command, CommandResult, CommandContext } from '../../command.ts';
import { inert } from '../../paint.ts';
import { unknownAction } from '../../errors.ts';

const VERBS = ['add', 'remove', 'status', 'relate', 'unrelate', 'initiative', 'discover', 'show'] as const;

const relationLine = ({ from, relation, to, note }: Relationship): string => inert(`  ${from} ${relation} ${to}${note === '' ? '' : `  (${note})`}`);
const initiativeLine = ({ initiative, status, projects, note }: Initiative): string =>
  inert(`  ${initiative}: ${status || 'no status'}${projects.length === 0 ? '' : `  [${projects.join(', ')}]`}${note === '' ? '' : `  ${note}`}`);
const under = (title: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : ['', title, ...lines]);

/** All projects, current initiatives, and the relationships of the current project. */
async function overview(cli: CommandContext, user: Memory): Promise<CommandResult> {
  const [map, { memory }] = [await readWorkspace(user), await cli.open()];
  const near = neighbourhood(map, memory.key);
  const { paint } = cli;
  return ok({
    json: { ok: true, current: memory.key, ...map, related: near.relationships, neighbours: near.neighbours, taking_part: near.initiatives },
    lines: [
      paint.bold('Projects'),
      ...map.projects.map(({ project, path, status, description }) =>
        inert(
          `  ${project.padEnd(20)} ${(status || '–').padEnd(10)} ${path}${description === '' ? '' : `  ${description}`}${project === memory.key ? '  ← here' : ''}`,
        ),
      ),
      ...(map.projects.length === 0 ? ['  None yet. Add this project with `holdfast start` or `holdfast workspace add`.'] : []),
      ...under(paint.bold('Current initiatives'), map.initiatives.map(initiativeLine)),
      ...under(paint.bold(`Relationships of ${memory.key}`), near.relationships.map(relationLine)),
      ...under(
        paint.bold('Quick reference'),
        map.reference.map((line) => inert(`  ${line}`)),
      ),
    ],
  });
}

/** Another project's entry in the workspace and its index. */
async function neighbour(cli: CommandContext, user: Memory, key: string): Promise<CommandResult> {
  const map = await readWorkspace(user);
  const entry = map.projects.find(({ project }) => project.toLowerCase() === key.toLowerCase());
  const { memory, project } = await cli.elsewhere(entry?.project ?? key).open();
  const near = neighbourhood(map, memory.key);
  const index = (await memory.store.read({ root: 'private', path: '_index.md' }))?.text;
  return ok({
    json: {
      ok: true,
      project: memory.key,
      path: project?.path,
      ...(entry && { status: entry.status, description: entry.description }),
      ...near,
      index: index ?? null,
    },
    lines: [
      cli.paint.bold(inert(memory.key)),
      ...(entry ? [inert(`  ${entry.status}  ${entry.path}  ${entry.description}`)] : []),
      ...near.relationships.map(relationLine),
      ...near.initiatives.map(initiativeLine),
      '',
      inert(index?.trim() ?? 'This project has no memory yet.'),
      '',
      cli.paint.dim(`Print one of its files with holdfast show ID --project ${memory.key}`),
    ],
  });
}

/** Finds relationships in the project's files and adds the new ones to the workspace. */
async function discover(cli: CommandContext, user: Memory): Promise<CommandResult> {
  const { memory } = await cli.open();
  const found = await cli.relationsFound((await readWorkspace(user)).projects);
  const added = await addFoundRelations(user, memory.key, found, cli.actor);
  if (!added.ok) return added;
  return ok({
    json: { ok: true, found, added: added.value },
    lines: [...added.value.map(relationLine), ...(added.value.length === 0 ? [`Nothing new: found ${found.length}, all known.`] : [])],
  });
}

async function change(cli: CommandContext, user: Memory, args: Arguments): Promise<Result<WrittenDocument>> {
  const [verb, first, second, third] = args.positionals;
  const author = { actor: cli.actor };
  const usage = (line: string): Result<never> =>
    refuse('USAGE_ERROR', `Missing argument. Usage: holdfast workspace ${line}`, { hint: 'holdfast workspace --help' });
  const [status, note, description] = [args.text('status'), args.text('note'), args.text('description')];
  if (verb === 'add') {
    const { memory, project } = await (first === undefined ? cli : cli.elsewhere(first)).open();
    const place = { key: memory.key, path: project?.path ?? '', index: `${project?.shownRoot ?? ''}_index.md` };
    return mapProject(user, { ...place, status, ...(description !== undefined && { description }) }, author);
  }
  if (verb === 'remove') return first === undefined ? usage('remove KEY') : unmapProject(user, first, author);
  if (verb === 'status') return first === undefined || second === undefined ? usage('status KEY STATUS') : setProjectStatus(user, first, second, author);
  if (verb === 'unrelate') return first === undefined || second === undefined ? usage('unrelate FROM TO') : unrelate(user, first, second, author);
  if (verb === 'relate') {
    if (first === undefined || second === undefined) return usage('relate [FROM] RELATION TO');
    const isKey = (await readWorkspace(user)).projects.some(({ project }) => project === first);
    if (third === undefined && isKey) return usage('relate [FROM] RELATION TO');
    const from = third === undefined ? (await cli.open()).memory.key : first;
    return relate(user, third === undefined ? { from, relation: first, to: second, note } : { from, relation: second, to: third, note }, author);
  }
  if (first === undefined) return usage('initiative NAME');
  if (args.flag('done')) return endInitiative(user, first, author);
  const projects = args.texts('with');
  return trackInitiative(user, { initiative: first, status, note, ...(projects.length > 0 && { projects }) }, author);
}

export const workspaceCommand: Command = {
  name: 'workspace',
  about: 'Shows or edits the map of your projects: their relationships and the initiatives across them.',
  positionals: '[add|remove|status|relate|unrelate|initiative|discover|show] …',
  most: 4,
  options: [
    { name: 'description', value: 'TEXT', about: 'with add: a description of the project' },
    { name: 'status', value: 'S', about: 'with add and initiative: the status' },
    { name: 'with', value: 'KEY', many: true, about: 'with initiative: a participating project; repeatable' },
    { name: 'note', value: 'TEXT', about: 'with relate and initiative: a note' },
    { name: 'done', about: 'with initiative: remove it' },
  ],
  examples: [
    ['holdfast workspace', 'projects, initiatives, and the relationships of this project'],
    ['holdfast workspace add --description "The shop"', 'add this project, or describe it'],
    ['holdfast workspace relate depends-on billing-lib', 'this project depends on another'],
    ['holdfast workspace relate app fork-of upstream-app', 'a relationship between two other projects'],
    ['holdfast workspace initiative "Node 24" --with webshop --with billing-lib --status "in progress"', 'track work across projects'],
    ['holdfast workspace discover', 'find relationships in the manifests and remotes of this project'],
    ['holdfast workspace show billing-lib', 'the index of another project'],
    ['holdfast workspace status billing-lib paused', 'set the status of a project'],
  ],
  run: async (cli, args) => {
    const [verb, first] = args.positionals;
    const { memory: user } = await cli.open('user');
    if (verb === undefined) return overview(cli, user);
    if (!VERBS.some((name) => name === verb)) return refuse('USAGE_ERROR', unknownAction('workspace', verb, VERBS), { hint: 'holdfast workspace --help' });
    if (verb === 'show')
      return first === undefined
        ? refuse('USAGE_ERROR', 'workspace show needs a project.', { hint: 'holdfast workspace lists them' })
        : neighbour(cli, user, first);
    if (verb === 'discover') return discover(cli, user);
    const written = await change(cli, user, args);
    if (!written.ok) return written;
    const { status, file, warnings, redactions } = written.value;
    return ok({
      json: { ok: true, status, file, ...(redactions.length > 0 && { redactions }) },
      lines: [`${cli.paint.green(status)} ${inert(file)}`],
      warnings,
    });
  },
};
