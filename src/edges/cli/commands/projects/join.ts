import { type JoinedProjects, projectJoining, type SplitProjects } from '../../../../app/bundle/join-projects.ts';
import { switchOf } from '../../../../app/project/switch.ts';
import type { Finding } from '../../../../app/read/doctor.ts';
import { statusOfMemory } from '../../../../app/read/status.ts';
import { unmapProject } from '../../../../app/workspace/change.ts';
import { readWorkspace } from '../../../../app/workspace/workspace.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import { mayConfirm } from '../../../../core/trust/trust.ts';
import type { Arguments, Cli, CommandContext, CommandResult } from '../../command.ts';
import { unknownAction } from '../../errors.ts';
import { inert } from '../../paint.ts';
import { plural } from '../../present/format.ts';
import { declined } from '../../present/written.ts';

const VERBS = ['merge', 'split'] as const;

/** `project merge PROJECT` and `project split PROJECT`, both about the current project. */
export async function joinOrSplit(cli: CommandContext, args: Arguments, verb: string): Promise<CommandResult> {
  const [, word] = args.positionals;
  if (!VERBS.some((name) => name === verb)) return refuse('USAGE_ERROR', unknownAction('project', verb, VERBS), { hint: 'holdfast project --help' });
  if (word === undefined) return refuse('USAGE_ERROR', `project ${verb} needs the name of a project.`, { hint: 'holdfast workspace lists your projects' });
  if (!mayConfirm(cli.actor))
    return refuse('SECURITY_ERROR', `Only a person runs project ${verb}, and this is the shell of an agent.`, {
      hint: 'records would keep their trust in the other project; run it in a terminal of your own',
    });
  return verb === 'merge' ? merge(cli, args, word) : split(cli, args, word);
}

async function isAgreed(cli: Cli, args: Arguments, shown: string, question: string): Promise<boolean> {
  if (cli.caller !== 'person' || args.flag('yes') || args.flag('json')) return true;
  return (await cli.setup()).confirm(shown, question);
}

async function merge(cli: CommandContext, args: Arguments, word: string): Promise<CommandResult> {
  const { memory: ours, project: here } = await cli.open();
  const source = cli.elsewhere(word);
  const { memory: theirs, project: there } = await source.open();
  const { categories } = await statusOfMemory(theirs);
  const records = categories.reduce((sum, { active }) => sum + active, 0);
  const shown = [
    `${inert(theirs.key)} (${inert(there?.path ?? '')}) becomes part of ${inert(ours.key)} (${inert(here?.path ?? '')}).`,
    `  ${plural(records, 'record')} and all conversations are copied; sessions in its folders belong to ${inert(ours.key)} from then on.`,
    `  Its own files stay where they are. holdfast project split ${inert(theirs.key)} takes it back.`,
  ].join('\n');
  if (theirs.key !== ours.key && !(await isAgreed(cli, args, shown, `Merge ${theirs.key} into ${ours.key}?`))) return declined('Nothing was merged.');
  const done = await projectJoining(await source.bundleHost()).join({ from: theirs.key, into: ours.key, actor: cli.actor });
  if (!done.ok) return done;
  const warnings = await removeFromMap(cli, theirs.key);
  const { on, because } = switchOf(ours.config, (await statusOfMemory(ours)).session?.active === true);
  return ok({
    json: { ok: true, ...done.value },
    lines: mergedLines(cli, done.value),
    warnings: [...warnings, ...(on ? [] : [`${because} Sessions in the folders of ${theirs.key} get nothing until memory is on in ${ours.key}.`])],
  });
}

/** Removes a merged project from the map of projects. */
async function removeFromMap(cli: Cli, key: string): Promise<readonly string[]> {
  const { memory: user } = await cli.open('user');
  const map = await readWorkspace(user);
  if (!map.projects.some(({ project }) => project === key)) return [];
  const done = await unmapProject(user, key, { actor: cli.actor });
  return done.ok ? done.value.warnings : [`The map of projects was not changed: ${done.error.message}`];
}

