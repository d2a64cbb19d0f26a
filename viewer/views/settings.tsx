import { useState } from 'preact/hooks';
import type { SettingRow } from '../../src/edges/http/contract.ts';
import { Loading, ErrorNote } from '../parts/marks.tsx';
import { Inline } from '../parts/texts.tsx';
import { useRead } from '../read.ts';
import { USER } from '../route.ts';
import { perform } from '../state.ts';

const SOURCES: Readonly<Record<string, string>> = {
  default: 'default',
  user: 'you, for all projects',
  project: 'you, for this project',
  shared: 'the repository',
};

const formatValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The choices of a setting, where it names them. */
const choicesIn = (takes: string): readonly string[] | undefined =>
  takes === 'true or false' ? ['true', 'false'] : takes.startsWith('one of ') ? takes.slice('one of '.length).split(', ') : undefined;

function Change({ project, row, close }: { readonly project: string; readonly row: SettingRow; readonly close: () => void }) {
  const [value, setValue] = useState(formatValue(row.value));
  const choices = choicesIn(row.takes);
  const level = project === USER ? 'user' : 'project';
  const save = async (to: 'user' | 'project'): Promise<void> => {
    if (await perform('setting', { project, key: row.key, level: to, value })) close();
  };
  return (
    <form
      class="change"
      onSubmit={(event) => {
        event.preventDefault();
        void save(level);
      }}
    >
      {choices ? (
        <select aria-label={row.key} value={value} onChange={(event) => setValue(event.currentTarget.value)}>
          {choices.map((one) => (
            <option>{one}</option>
          ))}
        </select>
      ) : (
        <input aria-label={row.key} value={value} onInput={(event) => setValue(event.currentTarget.value)} />
      )}
      <button type="submit" class="primary">
        {level === 'user' ? 'Set for all projects' : 'Set here'}
      </button>
      {level === 'project' && (
        <button type="button" onClick={() => void save('user')}>
          Set for all projects
        </button>
      )}
      <button type="button" onClick={close}>
        Cancel
      </button>
    </form>
  );
}

function Row({ project, row }: { readonly project: string; readonly row: SettingRow }) {
  const [isOpen, setOpen] = useState(false);
  const isMine = row.source === 'project' || row.source === 'user';
  return (
    <li class={row.source === 'default' ? 'setting' : 'setting set'}>
      <div class="line">
        <code class="name">{row.key}</code>
        <span class="grow" />
        <code class="value">{formatValue(row.value)}</code>
        <span class={`badge from-${row.source}`}>{SOURCES[row.source] ?? row.source}</span>
        {!row.isByPerson && (
          <button type="button" class="link" aria-label={`change ${row.key}`} onClick={() => setOpen(!isOpen)}>
            change
          </button>
        )}
        {isMine && !row.isByPerson && (
          <button
            type="button"
            class="link"
            aria-label={`reset ${row.key}`}
            onClick={() => void perform('setting', { project, key: row.key, level: row.source as 'user' | 'project' })}
          >
            reset
          </button>
        )}
      </div>
      <p class="quiet">
        <Inline text={`${row.about} Takes ${row.takes}.${row.isByPerson ? ` Set it in a terminal: \`holdfast config set ${row.key} VALUE\`.` : ''}`} />
      </p>
      {isOpen && <Change project={project} row={row} close={() => setOpen(false)} />}
    </li>
  );
}

/** Settings by the first part of their name; those without one come first. */
function groupsOf(rows: readonly SettingRow[]): readonly (readonly [name: string, rows: readonly SettingRow[]])[] {
  const groups = new Map<string, SettingRow[]>([['general', []]]);
  for (const row of rows) {
    const name = row.key.includes('.') ? row.key.slice(0, row.key.indexOf('.')) : 'general';
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups].filter(([, group]) => group.length > 0);
}

/** Every setting with its value and where that comes from. */
export function SettingsView({ project }: { readonly project: string }) {
  const { data, error } = useRead('settings', { project });
  const [words, setWords] = useState('');
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Loading />;
  const rows = data.rows.filter(({ key, about }) => `${key} ${about}`.toLowerCase().includes(words.toLowerCase()));
  return (
    <div class="view settings">
      <header class="head">
        <h1>Settings</h1>
        <input type="search" aria-label="Find a setting" placeholder="Find a setting" value={words} onInput={(event) => setWords(event.currentTarget.value)} />
      </header>
      {data.warnings.map((text) => (
        <p class="offline">{text}</p>
      ))}
      {groupsOf(rows).map(([name, group]) => (
        <section class="panel">
          <header>
            <h2>{name}</h2>
          </header>
          <ul class="settings">
            {group.map((row) => (
              <Row key={row.key} project={project} row={row} />
            ))}
          </ul>
        </section>
      ))}
      {rows.length === 0 && <p class="quiet">No setting matches.</p>}
    </div>
  );
}
