import { useEffect, useState } from 'preact/hooks';
import type { TeamRecords } from '../../src/edges/team/contract.ts';
import { useKeys } from '../keys.ts';
import { Category, Empty, Loading, Status, Time, ErrorNote } from '../parts/marks.tsx';
import { Inline } from '../parts/texts.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { go, linkTo } from '../route.ts';
import { complain } from '../toasts.ts';
import { askTeam, projectPath, useTeam } from './api.ts';

type TeamRow = TeamRecords['records'][number];

const PAGE = 100;
const pagePath = (project: string, next?: string): string => projectPath(project, 'records', { limit: String(PAGE), next });

function Row({ project, row, isChosen }: { readonly project: string; readonly row: TeamRow; readonly isChosen: boolean }) {
  return (
    <article class={isChosen ? 'row item chosen' : 'row item'}>
      <span class="kind">
        <Category name={row.category} />
      </span>
      <div class="words">
        <a href={linkTo(project, 'record', row.id)}>
          <Inline text={row.title} />
        </a>{' '}
        <Status status={row.status} />
      </div>
      <span class="facts">
        <Time at={row.updated_at} />
      </span>
    </article>
  );
}

/** The team's records and documents of a project, newest first; older ones are fetched as they scroll into view. */
export function TeamRecordsView({ project }: { readonly project: string }) {
  const { data, error } = useTeam<TeamRecords>(pagePath(project));
  const [older, setOlder] = useState<readonly TeamRow[]>([]);
  const [next, setNext] = useState<string>();
  const [chosen, setChosen] = useState(-1);
  useEffect(() => (setOlder([]), setNext(data?.next)), [data]);
  const rows = [...(data?.records ?? []), ...older];
  useKeys([
    { key: 'j', about: 'next record', run: () => setChosen(Math.min(chosen + 1, rows.length - 1)) },
    { key: 'k', about: 'previous record', run: () => setChosen(Math.max(chosen - 1, 0)) },
    { key: 'Enter', about: 'open the record', run: () => rows[chosen] && go(linkTo(project, 'record', rows[chosen]?.id)) },
  ]);
  const fetchOlder = (_from: number, to: number): void => {
    if (next === undefined || to < rows.length - 1) return;
    setNext(undefined);
    void askTeam<TeamRecords>(pagePath(project, next)).then((page) => {
      setNext(page.next);
      setOlder((known) => [...known, ...page.records]);
    }, complain);
  };
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Loading />;
  if (rows.length === 0)
    return (
      <Empty title="The team has no record here yet">
        <p>
          <code>holdfast share ID</code> moves a record into the shared memory of a project; <code>holdfast sync</code> sends it here.
        </p>
      </Empty>
    );
  return (
    <div class="view">
      <header class="head">
        <h1>{project}</h1>
        <p class="quiet">Records and documents of the team, newest first</p>
      </header>
      <VirtualList
        count={rows.length}
        height={46}
        label="Records and documents"
        chosen={chosen}
        onRange={fetchOlder}
        row={(index) => {
          const row = rows[index];
          return row && <Row project={project} row={row} isChosen={index === chosen} />;
        }}
      />
    </div>
  );
}