const mergedLines = ({ paint }: Cli, { from, into, created, updated, unchanged, kept: known, conflicts, sessions, messages }: JoinedProjects): string[] => [
  `${paint.green('merged')} ${inert(from)} into ${paint.bold(inert(into))}`,
  `  files: ${created.length} new, ${updated.length} updated, ${unchanged.length + known.length} known, ${conflicts.length} in conflict`,
  `  conversations: ${plural(sessions, 'session')}, ${plural(messages, 'new message')}`,
  ...conflicts.map(({ ours, theirs }) => `  ${paint.yellow('conflict')} kept ${inert(ours)}; saved the other as ${inert(theirs)}`),
  paint.dim(`  The files of ${inert(from)} stay where they are. Take it back with holdfast project split ${inert(from)}`),
];

async function split(cli: CommandContext, args: Arguments, word: string): Promise<CommandResult> {
  const { memory } = await cli.open();
  const shown = `What came from ${inert(word)} leaves ${inert(memory.key)}, and ${inert(word)} is a project of its own again. Records that were changed since stay.`;
  if (!(await isAgreed(cli, args, shown, `Split ${word} from ${memory.key}?`))) return declined('Nothing was split.');
  const done = await projectJoining(await cli.bundleHost()).split({ from: word, into: memory.key, actor: cli.actor });
  return done.ok ? ok({ json: { ok: true, ...done.value }, ...splitOutput(cli, done.value) }) : done;
}

const splitOutput = (
  { paint }: Cli,
  { from, project, files, sessions, kept: remaining }: SplitProjects,
): { readonly lines: string[]; readonly warnings: string[] } => ({
  lines: [
    `${paint.green('split')} ${inert(from)} from ${paint.bold(inert(project))}`,
    `  ${plural(files, 'file')} and ${plural(sessions, 'session')} taken out of ${inert(project)}`,
  ],
  warnings: remaining ? [`The files stay in ${project}: ${remaining.message}`] : [],
});

interface Clone {
  readonly key: string;
  readonly path: string;
}

const cloneSentence = ({ key, path }: Clone): string => `${key} (${path}) is a clone of the same repository, with a memory of its own.`;

/** Reports another clone of this repository, or the repository that lay here before, if it has a memory of its own: only the user knows whether they belong together. */
export async function cloneFindings(cli: Cli): Promise<readonly Finding[]> {
  const joining = projectJoining(await cli.bundleHost());
  const [other] = joining.clones();
  if (other) return [{ level: 'note', what: cloneSentence(other), mend: `One memory for both: holdfast project merge . --project ${other.key}` }];
  const former = joining.former();
  return former === undefined
    ? []
    : [
        {
          level: 'note',
          what: `Another repository lay in this folder before; its memory is that of the project ${former.key}.`,
          mend: `If they are one project: holdfast project merge ${former.key}`,
        },
      ];
}

export const cloneNotes = async (cli: Cli): Promise<readonly string[]> => (await cloneFindings(cli)).map(({ what, mend: fix }) => `${what} ${fix}`);

/** Asks a person once whether a second clone shares the memory of the first; true if so. The history alone does not decide it, because an archive can contain one. */
export async function offerToJoin(cli: CommandContext): Promise<Result<boolean>> {
  if (cli.caller !== 'person') return ok(false);
  const joining = projectJoining(await cli.bundleHost());
  const [other] = joining.clones();
  if (other === undefined) return ok(false);
  const { memory } = await cli.open();
  const shown = [
    inert(cloneSentence(other)),
    `  y  one memory for both; holdfast project split ${inert(memory.key)} takes it back`,
    '  n  this clone gets a memory of its own',
    '  l  ask me later',
  ].join('\n');
  const answer = await cli.key(shown, 'One memory for both? [y/n/l]', 'ynl');
  if (answer === 'n') await joining.keepApart(other.key);
  if (answer !== 'y') return ok(false);
  const done = await joining.join({ from: memory.key, into: other.key, actor: cli.actor });
  return done.ok ? ok(true) : done;
}
