import type { InboxItem } from '../../../../app/inbox/inbox.ts';
import { acceptRecords, mergeRecords, rejectRecords } from '../../../../app/inbox/review.ts';
import type { Memory } from '../../../../app/memory/memory.ts';
import { dismissSkill } from '../../../../app/skills/dismissed.ts';
import { planSkill, writeSkill } from '../../../../app/skills/promote.ts';
import type { SkillProposal } from '../../../../app/skills/proposals.ts';
import { shortened } from '../../../../capture/summary/text.ts';
import { ok } from '../../../../core/result.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import { inert } from '../../paint.ts';
import { proposalLine } from './promote.ts';
import { editInInbox, reviewOutput, inboxLines, inboxSource } from './inbox.ts';

const SKILL_KEYS = 'Make it a skill that agents follow? [p]romote [d]ismiss [s]kip [q]uit';
const TITLE = 60;

/** The question below a record. It names the next record, which is not shown yet but can be merged. Records of two categories cannot be merged. */
const keysFor = (entry: InboxItem, next: InboxItem | undefined): readonly [question: string, keys: string] =>
  next?.record.category !== entry.record.category
    ? ['[a]ccept [e]dit [r]eject [s]kip [q]uit', 'aersq']
    : [`[a]ccept [e]dit [r]eject [m]erge with ${next.shortId}, the next (${inert(shortened(next.record.title, TITLE))}) [s]kip [q]uit`, 'aermsq'];

/** Asks for one key for each record of the inbox. */
export async function reviewByKeys(
  cli: CommandContext,
  memory: Memory,
  waiting: readonly InboxItem[],
  skills: readonly SkillProposal[],
  limit: number | undefined,
): Promise<CommandResult> {
  const author = { actor: cli.actor };
  const count = { accepted: 0, rejected: 0, merged: 0, promoted: 0, dismissed: 0 };
  let rest = limit === undefined ? [...waiting] : waiting.slice(0, limit);
  const legacy = rest.filter((entry) => entry.old);
  if (legacy.length > 1) {
    const shown = legacy.map(({ shortId, record }) => `  ${shortId}  ${inert(record.title)}`).join('\n');
    const key = await cli.key(
      `${legacy.length} records were drafted without a model by an earlier version:\n${shown}`,
      '[r]eject them all [s]how each [q]uit',
      'rsq',
    );
    if (key === 'q') return reviewCounts(cli, count, rest.length);
    if (key === 'r') {
      const done = await rejectRecords(memory, legacy, author);
      if (!done.ok) return done;
      count.rejected += legacy.length;
      rest = rest.filter((entry) => !entry.old);
    }
  }
  let [skipped, note, quit] = [0, '', false];
  while (rest.length > 0) {
    const [entry, next, ...following] = rest as [InboxItem, ...InboxItem[]];
    const shown = [`${rest.length} left`, ...inboxLines(entry, await inboxSource(cli, entry), cli.paint)].join('\n');
    const key = await cli.key(note + shown, ...keysFor(entry, next));
    note = '';
    quit = key === 'q';
    if (quit) break;
    if (key === 's') skipped += 1;
    const done =
      key === 'a'
        ? reviewOutput(cli.paint, memory, await acceptRecords(memory, [entry], author))
        : key === 'r'
          ? reviewOutput(cli.paint, memory, await rejectRecords(memory, [entry], author))
          : key === 'e'
            ? await editInInbox(cli, memory, entry)
            : key === 'm' && next
              ? reviewOutput(cli.paint, memory, await mergeRecords(memory, [entry, next], author))
              : undefined;
    if (done && !done.ok) {
      note = `${done.error.code} ${inert(done.error.message)}\n`;
      continue;
    }
    note = (done?.value.lines ?? [])
      .slice(0, -1)
      .map((line) => `${line}\n`)
      .join('');
    if (key === 'a' || key === 'e') count.accepted += 1;
    if (key === 'r') count.rejected += 1;
    if (key === 'm') count.merged += 1;
    rest = key === 'm' ? following : [...(next ? [next] : []), ...following];
  }
  if (!quit) await proposeSkills(cli, memory, skills, count, note);
  return reviewCounts(cli, count, rest.length + skipped);
}

type Counts = Record<'accepted' | 'rejected' | 'merged' | 'promoted' | 'dismissed', number>;

/** Proposes runbooks as skills; shows the whole skill before it asks. */
async function proposeSkills(cli: CommandContext, memory: Memory, skills: readonly SkillProposal[], count: Counts, before: string): Promise<void> {
  let note = before;
  for (const proposal of skills) {
    const plan = await planSkill(memory, proposal.item, { folder: '.claude/skills' });
    const shown = plan.ok ? `${inert(plan.value.file)}\n\n${inert(plan.value.text)}` : `${plan.error.code} ${inert(plan.error.message)}\n`;
    const key = await cli.key(`${note}${proposalLine(proposal, cli.paint)}\n${shown}`, SKILL_KEYS, 'pdsq');
    if (key === 'q') return;
    const done =
      key === 'p' && plan.ok
        ? await writeSkill(memory, plan.value, { actor: cli.actor })
        : key === 'd'
          ? await dismissSkill(memory, proposal.name, { actor: cli.actor })
          : undefined;
    note = done && !done.ok ? `${done.error.code} ${inert(done.error.message)}\n` : '';
    if (done?.ok) count[key === 'p' ? 'promoted' : 'dismissed'] += 1;
  }
}

function reviewCounts({ paint }: CommandContext, { accepted, rejected, merged, promoted, dismissed }: Counts, left: number): CommandResult {
  const done = accepted + rejected + merged + promoted + dismissed;
  return ok({
    json: { ok: true, accepted, rejected, merged, promoted, dismissed, waiting: left },
    lines: [
      `${accepted} accepted, ${rejected} rejected, ${merged} merged, ${left} still waiting${promoted > 0 ? `, ${promoted} made ${promoted === 1 ? 'a skill' : 'skills'}` : ''}`,
      ...(done === 0 ? [] : [paint.dim(`holdfast undo takes the last one back${done > 1 ? `, holdfast undo ${done} all of them` : ''}`)]),
    ],
  });
}
