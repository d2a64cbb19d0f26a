import { connectedTeam } from '../../../../app/sync/team-client.ts';
import { ok, refuse } from '../../../../core/result.ts';
import { unifiedDiff } from '../../../../app/history/log.ts';
import type { Command, CommandResult } from '../../command.ts';
import { unknownAction } from '../../errors.ts';
import { inert } from '../../paint.ts';

interface ProposalAnswer {
  readonly number: number;
  readonly kind: string;
  readonly author: string;
  readonly state: string;
  readonly at: string;
  readonly path?: string;
  readonly text?: string;
  readonly before?: string;
  readonly reviewer?: string;
  readonly reason?: string;
}

const lineOf = ({ number, author, state, path = '(removed)', kind, before }: ProposalAnswer): string =>
  `${String(number).padStart(4)}  ${state.padEnd(8)}  ${inert(path)}  ${kind === 'text' ? (before === undefined ? 'new' : 'changed') : 'removal'} by ${inert(author)}`;

function proposalOutput(proposal: ProposalAnswer): CommandResult {
  const { path = '', before = '', text = '' } = proposal;
  return ok({
    json: { ok: true, proposal },
    lines: [lineOf(proposal), ...unifiedDiff(before, text, `${path} (team)`, `${path} (proposed)`).split('\n').map(inert)],
  });
}

const ACTIONS = ['list', 'show', 'accept', 'reject'];

export const reviewCommand: Command = {
  name: 'review',
  about:
    'Lists the records that members propose to the team, shows them, and accepts or rejects them, as a pull request would. Needs a reviewer’s token; you cannot accept your own.',
  positionals: '[list|show N|accept N|reject N]',
  most: 2,
  options: [
    { name: 'reason', value: 'R', about: 'the reason, for the author' },
    { name: 'all', about: 'with list: also decided proposals' },
  ],
  examples: [
    ['holdfast review', 'the proposals that wait'],
    ['holdfast review show 3', 'the changes of proposal 3'],
    ['holdfast review accept 3', 'members get it with their next sync'],
    ['holdfast review reject 3 --reason "already in the runbook"', 'its author sees the reason'],
  ],
  run: async (cli, args) => {
    const [action = 'list', number] = args.positionals;
    if (!ACTIONS.includes(action)) return refuse('USAGE_ERROR', unknownAction('review', action, ACTIONS), { hint: 'holdfast review --help' });
    if (action !== 'list' && (number === undefined || !/^[1-9]\d*$/.test(number)))
      return refuse('USAGE_ERROR', `review ${action} needs the number of a proposal.`, { hint: 'holdfast review lists them' });
    const { memory } = await cli.open();
    const connected = connectedTeam(await cli.team(), memory);
    if (!connected.ok) return connected;
    const { api, connection } = connected.value;
    const path = `v1/projects/${encodeURIComponent(connection.project)}/proposals`;
    if (action === 'list' || action === 'show') {
      const answer = await api.ask('GET', args.flag('all') || action === 'show' ? path : `${path}?state=open`);
      if (!answer.ok) return answer;
      const proposals = answer.value['proposals'] as readonly ProposalAnswer[];
      if (action === 'list')
        return ok({ json: { ok: true, proposals }, lines: proposals.length === 0 ? ['Nothing waits for review.'] : proposals.map(lineOf) });
      const found = proposals.find((proposal) => String(proposal.number) === number);
      return found ? proposalOutput(found) : refuse('NOT_FOUND', `There is no proposal ${number}.`, { missing: true, hint: 'holdfast review lists them' });
    }
    if (cli.caller === 'agent')
      return refuse('SECURITY_ERROR', 'Only a person reviews.', { hint: `run holdfast review ${action} ${number} in a terminal of your own` });
    const answer = await api.ask('POST', `${path}/${number}/${action}`, { reason: args.text('reason') ?? '' });
    if (!answer.ok) return answer;
    const decided = answer.value as unknown as ProposalAnswer;
    return ok({
      json: { ok: true, proposal: decided },
      lines: [`${cli.paint.green(decided.state)} proposal ${decided.number}  ${inert(decided.path ?? '(removed)')}  by ${inert(decided.author)}`],
    });
  },
};
