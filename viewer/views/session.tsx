import { useEffect, useRef, useState } from 'preact/hooks';
import type { Reads, SessionEntry } from '../../src/edges/http/contract.ts';
import { ask } from '../api.ts';
import { useKeys } from '../keys.ts';
import { Loading, ErrorNote } from '../parts/marks.tsx';
import { holdsMessage, MessageRow } from '../parts/message.tsx';
import { Markdown } from '../parts/texts.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { linkTo, route } from '../route.ts';
import { counted, shownTime } from '../shown.ts';
import { Refusal } from '../refusal.ts';
import { version } from '../state.ts';
import { complain } from '../toasts.ts';
import { InjectionBlock } from './injections.tsx';
import { ItemLine } from './search.tsx';

type Head = Omit<Reads['session']['gets'], 'entries'>;

const PAGE = 100;

interface EntryProps {
  readonly project: string;
  readonly entry: SessionEntry;
  readonly here: string | undefined;
  readonly verdicts: Head['verdicts'];
}

function Entry({ project, entry, here, verdicts }: EntryProps) {
  switch (entry.kind) {
    case 'message':
      return <MessageRow message={entry} here={here} />;
    case 'compaction':
      return (
        <details class="compaction">
          <summary>The client compacted the conversation here</summary>
          <Markdown text={entry.text} />
        </details>
      );
    case 'injection':
      return <InjectionBlock project={project} injection={entry.injection} verdicts={verdicts} isInSession />;
    case 'capture':
      return (
        <div class="capture">
          <span class="event capture">saved from here</span>
          <ItemLine project={project} item={entry.record} />
        </div>
      );
  }
}

/** Entries of a session, fetched by page as they scroll into view. */
function useEntries(project: string, id: string, around: string | undefined) {
  const [head, setHead] = useState<Head | undefined>(undefined);
  const [error, setError] = useState<Refusal | undefined>(undefined);
  const [entries, setEntries] = useState<ReadonlyMap<number, SessionEntry>>(new Map());
  const requested = useRef(new Set<string>());
  const now = version.value;
  const fetchFrom = (more: { readonly from?: string; readonly around?: string }): void => {
    const name = `${now} ${more.from ?? more.around ?? ''}`;
    if (requested.current.has(name)) return;
    requested.current.add(name);
    ask('session', { project, id, limit: String(PAGE), ...more }).then(
      ({ entries: page, ...rest }) => {
        setHead(rest);
        setEntries((known) => new Map([...known, ...page.map((entry, at) => [rest.from + at, entry] as const)]));
      },
      (cause: unknown) => (cause instanceof Refusal ? setError(cause) : complain(cause)),
    );
  };
  useEffect(() => fetchFrom(around === undefined ? { from: '0' } : { around }), [project, id, around, now]);
  const fetchEntries = (from: number, to: number): void => {
    for (let page = Math.floor(from / PAGE); page <= Math.floor(to / PAGE); page += 1)
      if (!entries.has(page * PAGE) || !entries.has(to)) fetchFrom({ from: String(page * PAGE) });
  };
  const here = around === undefined ? -1 : ([...entries].find(([, entry]) => holdsMessage(entry, around))?.[0] ?? -1);
  return { head, error, entries, fetchEntries, here };
}

/** A conversation with its injections and the records that came from it. */
export function SessionView({ project, id }: { readonly project: string; readonly id: string }) {
  const around = route.value.query.get('at') ?? undefined;
  const { head, error, entries, fetchEntries, here } = useEntries(project, id, around);
  const [moved, setMoved] = useState<number | undefined>(undefined);
  const chosen = moved ?? here;
  const total = head?.total ?? 0;
  const prompts = [...entries]
    .filter(([, entry]) => entry.kind === 'message' && entry.role === 'user')
    .map(([at]) => at)
    .toSorted((a, b) => a - b);
  useKeys([
    { key: 'j', about: 'next prompt', run: () => setMoved(prompts.find((at) => at > chosen) ?? chosen) },
    { key: 'k', about: 'previous prompt', run: () => setMoved(prompts.findLast((at) => at < chosen) ?? chosen) },
  ]);
  if (error) return <ErrorNote error={error} />;
  if (!head) return <Loading />;
  return (
    <div class="view session">
      <header class="head">
        <h1>{head.title}</h1>
        <p class="quiet">
          {head.client}
          {head.branch !== undefined && ` · ${head.branch}`} · {shownTime(head.startedAt)} · {counted(head.messages, 'message')} ·{' '}
          <a href={linkTo(project, 'injections', undefined, { session: head.id })}>{counted(head.tokens, 'injected token')}</a>
        </p>
        {!head.isWhole && <p class="offline">Part of this session is missing: its text was dropped to free space, and its transcript no longer exists.</p>}
      </header>
      <VirtualList
        count={total}
        height={120}
        label="Messages"
        chosen={chosen}
        onRange={fetchEntries}
        row={(index) => {
          const entry = entries.get(index);
          return entry ? (
            <Entry project={project} entry={entry} here={chosen === index && around === undefined ? entry.id : around} verdicts={head.verdicts} />
          ) : (
            <article class="message waiting" />
          );
        }}
      />
    </div>
  );
}
