import type { TeamMessages } from '../../src/edges/team/contract.ts';
import { Loading, ErrorNote } from '../parts/marks.tsx';
import { Markdown } from '../parts/texts.tsx';
import { linkTo, route } from '../route.ts';
import { counted, shownTime } from '../shown.ts';
import { projectPath, useTeam } from './api.ts';

/** The messages of a team's conversation: around the message that a link names, or as many as the server shows at once. */
export function TeamConversationView({ project, id }: { readonly project: string; readonly id: string }) {
  const around = route.value.query.get('at') ?? undefined;
  const { data, error } = useTeam<TeamMessages>(projectPath(project, `conversations/${encodeURIComponent(id)}`, { around }));
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Loading />;
  const { conversation, messages, earlier, later } = data;
  return (
    <div class="view record">
      <header class="head">
        <h1>{conversation.title}</h1>
        <p class="quiet">
          {conversation.client} · {conversation.author} · {shownTime(conversation.started_at)} · {counted(conversation.messages, 'message')}
          {around !== undefined && earlier + later > 0 && (
            <>
              {' · '}
              <a href={linkTo(project, 'conversation', id)}>show all of it</a>
            </>
          )}
        </p>
      </header>
      <div>
        {earlier > 0 && <p class="quiet">{counted(earlier, 'earlier message')}</p>}
        {messages.map((message) => (
          <article class={`message ${message.role}${message.id === around ? ' chosen' : ''}`}>
            <header class="line">
              <b>{message.speaker ?? (message.role === 'user' ? conversation.author : message.role === 'tool' ? 'tool' : 'agent')}</b>
              <span class="grow" />
              {message.at !== undefined && <time dateTime={message.at}>{shownTime(message.at).slice(11)}</time>}
            </header>
            <Markdown text={message.text} />
          </article>
        ))}
        {later > 0 && <p class="quiet">{counted(later, 'later message')}</p>}
      </div>
    </div>
  );
}
