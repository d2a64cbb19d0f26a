import { connectedTeam } from '../../../../app/sync/team-client.ts';
import { ROLES, SCOPES_OF_TOKENS } from '../../../../core/ports/team/store.ts';
import type { TeamAnswer, TeamApi } from '../../../../core/ports/team/api.ts';
import { ok, refuse, type Result } from '../../../../core/result.ts';
import type { Arguments, Command, CommandResult } from '../../command.ts';
import { unknownAction } from '../../errors.ts';
import { inert } from '../../paint.ts';

type Row = Readonly<Record<string, unknown>>;

interface Subcommand {
  /** The name after it that it needs. */
  readonly needs?: string;
  ask(api: TeamApi, name: string, args: Arguments, project: string): Promise<Result<TeamAnswer>>;
  lines(answer: TeamAnswer): readonly string[];
}

const text = (value: unknown): string => inert(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const row = (...cells: readonly unknown[]): string => cells.map(text).join('  ');
const rowsOf = (answer: TeamAnswer, name: string): readonly Row[] => answer[name] as readonly Row[];
const days = (args: Arguments): number => Number(args.text('days') ?? 90);
const dayOf = (instant: unknown): string => text(instant).slice(0, 10);
const encoded = (name: string): string => encodeURIComponent(name);

function hitLines({ kind, id, session_id: session, project, title, snippet, at }: Row): readonly string[] {
  const name = kind === 'message' ? `${text(session)} --around ${text(id)}` : text(id);
  return [row(kind, `[${text(project)}]`, name, title, at ?? ''), `  ${text(snippet)}`];
}

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  me: {
    ask: (api) => api.ask('GET', 'v1/me'),
    lines: (answer) => [
      row(
        (answer['member'] as Row)['member'],
        (answer['member'] as Row)['role'],
        answer['organisation'],
        String(answer['scopes']),
        `until ${text(answer['expires_at'])}`,
      ),
    ],
  },
  members: {
    ask: (api) => api.ask('GET', 'v1/members'),
    lines: (answer) => rowsOf(answer, 'members').map(({ member, role, name }) => row(member, role, name)),
  },
  member: {
    needs: 'MEMBER',
    ask: (api, member, args) => {
      const subject = args.text('subject');
      return api.ask('PUT', 'v1/members', {
        member,
        name: args.text('name') ?? member,
        role: args.text('role') ?? 'writer',
        ...(subject !== undefined && { subject }),
      });
    },
    lines: ({ member, role }) => [`saved ${row(member, role)}`],
  },
  'remove-member': {
    needs: 'MEMBER',
    ask: (api, member) => api.ask('DELETE', `v1/members/${encoded(member)}`),
    lines: () => ['removed; their tokens are revoked'],
  },
  tokens: {
    ask: (api) => api.ask('GET', 'v1/tokens'),
    lines: (answer) =>
      rowsOf(answer, 'tokens').map(({ id, member, scopes, expires_at: end, revoked_at: revoked, label, made_from: parent }) =>
        row(id, member, String(scopes), `until ${text(revoked ?? end)}`, label, ...(parent === undefined ? [] : [`made from ${text(parent)}`])),
      ),
  },
  token: {
    needs: 'MEMBER',
    ask: (api, member, args) =>
      api.ask('POST', 'v1/tokens', { member, scopes: (args.text('scopes') ?? 'read,write').split(','), label: args.text('name') ?? member, days: days(args) }),
    lines: ({ token, expires_at: end }) => [text(token), `It is shown only now, and is valid until ${dayOf(end)}.`],
  },
  'revoke-token': {
    needs: 'ID',
    ask: (api, id) => api.ask('DELETE', `v1/tokens/${encoded(id)}`),
    lines: () => ['revoked, with every token that was made from it'],
  },
  projects: {
    ask: (api) => api.ask('GET', 'v1/projects'),
    lines: (answer) => rowsOf(answer, 'projects').map(({ key, review }) => row(key, review === true ? 'changes wait for review' : '')),
  },
  project: {
    needs: 'PROJECT',
    ask: (api, key, args) => {
      const review = args.text('review');
      return api.ask('POST', 'v1/projects', { key, ...(review !== undefined && { review: review === 'yes' }) });
    },
    lines: ({ key, review }) => [`saved ${row(key, review === true ? 'changes wait for review' : 'changes are taken at once')}`],
  },
  search: {
    needs: 'QUERY',
    ask: (api, query, args, own) => {
      const project = args.text('in') ?? own;
      return api.ask('GET', `v1/search?${new URLSearchParams({ query, ...(project !== 'all' && { project }) }).toString()}`);
    },
    lines: (answer) => rowsOf(answer, 'hits').flatMap(hitLines),
  },
  conversations: {
    ask: (api, _name, args, own) => api.ask('GET', `v1/projects/${encoded(args.text('in') ?? own)}/conversations`),
    lines: (answer) =>
      rowsOf(answer, 'conversations').map(({ id, author, messages, ended_at: ended, title }) =>
        row(id, author, `${text(messages)} messages`, ended ?? '', title),
      ),
  },
  conversation: {
    needs: 'ID',
    ask: (api, id, args, own) => {
      const around = args.text('around');
      const query = around === undefined ? '' : `?${new URLSearchParams({ around }).toString()}`;
      return api.ask('GET', `v1/projects/${encoded(args.text('in') ?? own)}/conversations/${encoded(id)}${query}`);
    },
    lines: (answer) => rowsOf(answer, 'messages').flatMap(({ role, speaker, at, text: content }) => [row(speaker ?? role, at ?? ''), text(content), '']),
  },
  'remove-conversation': {
    needs: 'ID',
    ask: (api, id, args, own) => api.ask('DELETE', `v1/projects/${encoded(args.text('in') ?? own)}/conversations/${encoded(id)}`),
    lines: () => ['removed from the server; it stays on the machines that have it'],
  },
  audit: {
    ask: (api) => api.ask('GET', 'v1/audit'),
    lines: (answer) => rowsOf(answer, 'entries').map(({ at, member, action, target }) => row(at, member, action, target)),
  },
};

