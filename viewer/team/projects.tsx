import { Empty } from '../parts/marks.tsx';
import { ALL, linkTo } from '../route.ts';
import { counted } from '../shown.ts';
import { isAdmin, me, projects } from './me.ts';

/** The projects of the organisation. */
export const TeamProjectsView = () => (
  <div class="view projects">
    <header class="head">
      <h1>{me.value?.organisation ?? 'Your team'}</h1>
      <p class="quiet">
        {counted(projects.value.length, 'project')} · <a href={linkTo(ALL, 'search')}>search all of them</a>
      </p>
    </header>
    {projects.value.length === 0 && (
      <Empty title="There is no project yet">
        <p>
          {isAdmin.value ? 'Add one with ' : 'An admin adds one with '}
          <code>holdfast team project NAME</code>. Then <code>holdfast sync --to {location.origin} --as NAME</code> in its folder sends its shared records.
        </p>
      </Empty>
    )}
    <ul class="cards">
      {projects.value.map(({ key, review }) => (
        <li>
          <a href={linkTo(key)} class="card">
            <h2>{key}</h2>
            <p class="quiet">{review ? 'Changes by writers wait for a reviewer.' : 'Changes by writers are accepted at once.'}</p>
          </a>
        </li>
      ))}
    </ul>
  </div>
);
