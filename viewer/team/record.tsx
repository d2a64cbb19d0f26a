import { useState } from 'preact/hooks';
import type { TeamBody, TeamRecord, TeamVersions } from '../../src/edges/team/contract.ts';
import { useKeys } from '../keys.ts';
import { Category, ErrorNote, FactList, Loading, Panel, Status, Time } from '../parts/marks.tsx';
import { bodyOfFile, Inline, RecordText } from '../parts/texts.tsx';
import { shownTime } from '../shown.ts';
import { complain } from '../toasts.ts';
import { askTeam, projectPath, useTeam } from './api.ts';
import { Changes, textOfBody } from './changes.tsx';
import { TeamEditor } from './editor.tsx';
import { may } from './me.ts';

type Version = TeamVersions['versions'][number];

const KINDS: Readonly<Record<Version['kind'], string>> = { text: 'changed', deleted: 'removed', forgotten: 'forgotten' };

interface VersionProps {
  readonly project: string;
  readonly id: string;
  readonly version: Version;
  readonly before: Version | undefined;
  /** Absent for the version that the team has now, and for those who may not write. */
  readonly again?: (text: string) => void;
}

const bodyPath = (project: string, id: string, hash: string): string => projectPath(project, `shared/versions/${id}/${hash}`);

function VersionChanges({ project, id, version, before }: Omit<VersionProps, 'again'>) {
  const after = useTeam<TeamBody>(version.has_text ? bodyPath(project, id, version.hash) : undefined);
  const earlier = useTeam<TeamBody>(before?.has_text === true ? bodyPath(project, id, before.hash) : undefined);
  if (after.error ?? earlier.error) return <p class="quiet">This version could not be read.</p>;
  if ((version.has_text && !after.data) || (before?.has_text === true && !earlier.data)) return <Loading />;
  return (
    <Changes
      before={earlier.data?.body ? textOfBody(earlier.data.body) : ''}
      after={after.data?.body ? textOfBody(after.data.body) : ''}
      names={['before', 'after']}
    />
  );
}

function VersionLine({ again, ...rest }: VersionProps) {
  const [isOpen, setOpen] = useState(false);
  const { project, id, version, before } = rest;
  const propose = (): void =>
    void askTeam<TeamBody>(bodyPath(project, id, version.hash)).then(({ body }) => body !== null && again?.(textOfBody(body)), complain);
  return (
    <li>
      <div class="line">
        <span class={`op ${version.kind}`}>{before === undefined ? 'new' : KINDS[version.kind]}</span>
        <Time at={version.at} />
        <span class="quiet">by {version.author}</span>
        <span class="grow" />
        {version.has_text && (
          <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'hide' : 'diff'}
          </button>
        )}
        {again && version.has_text && (
          <button type="button" class="link" onClick={propose}>
            bring back
          </button>
        )}
      </div>
      {isOpen && <VersionChanges {...rest} />}
    </li>
  );
}

function Versions({ project, name, edit }: { readonly project: string; readonly name: string; readonly edit: (text: string) => void }) {
  const { data } = useTeam<TeamVersions>(projectPath(project, 'record/versions', { id: name }));
  if (!data) return null;
  return (
    <Panel title="Versions">
      <ol class="history">
        {data.versions.map((version, at) => (
          <VersionLine
            key={`${at} ${version.hash}`}
            project={project}
            id={data.id}
            version={version}
            before={data.versions[at + 1]}
            {...(at > 0 && may('write') && { again: edit })}
          />
        ))}
      </ol>
    </Panel>
  );
}

function Facts({ record }: { readonly record: TeamRecord }) {
  const rows: readonly (readonly [string, string])[] = [
    ['id', record.id],
    ['written', shownTime(record.created_at)],
    ['updated', shownTime(record.updated_at)],
    ['replaced by', record.superseded_by ?? ''],
    ['files', record.files.join(', ')],
    ['file', record.path],
  ];
  return <FactList rows={rows} />;
}

/** A record of the team: its text, its facts, and its versions with their changes. */
export function TeamRecordView({ project, name }: { readonly project: string; readonly name: string }) {
  const { data: record, error } = useTeam<TeamRecord>(projectPath(project, 'record', { id: name }));
  const [edited, setEdited] = useState<string | undefined>(undefined);
  const canEdit = record !== undefined && may('write');
  useKeys(canEdit ? [{ key: 'e', about: 'change the record', run: () => setEdited(record.text) }] : []);
  if (error) return <ErrorNote error={error} />;
  if (!record) return <Loading />;
  return (
    <div class="view record">
      <header class="head">
        <div class="line">
          <Category name={record.category} />
          <Status status={record.status} />
        </div>
        <h1>
          <Inline text={record.title} />
        </h1>
        {canEdit && (
          <div class="buttons">
            <button type="button" onClick={() => setEdited(record.text)}>
              Change <kbd>e</kbd>
            </button>
          </div>
        )}
      </header>
      <div class="columns">
        <div>
          <article class="paper">
            <RecordText body={bodyOfFile(record.text)} />
          </article>
          <Versions project={project} name={record.id} edit={setEdited} />
        </div>
        <div>
          <Panel title="Facts">
            <Facts record={record} />
          </Panel>
        </div>
      </div>
      {edited !== undefined && <TeamEditor project={project} record={record} text={edited} close={() => setEdited(undefined)} />}
    </div>
  );
}
