import { useState } from 'preact/hooks';
import type { WaitingRow } from '../../src/edges/http/contract.ts';
import { useKeys } from '../keys.ts';
import { Editor } from '../parts/editor.tsx';
import { Category, Empty, Loading, Time, ErrorNote, Trust } from '../parts/marks.tsx';
import { SourceLines } from '../parts/source.tsx';
import { Inline, RecordText } from '../parts/texts.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { useRead } from '../read.ts';
import { linkTo } from '../route.ts';
import { counted } from '../shown.ts';
import { perform } from '../state.ts';
import { say } from '../toasts.ts';

interface DetailProps {
  readonly project: string;
  readonly row: WaitingRow;
  readonly picked: WaitingRow | undefined;
  readonly isEditing: boolean;
  readonly accept: () => void;
  readonly reject: () => void;
  readonly merge: () => void;
  readonly edit: (is: boolean) => void;
}

/** The record, and beside it the lines that it came from. */
function Detail({ project, row, picked, isEditing, accept, reject, merge, edit }: DetailProps) {
  const { data: page } = useRead('record', { project, id: row.id });
  return (
    <section class="detail" aria-label={row.title}>
      <header class="head">
        <div class="line">
          <Category name={row.category} />
          <code>{row.shortId}</code>
          <Trust trust={row.trust} />
          {row.old && <span class="badge">drafted by an earlier version</span>}
        </div>
        <h2>
          <a href={linkTo(project, 'record', row.id)}>
            <Inline text={row.title} />
          </a>
        </h2>
        <div class="buttons">
          <button type="button" class="primary" onClick={accept}>
            Accept <kbd>a</kbd>
          </button>
          <button type="button" onClick={() => edit(true)}>
            Edit <kbd>e</kbd>
          </button>
          <button type="button" onClick={merge}>
            {picked === undefined ? 'Merge…' : picked.id === row.id ? 'Do not merge' : `Merge into “${picked.title}”`} <kbd>m</kbd>
          </button>
          <button type="button" onClick={reject}>
            Reject <kbd>r</kbd>
          </button>
        </div>
      </header>
      <div class="columns even">
        <article class="paper">{page?.id === row.id ? <RecordText body={page.body} /> : <Loading />}</article>
        <div class="panel">
          <header>
            <h2>What was said</h2>
          </header>
          <SourceLines project={project} id={row.id} {...(row.session !== undefined && { session: row.session })} />
        </div>
      </div>
      {isEditing && page?.id === row.id && <Editor {...page} project={project} close={() => edit(false)} />}
    </section>
  );
}

/** Records that were saved automatically or are quarantined, to accept, edit, merge or reject. */
export function InboxView({ project }: { readonly project: string }) {
  const { data, error } = useRead('inbox', { project });
  const [chosen, setChosen] = useState(0);
  const [pickedId, setPicked] = useState<string | undefined>(undefined);
  const [isEditing, setEditing] = useState(false);
  const rows = data?.rows ?? [];
  const at = Math.min(chosen, Math.max(0, rows.length - 1));
  const row = rows[at];
  const picked = rows.find(({ id }) => id === pickedId);

  const answer = (choice: 'accept' | 'reject') => (): void => {
    if (row) void perform(choice, { project, ids: [row.id] });
  };
  const merge = (): void => {
    if (!row) return;
    if (!picked) {
      setPicked(row.id);
      return say(`Choose the record to merge into “${row.title}”, then press m again.`);
    }
    setPicked(undefined);
    if (picked.id !== row.id) void perform('merge', { project, ids: [picked.id, row.id] });
  };
  const move = (by: number) => (): void => setChosen(Math.max(0, Math.min(at + by, rows.length - 1)));
  useKeys([
    { key: 'j', about: 'next record', run: move(1) },
    { key: 'k', about: 'previous record', run: move(-1) },
    { key: 'a', about: 'accept the record', run: answer('accept') },
    { key: 'e', about: 'edit the record, and accept it with that', run: () => row && setEditing(true) },
    { key: 'm', about: 'merge: choose the record to keep, then the one to merge into it', run: merge },
    { key: 'r', about: 'reject the record', run: answer('reject') },
  ]);
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Loading />;
  if (!row)
    return (
      <Empty title="Nothing waits for you">
        <p>What your agent saves without your asking, and what it takes from tools or the web, waits here until you accept, edit, merge or reject it.</p>
        <p>
          <code>holdfast drafts</code> drafts records from a session; <code>holdfast import</code> brings sessions in.
        </p>
      </Empty>
    );
  return (
    <div class="view split">
      <div class="list">
        <header class="head">
          <h1>Inbox</h1>
          <p class="quiet">{counted(rows.length, 'record')} to review</p>
        </header>
        <VirtualList
          count={rows.length}
          height={64}
          label="Records that wait"
          chosen={at}
          row={(index) => {
            const one = rows[index];
            return (
              one && (
                <button
                  type="button"
                  class={`row choice${index === at ? ' chosen' : ''}${one.id === pickedId ? ' picked' : ''}`}
                  aria-pressed={index === at}
                  onClick={() => setChosen(index)}
                >
                  <span class="line">
                    <Category name={one.category} />
                    {one.trust === 'quarantined' && <Trust trust={one.trust} />}
                    <span class="grow" />
                    <Time at={one.createdAt} />
                  </span>
                  <strong>
                    <Inline text={one.title} />
                  </strong>
                </button>
              )
            );
          }}
        />
      </div>
      <Detail
        project={project}
        row={row}
        picked={picked}
        isEditing={isEditing}
        accept={answer('accept')}
        reject={answer('reject')}
        merge={merge}
        edit={setEditing}
      />
    </div>
  );
}
