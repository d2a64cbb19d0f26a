import { useState } from 'preact/hooks';
import type { LogLine, RecordPage, Reads } from '../../src/edges/http/contract.ts';
import { useKeys } from '../keys.ts';
import { Editor } from '../parts/editor.tsx';
import { Category, ErrorNote, FactList, Loading, Panel, Status, Time, Trust } from '../parts/marks.tsx';
import { SourceLines } from '../parts/source.tsx';
import { Diff, Inline, RecordText } from '../parts/texts.tsx';
import { useRead } from '../read.ts';
import { linkTo, USER } from '../route.ts';
import { EVENTS, shortSession, shownTime } from '../shown.ts';
import { perform } from '../state.ts';
import { Verdict } from '../parts/verdict.tsx';

type Page = Reads['record']['gets'];
type Move = 'retire' | 'restore' | 'archive' | 'unarchive' | 'confirm';

const movesFor = ({ kind, status, trust, waits }: RecordPage): readonly (readonly [to: Move, name: string])[] => {
  if (kind === 'document' || waits) return [];
  if (status === 'retired') return [['restore', 'Restore']];
  if (status === 'archived') return [['unarchive', 'Bring back']];
  return [...(trust === 'confirmed' ? [] : [['confirm', 'Confirm'] as const]), ['archive', 'Archive'], ['retire', 'Retire']];
};

function Acts({ project, page, edit }: { readonly project: string; readonly page: RecordPage; readonly edit: () => void }) {
  const ids = [page.id];
  return (
    <div class="buttons">
      {page.waits && (
        <>
          <button type="button" class="primary" onClick={() => void perform('accept', { project, ids })}>
            Accept <kbd>a</kbd>
          </button>
          <button type="button" onClick={() => void perform('reject', { project, ids })}>
            Reject <kbd>r</kbd>
          </button>
        </>
      )}
      <button type="button" onClick={edit}>
        Edit <kbd>e</kbd>
      </button>
      {movesFor(page).map(([to, name]) => (
        <button type="button" class={to === 'confirm' ? 'primary' : ''} onClick={() => void perform('move', { project, id: page.id, to })}>
          {name}
        </button>
      ))}
    </div>
  );
}

