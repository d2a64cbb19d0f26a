import { useState } from 'preact/hooks';
import type { SessionRow } from '../../src/edges/http/contract.ts';
import { useKeys } from '../keys.ts';
import { Empty, Loading, Time, ErrorNote } from '../parts/marks.tsx';
import { Inline } from '../parts/texts.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { useRead } from '../read.ts';
import { go, linkTo } from '../route.ts';
import { counted } from '../shown.ts';

interface SessionLineProps {
  readonly project: string;
  readonly session: SessionRow;
  readonly isChosen?: boolean;
}

/** A conversation in a list: its title, where it took place, how long it is. */
export const SessionLine = ({ project, session, isChosen = false }: SessionLineProps) => (
  <article class={isChosen ? 'row item chosen' : 'row item'}>
    <div class="words">
      <a href={linkTo(project, 'session', session.id)}>
        <Inline text={session.title} />
      </a>
      <p class="snippet">
        {session.client}
        {session.branch !== undefined && ` · ${session.branch}`} · {counted(session.prompts, 'prompt')} · {counted(session.messages, 'message')}
      </p>
    </div>
    <span class="facts">
      <Time at={session.startedAt} />
    </span>
  </article>
);

/** The conversations of a project, newest first. */
export function SessionsView({ project }: { readonly project: string }) {
  const { data, error } = useRead('sessions', { project });
  const [chosen, setChosen] = useState(-1);
  const rows = data?.rows ?? [];
  useKeys([
    { key: 'j', about: 'next session', run: () => setChosen(Math.min(chosen + 1, rows.length - 1)) },
    { key: 'k', about: 'previous session', run: () => setChosen(Math.max(chosen - 1, 0)) },
    { key: 'Enter', about: 'open the session', run: () => rows[chosen] && go(linkTo(project, 'session', rows[chosen]?.id)) },
  ]);
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Loading />;
  if (rows.length === 0)
    return (
      <Empty title="No conversations yet">
        <p>
          <code>holdfast import</code> brings in the conversations that your agents have kept on this machine.
        </p>
      </Empty>
    );
  return (
    <div class="view">
      <header class="head">
        <h1>Sessions</h1>
        <p class="quiet">{counted(rows.length, 'conversation')}, newest first</p>
      </header>
      <VirtualList
        count={rows.length}
        height={58}
        label="Sessions"
        chosen={chosen}
        row={(index) => {
          const one = rows[index];
          return one && <SessionLine project={project} session={one} isChosen={index === chosen} />;
        }}
      />
    </div>
  );
}
