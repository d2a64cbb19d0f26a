import { Empty, Loading, Time, ErrorNote } from '../parts/marks.tsx';
import { useRead } from '../read.ts';
import { ALL_SEARCH, linkTo, USER } from '../route.ts';
import { counted } from '../shown.ts';

/** Every project of this home. */
export function ProjectsView() {
  const { data, error } = useRead('overview', {});
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Loading />;
  const projects = data.projects.toSorted(
    (a, b) => Number(a.key === USER) - Number(b.key === USER) || ((a.lastActivity ?? '') < (b.lastActivity ?? '') ? 1 : -1),
  );
  return (
    <div class="view projects">
      <header class="head">
        <h1>All projects</h1>
        <p class="quiet">
          in {data.home}, Holdfast {data.version} · <a href={ALL_SEARCH}>search all projects</a>
        </p>
      </header>
      {projects.length <= 1 && (
        <Empty title="No project has a memory yet">
          <p>
            Run <code>holdfast start</code> in a project, or <code>holdfast import</code> to bring in conversations.
          </p>
        </Empty>
      )}
      <ul class="cards">
        {projects.map(({ key, path, records, inbox, sessions, lastActivity, problem }) => (
          <li>
            <a href={linkTo(key)} class={data.here === key ? 'card here' : 'card'}>
              <h2>{key === USER ? 'You, in every project' : key}</h2>
              <p class="quiet">{key === USER ? 'Your profile, preferences and rules' : path}</p>
              {problem === undefined ? (
                <p>
                  {counted(records, 'record')} · {counted(sessions, 'session')}
                </p>
              ) : (
                <p class="problem">{problem}</p>
              )}
              <p class="line">
                <Time at={lastActivity} />
                {inbox > 0 && <b class="count">{inbox} to review</b>}
              </p>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
