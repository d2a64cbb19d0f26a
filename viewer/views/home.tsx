import type { ItemRow, ProjectPage } from '../../src/edges/http/contract.ts';
import { Empty, Loading, Panel, ErrorNote } from '../parts/marks.tsx';
import { Inline } from '../parts/texts.tsx';
import { useRead } from '../read.ts';
import { linkTo, USER } from '../route.ts';
import { counted } from '../shown.ts';
import { perform } from '../state.ts';
import { InjectionBlock } from './injections.tsx';
import { ChangedFile } from './record.tsx';
import { ItemLine } from './search.tsx';
import { SessionLine } from './sessions.tsx';

function State({ page }: { readonly page: ProjectPage }) {
  const { task, steps, blockers, next } = page;
  const isEmpty = task === undefined && steps.length + blockers.length + next.length === 0;
  return (
    <Panel title="Where the work stands">
      {task !== undefined && (
        <p class="task">
          <Inline text={task} />
        </p>
      )}
      {isEmpty && (
        <p class="quiet">
          No task is set. <code>holdfast task "…"</code> sets one; a session summary says what comes next.
        </p>
      )}
      {blockers.length > 0 && (
        <ul class="steps blocked" aria-label="Blockers">
          {blockers.map(({ text }) => (
            <li>
              <Inline text={text} />
            </li>
          ))}
        </ul>
      )}
      {steps.length > 0 && (
        <ul class="steps" aria-label="Steps">
          {steps.map(({ text, isDone }) => (
            <li class={isDone ? 'done' : ''}>
              <Inline text={text} />
            </li>
          ))}
        </ul>
      )}
      {next.length > 0 && (
        <>
          <h3>Next, from the last summary</h3>
          <ul class="steps next">
            {next.map((text) => (
              <li>
                <Inline text={text} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

function Conflicts({ project, page }: { readonly project: string; readonly page: ProjectPage }) {
  if (page.conflicts.length === 0) return null;
  return (
    <Panel title="Conflicts">
      {page.conflicts.map((one) =>
        one.kind === 'bundle' ? (
          <div class="conflict">
            <p>
              <a href={linkTo(project, 'record', one.ours)}>{one.ours}</a> was changed here and in an imported bundle, which was saved as{' '}
              <a href={linkTo(project, 'record', one.theirs)}>{one.theirs}</a>. Retire one of them.
            </p>
          </div>
        ) : (
          <div class="conflict">
            <p>
              <code>{one.path}</code> was changed here and elsewhere, and the two versions could not be merged.{' '}
              {one.broken !== undefined && `${one.broken}; remove them in an editor.`}
            </p>
            {one.fields.map(({ field, ours, theirs }) => (
              <dl class="sides">
                <dt>{field}, here</dt>
                <dd>{ours}</dd>
                <dt>{field}, elsewhere</dt>
                <dd>{theirs}</dd>
              </dl>
            ))}
            {one.broken === undefined && (
              <div class="buttons">
                <button type="button" onClick={() => void perform('settle', { project, path: one.path, prefer: 'ours' })}>
                  Keep the version from here
                </button>
                <button type="button" onClick={() => void perform('settle', { project, path: one.path, prefer: 'theirs' })}>
                  Keep the version from elsewhere
                </button>
              </div>
            )}
          </div>
        ),
      )}
    </Panel>
  );
}

function Stale({ project }: { readonly project: string }) {
  const { data } = useRead('stale', { project });
  if (!data || data.rows.length === 0) return null;
  return (
    <Panel title="May be out of date">
      <p class="quiet">The code has changed since these were written.</p>
      {data.rows.map((row) => (
        <div class="stale">
          <ItemLine project={project} item={row} />
          {row.changed.map((path) => (
            <p>
              <code>{path}</code> <ChangedFile project={project} id={row.id} path={path} />
            </p>
          ))}
        </div>
      ))}
    </Panel>
  );
}

function Latest({ project }: { readonly project: string }) {
  const { data } = useRead('injections', { project, limit: '2' });
  return (
    <Panel title="Last injections" aside={<a href={linkTo(project, 'injections')}>all injections</a>}>
      {data && data.injections.length === 0 && (
        <p class="quiet">
          Nothing yet. <code>holdfast start</code> turns memory on in a project.
        </p>
      )}
      {data?.injections.map((one) => (
        <InjectionBlock project={project} injection={one} title={data.sessions[one.session]} verdicts={data.verdicts} isFolded />
      ))}
    </Panel>
  );
}

const LAST_SESSIONS = 4;

function LastSessions({ project }: { readonly project: string }) {
  const { data } = useRead('sessions', { project });
  if (!data || data.rows.length === 0) return null;
  return (
    <Panel title="Last sessions" aside={<a href={linkTo(project, 'sessions')}>all {data.rows.length}</a>}>
      {data.rows.slice(0, LAST_SESSIONS).map((session) => (
        <SessionLine project={project} session={session} />
      ))}
    </Panel>
  );
}

interface ItemsProps {
  readonly project: string;
  readonly title: string;
  readonly category?: string;
  readonly items: readonly ItemRow[];
}

const Items = ({ project, title, category, items }: ItemsProps) => (
  <Panel title={title} aside={<a href={linkTo(project, 'search', undefined, { category })}>all</a>}>
    {items.length === 0 && <p class="quiet">None yet.</p>}
    {items.map((item) => (
      <ItemLine project={project} item={item} />
    ))}
  </Panel>
);

/** A project at a glance: the state of the work, the latest decisions, and what needs attention. */
export function HomeView({ project }: { readonly project: string }) {
  const { data: page, error } = useRead('home', { project });
  if (error) return <ErrorNote error={error} />;
  if (!page) return <Loading />;
  return (
    <div class="view home">
      <header class="head">
        <h1>{project === USER ? 'You, in every project' : page.key}</h1>
        <p class="quiet">{page.path}</p>
        <p>
          <a href={linkTo(project, 'search')}>{counted(page.records, 'record')}</a>, {counted(page.documents, 'document')},{' '}
          <a href={linkTo(project, 'inbox')}>{page.inbox === 0 ? 'nothing waits for review' : `${counted(page.inbox, 'record')} to review`}</a>
        </p>
      </header>
      {page.records + page.documents === 0 ? (
        <Empty title="Nothing is remembered here yet">
          <p>
            <code>holdfast import</code> brings in conversations, <code>holdfast save</code> saves a record, <code>holdfast start</code> turns memory on.
          </p>
        </Empty>
      ) : (
        <div class={project === USER ? 'columns even' : 'columns'}>
          {project !== USER && (
            <div>
              <Conflicts project={project} page={page} />
              <State page={page} />
              <LastSessions project={project} />
              <Latest project={project} />
            </div>
          )}
          <div>
            <Items
              project={project}
              title={project === USER ? 'Preferences' : 'Decisions'}
              category={project === USER ? 'preference' : 'decision'}
              items={page.decisions}
            />
            {project !== USER && <Stale project={project} />}
            {project !== USER && <Items project={project} title="Changed last" items={page.recent} />}
          </div>
          {project === USER && (
            <div>
              <Items project={project} title="Changed last" items={page.recent} />
              <Conflicts project={project} page={page} />
            </div>
          )}
        </div>
      )}
    </div>
  );
}
