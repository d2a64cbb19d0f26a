import type { ComponentChildren } from 'preact';
import { isHelpOpen, useKeys } from '../keys.ts';
import { ALL_SEARCH, go, linkTo, route, USER } from '../route.ts';
import { canUndo, isOnline, overview, undoLast, waiting } from '../state.ts';
import { Help } from './help.tsx';
import { Toasts } from './toasts.tsx';

const VIEWS = [
  { view: 'home', name: 'Home', key: '1', icon: 'M4 15 16 5l12 10M8 13v13h16V13' },
  { view: 'injections', name: 'Injections', key: '2', icon: 'M16 4v16m0 0-6-6m6 6 6-6M6 26h20' },
  { view: 'inbox', name: 'Inbox', key: '3', icon: 'M4 17l4-11h16l4 11v9H4zm0 0h8l2 4h4l2-4h8' },
  { view: 'search', name: 'Search', key: '4', icon: 'M14 6a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm6 14 7 7' },
  { view: 'sessions', name: 'Sessions', key: '5', icon: 'M5 7h22v14H14l-6 5v-5H5z' },
  { view: 'plots', name: 'Plots', key: '6', icon: 'M5 27V5m0 22h22M10 21l5-6 4 3 7-9' },
  { view: 'settings', name: 'Settings', key: '7', icon: 'M6 9h12m6 0h2M6 23h2m6 0h12M18 6v6m-6 8v6M6 16h4m6 0h10M10 13v6' },
] as const;

/** The menu entry of a view. */
const menuOf = (view: string): string => (view === 'record' ? 'search' : view === 'session' ? 'sessions' : view);

function Menu({ project }: { readonly project: string }) {
  const here = menuOf(route.value.view);
  return (
    <nav aria-label="Views">
      {VIEWS.map(({ view, name, key, icon }) => (
        <a href={linkTo(project, view)} aria-current={here === view ? 'page' : undefined} title={`${name} (${key})`}>
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <path d={icon} />
          </svg>
          <span>{name}</span>
          {view === 'inbox' && waiting.value > 0 && <b class="count">{waiting.value}</b>}
        </a>
      ))}
    </nav>
  );
}

function Projects({ project }: { readonly project: string | undefined }) {
  const all = overview.value?.projects ?? [];
  const isAllSearch = project === USER && route.value.query.has('all');
  return (
    <div class="chooser">
      <a class="mark" href="#/" title="All projects (0)">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M16 4v13M16 17c0 5-4 6-8 11M16 17c0 5 4 6 8 11M16 17v11" />
        </svg>
        <span>Holdfast</span>
      </a>
      <select
        aria-label="Project"
        value={isAllSearch ? '' : (project ?? '')}
        onChange={(event) => go(event.currentTarget.value === '' ? '#/' : linkTo(event.currentTarget.value))}
      >
        <option value="">All projects</option>
        {all.map(({ key }) => (
          <option value={key}>{key === USER ? 'You (every project)' : key}</option>
        ))}
      </select>
    </div>
  );
}

/** Reads the route when the key is pressed, because the page may not be drawn yet. */
const goSearch = (): void => {
  const { project, view } = route.value;
  if (view === 'search') return document.querySelector<HTMLInputElement>('main input[type=search]')?.focus();
  go(project === undefined ? ALL_SEARCH : linkTo(project, 'search'));
};

/** The frame of a view: menu, projects, messages, keys. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const { project } = route.value;
  useKeys([
    { key: '/', about: 'search', run: goSearch },
    ...(project === undefined ? [] : VIEWS.map(({ view, name, key }) => ({ key, about: name.toLowerCase(), run: () => go(linkTo(project, view)) }))),
    { key: '0', about: 'all projects', run: () => go('#/') },
    { key: 'u', about: 'undo the last change you made here', run: () => void undoLast() },
    { key: '?', about: 'these keys', run: () => (isHelpOpen.value = true) },
  ]);
  return (
    <div class="frame">
      <aside>
        <Projects project={project} />
        {project !== undefined && <Menu project={project} />}
        <footer>
          {canUndo.value && (
            <button type="button" onClick={() => void undoLast()}>
              Undo <kbd>u</kbd>
            </button>
          )}
          <button type="button" class="plain" onClick={() => (isHelpOpen.value = true)}>
            Keys <kbd>?</kbd>
          </button>
        </footer>
      </aside>
      <main tabIndex={0}>
        {!isOnline.value && (
          <p class="offline" role="alert">
            The server has ended. Run <code>holdfast view</code> in a terminal to start it again.
          </p>
        )}
        {overview.value?.isPerson === false && (
          <p class="offline">
            An agent’s shell started this page, so it cannot accept or confirm records. Run <code>holdfast view</code> in a terminal of your own.
          </p>
        )}
        {children}
      </main>
      <Toasts />
      {isHelpOpen.value && <Help />}
    </div>
  );
}
