import type { ComponentChildren } from 'preact';
import { isHelpOpen, useKeys } from '../keys.ts';
import { Help } from '../parts/help.tsx';
import { Toasts } from '../parts/toasts.tsx';
import { ALL, go, linkTo, route } from '../route.ts';
import { isAdmin, me, projects, signOut } from './me.ts';

const PROJECT_VIEWS = [
  { view: 'home', name: 'Records', key: '1', icon: 'M7 4h13l5 5v19H7zM19 4v6h6M11 16h10M11 21h10' },
  { view: 'proposals', name: 'Proposals', key: '2', icon: 'M4 17l4-11h16l4 11v9H4zm0 0h8l2 4h4l2-4h8' },
] as const;
const SEARCH = { view: 'search', name: 'Search', key: '3', icon: 'M14 6a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm6 14 7 7' } as const;
const AUDIT = { view: 'audit', name: 'Audit log', key: '9', icon: 'M16 4l10 4v8c0 6-4 10-10 12C10 26 6 22 6 16V8zM11 16l4 4 6-8' } as const;

type Entry = (typeof PROJECT_VIEWS)[number] | typeof SEARCH | typeof AUDIT;

const entriesFor = (project: string): readonly Entry[] => [...(project === ALL ? [] : PROJECT_VIEWS), SEARCH, ...(isAdmin.value ? [AUDIT] : [])];
const linkOf = (project: string, { view }: Entry): string => linkTo(view === 'audit' ? ALL : project, view);

function Menu({ project }: { readonly project: string }) {
  const here = route.value.view === 'record' ? 'home' : route.value.view;
  return (
    <nav aria-label="Views">
      {entriesFor(project).map((entry) => (
        <a href={linkOf(project, entry)} aria-current={here === entry.view ? 'page' : undefined} title={`${entry.name} (${entry.key})`}>
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <path d={entry.icon} />
          </svg>
          <span>{entry.name}</span>
        </a>
      ))}
    </nav>
  );
}

const Chooser = ({ project }: { readonly project: string }) => (
  <div class="chooser">
    <a class="mark" href="#/" title="All projects (0)">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <path d="M16 4v13M16 17c0 5-4 6-8 11M16 17c0 5 4 6 8 11M16 17v11" />
      </svg>
      <span>{me.value?.organisation ?? 'Holdfast'}</span>
    </a>
    <select
      aria-label="Project"
      value={project === ALL ? '' : project}
      onChange={(event) => go(event.currentTarget.value === '' ? '#/' : linkTo(event.currentTarget.value))}
    >
      <option value="">All projects</option>
      {projects.value.map(({ key }) => (
        <option value={key}>{key}</option>
      ))}
    </select>
  </div>
);

/** The frame of a view: organisation, projects, menu and member. */
export function TeamFrame({ children }: { readonly children: ComponentChildren }) {
  const project = route.value.project ?? ALL;
  useKeys([
    ...entriesFor(project).map((entry) => ({ key: entry.key, about: entry.name.toLowerCase(), run: () => go(linkOf(project, entry)) })),
    { key: '/', about: 'search', run: () => go(linkTo(project, 'search')) },
    { key: '0', about: 'all projects', run: () => go('#/') },
    { key: '?', about: 'these keys', run: () => (isHelpOpen.value = true) },
  ]);
  return (
    <div class="frame">
      <aside>
        <Chooser project={project} />
        <Menu project={project} />
        <footer>
          <p class="quiet">{me.value && `${me.value.member.name}, ${me.value.member.role}`}</p>
          <button type="button" onClick={() => void signOut()}>
            Sign out
          </button>
          <button type="button" class="plain" onClick={() => (isHelpOpen.value = true)}>
            Keys <kbd>?</kbd>
          </button>
        </footer>
      </aside>
      <main tabIndex={0}>{children}</main>
      <Toasts />
      {isHelpOpen.value && <Help />}
    </div>
  );
}
