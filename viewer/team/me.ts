import { computed, effect, signal } from '@preact/signals';
import type { TeamMe, TeamProjects, TeamToken } from '../../src/edges/team/contract.ts';
import { key } from '../key.ts';
import { complain, say } from '../toasts.ts';
import { askTeam, askWith, turn } from './api.ts';

/** Who is signed in, and the projects of the organisation. */
export const me = signal<TeamMe | undefined>(undefined);
export const projects = signal<TeamProjects['projects']>([]);

type Scope = TeamMe['scopes'][number];

const RANK: Readonly<Record<TeamMe['member']['role'], number>> = { reader: 0, writer: 1, reviewer: 2, admin: 3 };
const NEEDED: Readonly<Record<Scope, number>> = { read: 0, write: 1, review: 2, admin: 3 };

/** The rights that both the token and the role allow; the server checks them again. */
export const may = (scope: Scope): boolean => me.value !== undefined && me.value.scopes.includes(scope) && RANK[me.value.member.role] >= NEEDED[scope];

export const isAdmin = computed(() => may('admin'));

/** Begins a session with its own token, so that signing out does not revoke the member's token. */
export async function signInWith(token: string): Promise<void> {
  try {
    key.value = (await askWith<TeamToken>(token, 'session', { method: 'POST' })).token;
  } catch (cause) {
    complain(cause);
  }
}

/** Forgets the session's token and revokes it on the server. */
export async function signOut(): Promise<void> {
  const token = key.value ?? '';
  const [, , id = ''] = token.split('_');
  key.value = undefined;
  try {
    await askWith(token, `tokens/${id}`, { method: 'DELETE' });
  } catch {
    say('You are signed out here, but the server still knows this session.', { isError: true, hint: `end it with: holdfast team revoke-token ${id}` });
  }
}

/** Keeps the member and the projects up to date; another member may add projects. */
export function followMember(): void {
  effect(() => {
    void turn.value;
    if (key.value === undefined) {
      me.value = undefined;
      return;
    }
    void Promise.all([askTeam<TeamMe>('me'), askTeam<TeamProjects>('projects')]).then(([member, all]) => {
      me.value = member;
      projects.value = all.projects;
    }, complain);
  });
}
