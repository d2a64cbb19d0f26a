import { useEffect, useRef, useState } from 'preact/hooks';
import type { Hit, ItemRow } from '../../src/edges/http/contract.ts';
import { ask } from '../api.ts';
import { useKeys } from '../keys.ts';
import { Category, Empty, Share, Status, Time, ErrorNote, Trust } from '../parts/marks.tsx';
import { Inline, Marked } from '../parts/texts.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { useRead } from '../read.ts';
import { ALL, go, linkTo, replaceQuery, route } from '../route.ts';
import { shortSession, SIGNALS, words } from '../shown.ts';
import { version } from '../state.ts';

const KINDS = [
  ['', 'everything'],
  ['record', 'records'],
  ['document', 'documents'],
  ['message', 'messages and commits'],
] as const;
const TIMES = [
  ['', 'any time'],
  ['7', 'last 7 days'],
  ['30', 'last 30 days'],
  ['365', 'last year'],
] as const;
const CATEGORIES = ['decision', 'runbook', 'constraint', 'preference', 'tech_debt', 'session_summary', 'analysis', 'subagent_report'];
const PAGE = 100;

/** A commit is stored as a conversation of one message. */
const isCommit = ({ session_id }: Hit): boolean => session_id?.startsWith('commit-') === true;

const hitLink = (hit: Hit): string =>
  hit.kind === 'message' && hit.session_id !== null
    ? linkTo(hit.project, 'session', hit.session_id, { at: hit.message_id ?? undefined })
    : linkTo(hit.project === '' ? (route.value.project ?? '') : hit.project, 'record', hit.id);

