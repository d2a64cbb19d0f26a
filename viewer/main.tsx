import { render } from 'preact';
import { Empty } from './parts/marks.tsx';
import { Frame } from './parts/frame.tsx';
import { listenForKeys } from './keys.ts';
import { key, takeKey } from './key.ts';
import { followAddress, route } from './route.ts';
import { followChanges } from './state.ts';
import { HomeView } from './views/home.tsx';
import { InboxView } from './views/inbox.tsx';
import { InjectionsView } from './views/injections.tsx';
import { PlotsView } from './views/plots.tsx';
import { ProjectsView } from './views/projects.tsx';
import { RecordView } from './views/record.tsx';
import { SearchView } from './views/search.tsx';
import { SessionView } from './views/session.tsx';
import { SessionsView } from './views/sessions.tsx';
import { SettingsView } from './views/settings.tsx';

function View() {
  const { project, view, id, query } = route.value;
  if (project === undefined) return <ProjectsView />;
  const session = query.get('session') ?? undefined;
  switch (view) {
    case 'home':
      return <HomeView key={project} project={project} />;
    case 'injections':
      return <InjectionsView key={`${project} ${session}`} project={project} {...(session !== undefined && { session })} />;
    case 'inbox':
      return <InboxView key={project} project={project} />;
    case 'search':
      return <SearchView key={project} project={project} />;
    case 'sessions':
      return <SessionsView key={project} project={project} />;
    case 'plots':
      return <PlotsView key={project} project={project} />;
    case 'settings':
      return <SettingsView key={project} project={project} />;
    case 'record':
      if (id !== undefined) return <RecordView key={`${project} ${id}`} project={project} id={id} />;
      break;
    case 'session':
      if (id !== undefined) return <SessionView key={`${project} ${id} ${query.get('at') ?? ''}`} project={project} id={id} />;
      break;
    default:
  }
  return (
    <Empty title="Page not found">
      <p>
        <a href="#/">All projects</a>
      </p>
    </Empty>
  );
}

const Locked = () => (
  <main class="locked">
    <Empty title="This tab has no key">
      <p>
        The key of this page is kept in memory only: a reload loses it, and each start of <code>holdfast view</code> creates a new one. Press Enter in the
        terminal where it runs, or run it again.
      </p>
    </Empty>
  </main>
);

const Page = () =>
  key.value === undefined ? (
    <Locked />
  ) : (
    <Frame>
      <View />
    </Frame>
  );

const place = document.getElementById('page');
void takeKey().then(() => {
  followAddress();
  followChanges();
  listenForKeys();
  if (place) render(<Page />, place);
});
