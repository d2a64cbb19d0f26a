import type { TeamAudit } from '../../src/edges/team/contract.ts';
import { Empty, Loading, ErrorNote } from '../parts/marks.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { counted, shownTime } from '../shown.ts';
import { useTeam } from './api.ts';

/** Who changed accounts, projects and proposals; for admins. */
export function AuditView() {
  const { data, error } = useTeam<TeamAudit>('audit?limit=1000');
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Loading />;
  if (data.entries.length === 0) return <Empty title="Nothing has happened yet" />;
  return (
    <div class="view">
      <header class="head">
        <h1>Audit log</h1>
        <p class="quiet">{counted(data.entries.length, 'entry').replace(/entrys$/, 'entries')}, newest first</p>
      </header>
      <VirtualList
        count={data.entries.length}
        height={40}
        label="Audit log"
        row={(index) => {
          const one = data.entries[index];
          return (
            one && (
              <article class="row">
                <span class="kind">
                  <span class="badge">{one.action}</span>
                </span>
                <span class="words">
                  {one.member} <code>{one.target}</code>
                </span>
                <span class="facts">
                  <time dateTime={one.at}>{shownTime(one.at)}</time>
                </span>
              </article>
            )
          );
        }}
      />
    </div>
  );
}