function Score({ hit }: { readonly hit: Hit }) {
  const most = Math.max(...(hit.explain ?? []).map(({ points }) => Math.abs(points)), 0.0001);
  return (
    <details class="score">
      <summary title="How the score is made up">{hit.score.toFixed(2)}</summary>
      <dl>
        {hit.explain?.map(({ signal, points }) => (
          <div>
            <dt title={signal}>{SIGNALS[signal] ?? words(signal)}</dt>
            <dd>
              <Share of={points} most={most} /> {points > 0 ? '+' : ''}
              {points.toFixed(2)}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function HitRow({ hit, query, isChosen, crosses }: { readonly hit: Hit; readonly query: string; readonly isChosen: boolean; readonly crosses: boolean }) {
  return (
    <article class={isChosen ? 'row item chosen' : 'row item'}>
      <span class="kind">
        {hit.kind === 'message' ? <span class="category talk">{isCommit(hit) ? 'commit' : 'message'}</span> : <Category name={hit.category} />}
      </span>
      <div class="words">
        <a href={hitLink(hit)}>
          <Marked text={hit.title} query={query} />
        </a>{' '}
        <Status status={hit.status} /> <Trust trust={hit.trust} />
        {hit.snippet !== hit.title && (
          <p class="snippet">
            <Marked text={hit.snippet} query={query} />
          </p>
        )}
      </div>
      <span class="facts">
        {crosses && <span>{hit.project}</span>}
        {hit.session_id !== null && hit.kind === 'message' && <code>{shortSession(hit.session_id)}</code>}
        <Time at={hit.at} />
        <Score hit={hit} />
      </span>
    </article>
  );
}

export function ItemLine({ project, item, isChosen = false }: { readonly project: string; readonly item: ItemRow; readonly isChosen?: boolean }) {
  return (
    <article class={isChosen ? 'row item chosen' : 'row item'}>
      <span class="kind">
        <Category name={item.category} />
      </span>
      <div class="words">
        <a href={linkTo(project, 'record', item.id)}>
          <Inline text={item.title} />
        </a>{' '}
        <Status status={item.status} /> {item.kind === 'record' && <Trust trust={item.trust} />}
      </div>
      <span class="facts">
        <code>{item.shortId}</code>
        <Time at={item.updatedAt} />
      </span>
    </article>
  );
}

interface Filter {
  readonly category?: string;
  readonly kind?: string;
  readonly status?: string;
  readonly since?: string;
}

/** The day so many days ago, as `2026-03-01`. */
const dayBefore = (days: number): string => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

/** Rows of a long list, fetched by page as they scroll into view. */
function usePages(project: string, filter: Filter) {
  const [pages, setPages] = useState<ReadonlyMap<number, readonly ItemRow[]>>(new Map());
  const [total, setTotal] = useState<number | undefined>(undefined);
  const name = `${project} ${JSON.stringify(filter)} ${version.value}`;
  const requested = useRef({ name: '', pages: new Set<number>() });
  const fetchPage = (page: number): void => {
    if (requested.current.name !== name) requested.current = { name, pages: new Set() };
    if (requested.current.pages.has(page)) return;
    requested.current.pages.add(page);
    void ask('list', { project, from: String(page * PAGE), limit: String(PAGE), ...filter }).then(({ total: newTotal, rows }) => {
      if (requested.current.name !== name) return;
      setTotal(newTotal);
      setPages((known) => new Map(page === 0 ? [[0, rows]] : [...known, [page, rows]]));
    });
  };
  useEffect(() => fetchPage(0), [name]);
  return {
    total,
    row: (index: number): ItemRow | undefined => pages.get(Math.floor(index / PAGE))?.[index % PAGE],
    fetchRows: (from: number, to: number): void => {
      for (let page = Math.floor(from / PAGE); page <= Math.floor(to / PAGE); page += 1) fetchPage(page);
    },
  };
}

function Browse({ project, filter }: { readonly project: string; readonly filter: Filter }) {
  const { total, row, fetchRows } = usePages(project, filter);
  const [chosen, setChosen] = useState(-1);
  useKeys([
    { key: 'j', about: 'next row', run: () => setChosen(Math.min(chosen + 1, (total ?? 1) - 1)) },
    { key: 'k', about: 'previous row', run: () => setChosen(Math.max(chosen - 1, 0)) },
    { key: 'Enter', about: 'open the row', run: () => row(chosen) && go(linkTo(project, 'record', row(chosen)?.id)) },
  ]);
  if (total === 0)
    return (
      <Empty title="Nothing is remembered here yet">
        <p>
          Save something with <code>holdfast save decision "…"</code>, import conversations with <code>holdfast import</code>, or let your agent work with
          memory on.
        </p>
      </Empty>
    );
  return (
    <>
      <p class="quiet">{total === undefined ? ' ' : `${total.toLocaleString('en')} in all, newest first`}</p>
      <VirtualList
        count={total ?? 0}
        height={46}
        label="Records and documents"
        chosen={chosen}
        onRange={fetchRows}
        row={(index) => {
          const item = row(index);
          return item ? <ItemLine project={project} item={item} isChosen={index === chosen} /> : <article class="row waiting" />;
        }}
      />
    </>
  );
}

function Hits({ query, asks }: { readonly query: string; readonly asks: Filter & { readonly project: string; readonly q: string } }) {
  const { data, error } = useRead('search', asks);
  const [chosen, setChosen] = useState(-1);
  useEffect(() => setChosen(-1), [asks.q]);
  const hits = data?.hits ?? [];
  useKeys([
    { key: 'j', about: 'next hit', run: () => setChosen(Math.min(chosen + 1, hits.length - 1)) },
    { key: 'k', about: 'previous hit', run: () => setChosen(Math.max(chosen - 1, 0)) },
    {
      key: 'Enter',
      about: 'open the hit',
      run: () => {
        const hit = hits[chosen];
        if (hit) go(hitLink(hit));
      },
    },
  ]);
  if (error) return <ErrorNote error={error} />;
  if (data && hits.length === 0)
    return (
      <Empty title="No hits">
        <p>Try fewer words, another kind, or all projects. Retired records are searched only when you tick the box.</p>
      </Empty>
    );
  return (
    <>
      {data?.warnings.map((text) => (
        <p class="quiet">{text}</p>
      ))}
      <VirtualList
        count={hits.length}
        height={74}
        label="Hits"
        chosen={chosen}
        row={(index) => {
          const hit = hits[index];
          return hit && <HitRow hit={hit} query={query} isChosen={index === chosen} crosses={asks.project === ALL} />;
        }}
      />
    </>
  );
}

/** Search as you type over records, documents, messages and commits; without a query, all of them by date. */
export function SearchView({ project }: { readonly project: string }) {
  const { query: address } = route.value;
  const text = address.get('q') ?? '';
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const [kind, category, since, any, all] = ['kind', 'category', 'since', 'any', 'all'].map((name) => address.get(name) ?? '');
  const change = (more: Readonly<Record<string, string>>): void => replaceQuery({ q: text, kind, category, since, any, all, ...more });
  const filter = { ...(kind && { kind }), ...(category && { category }), ...(since && { since: dayBefore(Number(since)) }) };
  const asks = { project: all ? ALL : project, q: text.trim(), ...filter, ...(any && { status: 'any' }) };
  return (
    <div class="view search">
      <h1 class="hidden">Search</h1>
      <div class="bar">
        <input
          ref={input}
          type="search"
          aria-label="Search"
          placeholder="Search records, documents, messages, commits"
          value={text}
          onInput={(event) => change({ q: event.currentTarget.value })}
        />
        <div class="filters">
          <select aria-label="Kind" value={kind} onChange={(event) => change({ kind: event.currentTarget.value })}>
            {KINDS.map(([value, name]) => (
              <option value={value}>{name}</option>
            ))}
          </select>
          <select aria-label="Category" value={category} onChange={(event) => change({ category: event.currentTarget.value })}>
            <option value="">every category</option>
            {CATEGORIES.map((name) => (
              <option value={name}>{name.replaceAll('_', ' ')}</option>
            ))}
          </select>
          <select aria-label="Since" value={since} onChange={(event) => change({ since: event.currentTarget.value })}>
            {TIMES.map(([value, name]) => (
              <option value={value}>{name}</option>
            ))}
          </select>
          <label>
            <input type="checkbox" checked={any !== ''} onChange={(event) => change({ any: event.currentTarget.checked ? '1' : '' })} /> retired too
          </label>
          <label>
            <input type="checkbox" checked={all !== ''} onChange={(event) => change({ all: event.currentTarget.checked ? '1' : '' })} /> all projects
          </label>
        </div>
      </div>
      {text.trim() === '' ? <Browse project={project} filter={{ ...filter, ...(!any && { status: 'active' }) }} /> : <Hits query={text} asks={asks} />}
    </div>
  );
}
