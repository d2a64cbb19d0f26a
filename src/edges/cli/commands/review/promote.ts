import { catchUp } from '../../../../app/index/catch-up.ts';
import type { Memory } from '../../../../app/memory/memory.ts';
import { resolveItem } from '../../../../app/read/resolve.ts';
import { recordName } from '../../../../app/recall/entry.ts';
import { dismissSkill } from '../../../../app/skills/dismissed.ts';
import { planSkill, writeSkill, type SkillPlan, type SkillRequest } from '../../../../app/skills/promote.ts';
import { skillProposals, type SkillProposal } from '../../../../app/skills/proposals.ts';
import type { ItemFacts } from '../../../../core/ports/index.ts';
import { SKILL_FOLDERS } from '../../../../core/record/skill-place.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import type { Cli, Command, CommandContext, CommandResult, Paint } from '../../command.ts';
import { inert } from '../../paint.ts';

const [CLAUDE, AGENTS] = SKILL_FOLDERS;

export const promoteCommand: Command = {
  name: 'promote',
  about: `Makes a runbook a skill of the project: shows the SKILL.md, asks, and writes it into ${CLAUDE}/, to be committed with the code. Without ID it lists the runbooks that agents used in two or more sessions; the inbox proposes them too. Nothing becomes a skill without you.`,
  positionals: '[ID]',
  most: 1,
  options: [
    { name: 'name', value: 'NAME', about: 'the name of the skill (default: the id of the runbook)' },
    { name: 'agents', about: `write it into ${AGENTS}/, which Codex, Gemini CLI, Qwen Code and Droid load` },
    { name: 'dismiss', about: 'stop proposing this runbook' },
    { name: 'yes', about: 'do not ask' },
  ],
  examples: [
    ['holdfast promote', 'the runbooks that agents keep using'],
    ['holdfast promote r4f7', 'show the skill, ask, and write it; holdfast undo removes it'],
    ['holdfast promote r4f7 --dismiss', 'keep the runbook, but stop proposing it'],
  ],
  run: async (cli, args) => {
    const [id] = args.positionals;
    const { memory } = await cli.open();
    if (id === undefined) return listOutput(await proposalsOf(cli, memory), cli.paint);
    await catchUp(memory);
    const item = await resolveItem(memory, id);
    if (!item.ok) return item;
    if (args.flag('dismiss')) return dismiss(cli, memory, recordName(item.value));
    return promote(cli, memory, item.value, { folder: args.flag('agents') ? AGENTS : CLAUDE, name: args.text('name') }, args.flag('yes'));
  },
};

export const proposalsOf = async (cli: Cli, memory: Memory): Promise<readonly SkillProposal[]> => skillProposals(memory, (await cli.recallContext()).log);

export const proposalJson = ({ name, shortId, record, used, shown }: SkillProposal): object => ({
  id: name,
  short_id: shortId,
  title: record.title,
  used,
  shown,
});

export const proposalLine = ({ shortId, record, used, shown }: SkillProposal, paint: Paint): string =>
  `${paint.bold(shortId)}  ${inert(record.title)}  ${paint.dim(`used in ${used} of ${shown} sessions`)}`;

export const HOW_TO_PROMOTE = 'holdfast promote ID makes it a skill of the project; --dismiss stops proposing it';

function listOutput(proposals: readonly SkillProposal[], paint: Paint): CommandResult {
  return ok({
    json: { ok: true, proposals: proposals.map(proposalJson) },
    lines:
      proposals.length === 0
        ? ['No runbook was used in two or more sessions. holdfast list --category runbook lists them all; any of them can be promoted.']
        : [...proposals.map((one) => proposalLine(one, paint)), '', HOW_TO_PROMOTE],
  });
}

export async function dismiss(cli: Cli, memory: Memory, name: string): Promise<CommandResult> {
  const dismissed = await dismissSkill(memory, name, { actor: cli.actor });
  return dismissed.ok ? ok({ json: { ok: true, dismissed: name }, lines: [`${name} is no longer proposed as a skill`] }) : dismissed;
}

async function confirmSkill(cli: Cli, { text, file }: SkillPlan): Promise<Result<true>> {
  const agreed = await (await cli.setup()).confirm(`${inert(file)}\n\n${inert(text)}`, 'Write this skill? Agents will follow it.');
  return agreed ? ok(true) : refuse('USAGE_ERROR', 'Nothing was written.', { hint: 'answer y at the terminal, or give --yes' });
}

/** Shows the skill and asks, unless `--yes` or a key in the inbox has agreed. */
export async function promote(cli: CommandContext, memory: Memory, item: ItemFacts, request: SkillRequest, isAgreed: boolean): Promise<CommandResult> {
  const plan = await planSkill(memory, item, request);
  if (!plan.ok) return plan;
  const agreed = isAgreed || plan.value.status === 'unchanged' || cli.actor !== 'command' ? ok(true) : await confirmSkill(cli, plan.value);
  if (!agreed.ok) return agreed;
  const written = await writeSkill(memory, plan.value, { actor: cli.actor });
  if (!written.ok) return written;
  const { status, id, file, place } = written.value;
  const { paint } = cli;
  return ok({
    json: { ok: true, status, id, file, path: place.path },
    lines: [
      `${paint.green(status)} ${paint.bold(place.path)}  ${paint.dim(`from ${id}`)}`,
      ...(status === 'unchanged' ? [] : [paint.dim('commit it with the code; holdfast undo takes it back')]),
    ],
  });
}
