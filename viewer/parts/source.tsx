import { useRead } from '../read.ts';
import { linkTo } from '../route.ts';
import { Time } from './marks.tsx';

interface SourceProps {
  readonly project: string;
  readonly id: string;
  readonly session?: string;
}

/** The lines of the conversation that a record came from. */
export function SourceLines({ project, id, session }: SourceProps) {
  const { data } = useRead('source', { project, id });
  if (!data) return null;
  if (data.lines.length === 0)
    return <p class="quiet">{session === undefined ? 'No conversation is linked to it.' : 'Its conversation was not imported, or its text was dropped.'}</p>;
  return (
    <ul class="source">
      {data.lines.map(({ message_id, role, timestamp, text }) => (
        <li class={role}>
          <span class="who">
            {role} <Time at={timestamp} />
          </span>
          {session === undefined ? text : <a href={linkTo(project, 'session', session, { at: message_id })}>{text}</a>}
        </li>
      ))}
    </ul>
  );
}
