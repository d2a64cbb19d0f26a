import { render } from 'preact';
import { key, takeKey } from '../key.ts';
import { listenForKeys } from '../keys.ts';
import { Empty, Loading } from '../parts/marks.tsx';
import { Toasts } from '../parts/toasts.tsx';
import { ALL, followAddress, route } from '../route.ts';
import { followTeam } from './api.ts';
import { AuditView } from './audit.tsx';
import { TeamConversationView } from './conversation.tsx';
import { TeamFrame } from './frame.tsx';
import { followMember, me } from './me.ts';
import { TeamProjectsView } from './projects.tsx';
import { ProposalsView } from './proposals.tsx';
import { TeamRecordView } from './record.tsx';
import { TeamRecordsView } from './records.tsx';
import { TeamSearchView } from './search.tsx';
import { isSigningIn, SignIn } from './sign-in.tsx';

function View() {
  const { project, view, id } = route.value;
  if (project === undefined) return <TeamProjectsView />;
  if (view === 'search') return <TeamSearchView key={project} project={project} />;
  if (project === ALL && view === 'audit') return <AuditView />;
  if (project !== ALL) {
    if (view === 'home') return <TeamRecordsView key={project} project={project} />;
    if (view === 'proposals') return <ProposalsView key={project} project={project} />;
    if (view === 'conversation' && id !== undefined) return <TeamConversationView key={`${project} ${id}`} project={project} id={id} />;
    if (view === 'record' && id !== undefined) return <TeamRecordView key={`${project} ${id}`} project={project} name={id} />;
  }
  return (
    <Empty title="Page not found">
      <p>
        <a href="#/">All projects</a>
      </p>
    </Empty>
  );
}

const place = document.getElementById('page');

const Page = () =>
  key.value === undefined ? (
    <>
      <SignIn hasIssuer={place?.dataset['signIn'] !== undefined} />
      <Toasts />
    </>
  ) : (
    <TeamFrame>{me.value ? <View /> : <Loading />}</TeamFrame>
  );

void takeKey(isSigningIn).then(() => {
  followAddress();
  followTeam();
  followMember();
  listenForKeys();
  if (place) render(<Page />, place);
});
