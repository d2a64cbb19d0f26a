import { type ConversationPlan, type ConversationSource, planConversations, sendConversations } from '../../../../app/sync/conversations.ts';
import { connectedTeam, type TeamClient } from '../../../../app/sync/team-client.ts';
import type { Memory } from '../../../../app/memory/memory.ts';
import { ok, refuse } from '../../../../core/result.ts';
import type { Arguments, CommandContext, CommandResult } from '../../command.ts';
import { shownDay, timeRangeOf } from '../../instant.ts';
import { inert } from '../../paint.ts';
import { plural } from '../../present/format.ts';

/** Tells the user what will be sent, before they agree. */
function linesOf({ conversations, messages, from, to, unchanged, others }: ConversationPlan, host: string, project: string): readonly string[] {
  const lines: string[] = [];
  if (conversations > 0) {
    const dates = from === undefined || to === undefined ? '' : `, from ${shownDay(from)} to ${shownDay(to)}`;
    lines.push(
      `${plural(conversations, 'conversation')} with ${plural(messages, 'message')}${dates} will go to ${inert(host)}, project ${inert(project)}.`,
      'Every member of your organisation can search and read them: your prompts, the replies of agents, and their tool calls.',
      'The answers of tools and the thoughts of agents are not sent. Recognised secrets are redacted.',
      'holdfast team remove-conversation ID removes one from the server.',
    );
  }
  if (unchanged > 0) lines.push(`${plural(unchanged, 'conversation')} ${unchanged === 1 ? 'is' : 'are'} on the server already.`);
  if (others > 0) lines.push(`${plural(others, 'conversation')} came from another member and will not be changed.`);
  return lines.length === 0 ? ['This project has no conversations to send.'] : lines;
}

/** Sends the conversations of a project to its team, after a person has seen how many and agreed. */
export async function sendConversationsCommand(cli: CommandContext, client: TeamClient, memory: Memory, args: Arguments): Promise<CommandResult> {
  if (cli.caller === 'agent')
    return refuse('SECURITY_ERROR', 'Only a person sends conversations to a team.', { hint: 'run the command in a terminal of your own' });
  const connected = connectedTeam(client, memory);
  if (!connected.ok) return connected;
  const range = timeRangeOf(args, cli.now());
  if (!range.ok) return range;
  const { api, connection } = connected.value;
  const episodes = await cli.episodes();
  const { since } = range.value;
  const source: ConversationSource = {
    ...{ api, project: connection.project, episodes: () => episodes.all(memory.key), sha256: (text) => client.plain.hashOf('', text) },
    ...(since !== undefined && { since }),
  };
  const plan = await planConversations(source);
  if (!plan.ok) return plan;
  const lines = linesOf(plan.value, api.host, connection.project);
  const { conversations, messages, unchanged, others } = plan.value;
  const json = { conversations, messages, unchanged, others };
  if (args.flag('dry-run') || conversations === 0) return ok({ json: { ok: true, dry_run: args.flag('dry-run'), ...json }, lines });
  if (!args.flag('yes') && !(await (await cli.setup()).confirm(lines.join('\n'), 'Send them?')))
    return refuse('USAGE_ERROR', 'No conversation was sent: a person has to agree.', { hint: 'answer y at a terminal, or give --yes' });
  const sent = await sendConversations(source, plan.value);
  if (!sent.ok) return sent;
  return ok({
    json: { ok: true, dry_run: false, ...json, new_messages: sent.value.messages },
    lines: [`${cli.paint.green('sent')} ${plural(sent.value.conversations, 'conversation')}, ${plural(sent.value.messages, 'new message')}`],
  });
}
