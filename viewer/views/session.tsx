import { useEffect, useRef, useState } from 'preact/hooks';
import type { Reads, SessionEntry } from '../../src/edges/http/contract.ts';
import { ask, Refusal } from '../api.ts';
import { useKeys } from '../keys.ts';
import { Loading, Trouble } from '../parts/marks.tsx';
import { Markdown } from '../parts/texts.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { linkTo, route } from '../route.ts';
import { counted, shownTime } from '../shown.ts';
import { complain, version } from '../state.ts';
import { InjectionBlock } from './injections.tsx';
import { ItemLine } from './search.tsx';

type Message = Extract<SessionEntry, { readonly kind: 'message' }>;
type Head = Omit<Reads['session']['gets'], 'entries'>;

const PAGE = 100;
const FOLDED = 700;

function Call({ name, input }: { readonly name: string; readonly input: string }) {
  const [first = ''] = input.split('\n', 1);
  return (
    <details class="call">
      <summary>
        <b>{name}</b> <code>{first.slice(0, 160)}</code>
      </summary>
      <pre>{input}</pre>
    </details>
  );
}

function MessageText({ message }: { readonly message: Message }) {
  const { text, cut } = message;
  if (text === '') return null;
  const more = cut > 0 && <p class="quiet">{counted(cut, 'more character')}: holdfast messages shows them</p>;
  if (text.length <= FOLDED * 3) return <Markdown text={text} />;
  return (
    <>
      <Markdown text={text.slice(0, FOLDED)} />
      <details class="answer">
        <summary>the rest</summary>
        <Markdown text={text.slice(FOLDED)} />
        {more}
      </details>
    </>
  );
}

/** What a tool answered, in one line until it is opened. */
function ToolRow({ message, isHere }: { readonly message: Message; readonly isHere: boolean }) {
  const first = message.text.split('\n', 1)[0] ?? '';
  return (
    <details class={`message tool${isHere ? ' chosen' : ''}${message.hasFailed ? ' failed' : ''}`}>
      <summary>
        <b>{message.hasFailed ? 'failed' : 'answer'}</b> {first.slice(0, 200)}
      </summary>
      <pre>{message.text}</pre>
      {message.cut > 0 && <p class="quiet">{counted(message.cut, 'more character')}: holdfast messages shows them</p>}
    </details>
  );
}

function MessageRow({ message, isHere }: { readonly message: Message; readonly isHere: boolean }) {
  return (
    <article class={`message ${message.role}${message.isSubagent ? ' subagent' : ''}${isHere ? ' chosen' : ''}${message.hasFailed ? ' failed' : ''}`}>
      <header class="line">
        <b>{message.speaker ?? (message.role === 'user' ? 'you' : 'agent')}</b>
        {message.isSubagent && <span class="badge">subagent</span>}
        <span class="grow" />
        {message.at !== undefined && <time dateTime={message.at}>{shownTime(message.at).slice(11)}</time>}
      </header>
      <MessageText message={message} />
      {message.calls.map((call) => (
        <Call {...call} />
      ))}
    </article>
  );
}

interface EntryProps {
  readonly project: string;
  readonly entry: SessionEntry;
  readonly here: string | undefined;
  readonly verdicts: Head['verdicts'];
}

function Entry({ project, entry, here, verdicts }: EntryProps) {
  switch (entry.kind) {
    case 'message':
      return entry.role === 'tool' ? <ToolRow message={entry} isHere={entry.id === here} /> : <MessageRow message={entry} isHere={entry.id === here} />;
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
          <span class="event capture">kept from here</span>
          <ItemLine project={project} item={entry.record} />
        </div>
      );
  }
}

/** Entries of a session, fetched a page at a time as they come into sight. */
function useEntries(project: string, id: string, around: string | undefined) {
  const [head, setHead] = useState<Head | undefined>(undefined);
  const [error, setError] = useState<Refusal | undefined>(undefined);
  const [entries, setEntries] = useState<ReadonlyMap<number, SessionEntry>>(new Map());
  const asked = useRef(new Set<string>());
  const now = version.value;
  const fetchFrom = (more: { readonly from?: string; readonly around?: string }): void => {
    const name = `${now} ${more.from ?? more.around ?? ''}`;
    if (asked.current.has(name)) return;
    asked.current.add(name);
    ask('session', { project, id, limit: String(PAGE), ...more }).then(
      ({ entries: found, ...rest }) => {
        setHead(rest);
        setEntries((known) => new Map([...known, ...found.map((entry, at) => [rest.from + at, entry] as const)]));
      },
      (cause: unknown) => (cause instanceof Refusal ? setError(cause) : complain(cause)),
    );
  };
  useEffect(() => fetchFrom(around === undefined ? { from: '0' } : { around }), [project, id, around, now]);
  const look = (from: number, to: number): void => {
    for (let page = Math.floor(from / PAGE); page <= Math.floor(to / PAGE); page += 1)
      if (!entries.has(page * PAGE) || !entries.has(to)) fetchFrom({ from: String(page * PAGE) });
  };
  const here = around === undefined ? -1 : ([...entries].find(([, entry]) => entry.id === around)?.[0] ?? -1);
  return { head, error, entries, look, here };
}

/** A conversation with what memory gave it and what it left in memory. */
export function SessionView({ project, id }: { readonly project: string; readonly id: string }) {
  const around = route.value.query.get('at') ?? undefined;
  const { head, error, entries, look, here } = useEntries(project, id, around);
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
  if (error) return <Trouble error={error} />;
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
        onRange={look}
        row={(index) => {
          const entry = entries.get(index);
          return entry ? (
            <Entry project={project} entry={entry} here={chosen === index ? entry.id : around} verdicts={head.verdicts} />
          ) : (
            <article class="message waiting" />
          );
        }}
      />
    </div>
  );
}
