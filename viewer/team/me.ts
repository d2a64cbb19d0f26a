import { computed, effect, signal } from '@preact/signals';
import type { TeamMe, TeamProjects } from '../../src/edges/team/contract.ts';
import { key } from '../key.ts';
import { complain } from '../toasts.ts';
import { askTeam, turn } from './api.ts';

/** Who is signed in, and the projects of the organisation. */
export const me = signal<TeamMe | undefined>(undefined);
export const projects = signal<TeamProjects['projects']>([]);

type Scope = TeamMe['scopes'][number];

const RANK: Readonly<Record<TeamMe['member']['role'], number>> = { reader: 0, writer: 1, reviewer: 2, admin: 3 };
const NEEDED: Readonly<Record<Scope, number>> = { read: 0, write: 1, review: 2, admin: 3 };

/** The rights that both the token and the role allow; the server checks them again. */
export const may = (scope: Scope): boolean => me.value !== undefined && me.value.scopes.includes(scope) && RANK[me.value.member.role] >= NEEDED[scope];

export const isAdmin = computed(() => may('admin'));

export const signOut = (): void => void (key.value = undefined);

/** Follows who is signed in, and the projects, which another member may add. */
export function followMember(): void {
  effect(() => {
    void turn.value;
    if (key.value === undefined) {
      me.value = undefined;
      return;
    }
    void Promise.all([askTeam<TeamMe>('me'), askTeam<TeamProjects>('projects')]).then(([found, all]) => {
      me.value = found;
      projects.value = all.projects;
    }, complain);
  });
}