function Chain({ project, page }: { readonly project: string; readonly page: RecordPage }) {
  if (page.chain.length === 0) return null;
  return (
    <Panel title="Replaced records">
      <ol class="chain">
        {page.chain.map(({ id, title, status }) => (
          <li class={id === page.id ? 'here' : ''}>
            {id === page.id || status === 'missing' ? <span>{title}</span> : <a href={linkTo(project, 'record', id)}>{title}</a>} <Status status={status} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

const FILE_STATES = { same: 'unchanged', changed: 'changed since', missing: 'gone', unknown: '' } as const;

function CodeDiff({ project, id, path }: { readonly project: string; readonly id: string; readonly path: string }) {
  const { data, error } = useRead('code', { project, id, path });
  return error ? <p class="quiet">{error.message}</p> : data ? <Diff text={data.text} /> : <Loading />;
}

export function ChangedFile({ project, id, path }: { readonly project: string; readonly id: string; readonly path: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'hide the change' : 'show the change'}
      </button>
      {isOpen && <CodeDiff project={project} id={id} path={path} />}
    </>
  );
}

function Files({ project, page }: { readonly project: string; readonly page: RecordPage }) {
  if (page.files.length === 0) return null;
  return (
    <Panel title="Files">
      <ul class="files">
        {page.files.map(({ path, state, isDiffable }) => (
          <li>
            <code>{path}</code> {FILE_STATES[state] !== '' && <span class={`badge ${state}`}>{FILE_STATES[state]}</span>}{' '}
            {isDiffable && <ChangedFile project={project} id={page.id} path={path} />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Version({ project, id, entry }: { readonly project: string; readonly id: string; readonly entry: LogLine }) {
  const [isOpen, setOpen] = useState(false);
  const { data } = useRead('diff', isOpen ? { project, id, version: String(entry.seq) } : undefined);
  return (
    <li class={entry.undone ? 'undone' : ''}>
      <div class="line">
        <span class={`op ${entry.op}`}>{entry.op}</span>
        <Time at={entry.at} />
        <span class="quiet">
          by {entry.actor}
          {entry.reason !== undefined && `: ${entry.reason}`}
          {entry.undone && ' (undone)'}
        </span>
        <span class="grow" />
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'hide' : 'diff'}
        </button>
        {!entry.undone && entry.op !== 'adopt' && entry.op !== 'forget' && (
          <button type="button" class="link" onClick={() => void perform('undo', { project, step: { kind: 'action', group: entry.group } })}>
            {entry.op === 'undo' ? 'redo' : 'undo'}
          </button>
        )}
      </div>
      {isOpen && (data ? <Diff text={data.text} /> : <Loading />)}
    </li>
  );
}

function History({ project, id }: { readonly project: string; readonly id: string }) {
  const { data } = useRead('history', { project, id });
  if (!data || data.entries.length === 0) return null;
  return (
    <Panel title="History">
      <ol class="history">
        {data.entries.map((entry) => (
          <Version key={entry.seq} project={project} id={id} entry={entry} />
        ))}
      </ol>
    </Panel>
  );
}

/** How a record came in. */
const CHANNELS: Readonly<Record<NonNullable<RecordPage['origin']>['channel'], string>> = {
  command: 'Saved with a command',
  agent: 'Saved by the agent',
  hook: 'Saved while a session ran',
  capture: 'Drafted from a session',
  import: 'Imported',
  migration: 'Migrated from another memory',
  git: 'Read from the git history',
  sync: 'Synced from the team',
};

function Source({ project, page }: { readonly project: string; readonly page: RecordPage }) {
  const { origin } = page;
  if (!origin) return null;
  return (
    <Panel
      title="Where it came from"
      aside={
        origin.session_id !== undefined && (
          <a href={linkTo(project, 'session', origin.session_id, { at: origin.message_ids?.[0] })}>
            session <code>{shortSession(origin.session_id)}</code>
          </a>
        )
      }
    >
      <p class="quiet">
        {CHANNELS[origin.channel]}
        {origin.client !== undefined && `, ${origin.client}`}
        {origin.verified !== undefined && `, checked by ${origin.verified === 'rules' ? 'rules' : `a ${origin.verified}`}`}
      </p>
      {origin.asked !== undefined && <blockquote>{origin.asked}</blockquote>}
      <SourceLines project={project} id={page.id} {...(origin.session_id !== undefined && { session: origin.session_id })} />
    </Panel>
  );
}

function Injected({ project, page }: { readonly project: string; readonly page: Page }) {
  const { injected, verdicts, sessions } = page;
  if (page.kind === 'document' || project === USER) return null;
  return (
    <Panel title="Where it was injected" aside={<Verdict project={project} id={page.id} verdicts={verdicts} />}>
      {injected.length === 0 ? (
        <p class="quiet">It was not injected yet.</p>
      ) : (
        <ul class="plainlist">
          {injected.map(({ at, session, event, score }) => (
            <li>
              <a href={linkTo(project, 'session', session)}>
                <Inline text={sessions[session] ?? `session ${shortSession(session)}`} />
              </a>
              <p class="quiet">
                {EVENTS[event] ?? event} <Time at={at} /> {score > 0 && `· score ${score.toFixed(2)}`}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Facts({ page }: { readonly page: RecordPage }) {
  const rows: readonly (readonly [string, string])[] = [
    ['id', page.id],
    ['written', shownTime(page.createdAt)],
    ['updated', shownTime(page.updatedAt)],
    ['trust', page.trust],
    ['tags', page.tags.join(', ')],
    ['applies to', page.appliesTo.join(', ')],
    ['retired because', page.retiredReason ?? ''],
    ['file', page.file],
  ];
  return <FactList rows={rows} />;
}

/** A record: its text, source, history and injections, with the actions on it. */
export function RecordView({ project, id }: { readonly project: string; readonly id: string }) {
  const { data: page, error } = useRead('record', { project, id });
  const [isEditing, setEditing] = useState(false);
  useKeys(page ? keysFor(project, page, () => setEditing(true)) : []);
  if (error) return <ErrorNote error={error} />;
  return page ? <RecordPageView project={project} page={page} isEditing={isEditing} setEditing={setEditing} /> : <Loading />;
}

const keysFor = (project: string, page: Page, edit: () => void) => [
  { key: 'e', about: 'edit the record', run: edit },
  ...(page.waits
    ? [
        { key: 'a', about: 'accept the record', run: () => void perform('accept', { project, ids: [page.id] }) },
        { key: 'r', about: 'reject the record', run: () => void perform('reject', { project, ids: [page.id] }) },
      ]
    : []),
];

interface RecordPageProps {
  readonly project: string;
  readonly page: Page;
  readonly isEditing: boolean;
  readonly setEditing: (is: boolean) => void;
}

function RecordPageView({ project, page, isEditing, setEditing }: RecordPageProps) {
  return (
    <div class="view record">
      <header class="head">
        <div class="line">
          <Category name={page.category} />
          <code>{page.shortId}</code>
          <Status status={page.status} />
          <Trust trust={page.trust} />
          {page.root === 'shared' && <span class="badge">from the repository</span>}
        </div>
        <h1>
          <Inline text={page.title} />
        </h1>
        <Acts project={project} page={page} edit={() => setEditing(true)} />
      </header>
      <div class="columns">
        <div>
          <article class="paper">
            <RecordText body={page.body} />
          </article>
          <Chain project={project} page={page} />
          <History project={project} id={page.id} />
        </div>
        <div>
          <Panel title="Facts">
            <Facts page={page} />
          </Panel>
          <Source project={project} page={page} />
          <Files project={project} page={page} />
          <Injected project={project} page={page} />
        </div>
      </div>
      {isEditing && <Editor {...page} project={project} close={() => setEditing(false)} />}
    </div>
  );
}