const NAMES = Object.entries(SUBCOMMANDS).map(([name, { needs }]) => (needs === undefined ? name : `${name} ${needs}`));

export const teamCommand: Command = {
  name: 'team',
  about:
    'Manages the organisation on the server that this project is connected to: members, tokens, projects, conversations, and the audit log. `search` finds what the team remembers. `rotate` replaces your own token on this machine; the new one ends when the old one would have.',
  positionals: `[${[...NAMES, 'rotate'].join('|')}]`,
  most: 2,
  options: [
    { name: 'in', value: 'PROJECT', about: 'a project on the server (default: this one); with search also all' },
    { name: 'around', value: 'ID', about: 'with conversation: only the messages around this one' },
    { name: 'name', value: 'N', about: 'with member: the full name; with token: a label' },
    { name: 'role', value: 'R', choices: ROLES, about: 'with member: the role (default: writer)' },
    { name: 'subject', value: 'S', about: 'with member: the member’s subject at your identity provider (OIDC `sub`)' },
    { name: 'scopes', value: 'S,S', about: `with token: its scopes, of ${SCOPES_OF_TOKENS.join(', ')} (default: read,write)` },
    { name: 'days', value: 'N', about: 'with token and rotate: its lifetime in days (default: 90)' },
    { name: 'review', value: 'yes|no', choices: ['yes', 'no'], about: 'with project: whether changes by writers wait for a reviewer' },
  ],
  examples: [
    ['holdfast team member bo --name "Bo" --role reviewer', 'add or change a member'],
    ['holdfast team token bo --scopes read,write,review --days 30', 'a token for them, shown once'],
    ['holdfast team project webshop --review yes', 'add a project whose changes wait for review'],
    ['holdfast team search "why sqlite" --in all', 'search records, documents and messages of the whole organisation'],
    ['holdfast team rotate', 'a new token for this machine; the old one ends in ten minutes'],
  ],
  run: async (cli, args): Promise<CommandResult> => {
    const [word = 'me', name] = args.positionals;
    const subcommand = Object.hasOwn(SUBCOMMANDS, word) ? SUBCOMMANDS[word] : undefined;
    if (!subcommand && word !== 'rotate')
      return refuse('USAGE_ERROR', unknownAction('team', word, [...Object.keys(SUBCOMMANDS), 'rotate']), { hint: 'holdfast team --help' });
    if (cli.caller === 'agent') return refuse('SECURITY_ERROR', 'Only a person manages a team.', { hint: 'run the command in a terminal of your own' });
    const client = await cli.team();
    const { memory } = await cli.open();
    const connected = connectedTeam(client, memory);
    if (!connected.ok) return connected;
    const { api, connection } = connected.value;
    if (!subcommand) {
      const made = await api.ask('POST', 'v1/tokens/rotate', args.text('days') === undefined ? {} : { days: days(args) });
      if (!made.ok) return made;
      const { id, token, expires_at: end } = made.value;
      client.files.setToken(connection.url, String(token));
      return ok({
        json: { ok: true, id, expires_at: end },
        lines: [`This machine has a new token until ${dayOf(end)}; the old one ends in ten minutes.`],
      });
    }
    if (subcommand.needs !== undefined && name === undefined)
      return refuse('USAGE_ERROR', `team ${word} needs ${subcommand.needs}.`, { hint: 'holdfast team --help' });
    const answer = await subcommand.ask(api, name ?? '', args, connection.project);
    return answer.ok ? ok({ json: { ...answer.value, ok: true }, lines: subcommand.lines(answer.value) }) : answer;
  },
};
