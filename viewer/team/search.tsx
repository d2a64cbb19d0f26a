import { useEffect, useRef, useState } from 'preact/hooks';
import type { TeamHits } from '../../src/edges/team/contract.ts';
import { useKeys } from '../keys.ts';
import { Category, Empty, Status, Time, ErrorNote, Trust } from '../parts/marks.tsx';
import { Marked } from '../parts/texts.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { ALL, go, linkTo, replaceQuery, route } from '../route.ts';
import { useTeam } from './api.ts';

type TeamHit = TeamHits['hits'][number];

const HITS = '50';
/** The delay after the last letter before a search, because the server is remote. */
const PAUSE_MS = 120;
const KINDS = [
  ['', 'everything'],
  ['record', 'records'],
  ['document', 'documents'],
  ['message', 'messages and commits'],
] as const;

const linkOf = ({ project, kind, id, session_id, message_id }: TeamHit): string | undefined => {
  if (kind !== 'message') return linkTo(project, 'record', id);
  return session_id === null ? undefined : linkTo(project, 'conversation', session_id, { at: message_id ?? undefined });
};

function HitRow({ hit, query, isChosen, crosses }: { readonly hit: TeamHit; readonly query: string; readonly isChosen: boolean; readonly crosses: boolean }) {
  const link = linkOf(hit);
  return (
    <article class={isChosen ? 'row item chosen' : 'row item'}>
      <span class="kind">{hit.kind === 'message' ? <span class="category talk">message</span> : <Category name={hit.category} />}</span>
      <div class="words">
        {link === undefined ? (
          <strong>
            <Marked text={hit.title} query={query} />
          </strong>
        ) : (
          <a href={link}>
            <Marked text={hit.title} query={query} />
          </a>
        )}{' '}
        <Status status={hit.status} /> <Trust trust={hit.trust} />
        {hit.snippet !== hit.title && (
          <p class="snippet">
            <Marked text={hit.snippet} query={query} />
          </p>
        )}
      </div>
      <span class="facts">
        {crosses && <span>{hit.project}</span>}
        <Time at={hit.at} />
        <span class="score">{hit.score.toFixed(2)}</span>
      </span>
    </article>
  );
}

/** The value after no letter was typed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Search as you type in a project, or in all of the organisation. */
export function TeamSearchView({ project }: { readonly project: string }) {
  const { query: address } = route.value;
  const [text, kind, retired] = ['q', 'kind', 'retired'].map((name) => address.get(name) ?? '') as [string, string, string];
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState(-1);
  useEffect(() => input.current?.focus(), []);
  useEffect(() => setChosen(-1), [text]);
  const change = (more: Readonly<Record<string, string>>): void => replaceQuery({ q: text, kind, retired, ...more });
  const question = useSettled(text.trim());
  const asks = { query: question, limit: HITS, ...(project !== ALL && { project }), ...(kind && { kind }), ...(retired && { retired: 'true' }) };
  const { data, error } = useTeam<TeamHits>(question === '' ? undefined : `search?${new URLSearchParams(asks).toString()}`);
  const hits = question === '' ? [] : (data?.hits ?? []);
  const open = (hit: TeamHit | undefined): void => {
    const link = hit && linkOf(hit);
    if (link !== undefined) go(link);
  };
  useKeys([
    { key: '/', about: 'type a question', run: () => input.current?.focus() },
    { key: 'j', about: 'next hit', run: () => setChosen(Math.min(chosen + 1, hits.length - 1)) },
    { key: 'k', about: 'previous hit', run: () => setChosen(Math.max(chosen - 1, 0)) },
    { key: 'Enter', about: 'open the hit', run: () => open(hits[chosen]) },
  ]);
  return (
    <div class="view search">
      <h1 class="hidden">Search</h1>
      <div class="bar">
        <input
          ref={input}
          type="search"
          aria-label="Search"
          placeholder={project === ALL ? 'Search all projects' : `Search ${project}`}
          value={text}
          onInput={(event) => change({ q: event.currentTarget.value })}
        />
        <div class="filters">
          <select aria-label="Kind" value={kind} onChange={(event) => change({ kind: event.currentTarget.value })}>
            {KINDS.map(([value, name]) => (
              <option value={value}>{name}</option>
            ))}
          </select>
          <label>
            <input type="checkbox" checked={retired !== ''} onChange={(event) => change({ retired: event.currentTarget.checked ? '1' : '' })} /> retired too
          </label>
        </div>
      </div>
      {error && <ErrorNote error={error} />}
      {question === '' && <Empty title="What does your team know?" />}
      {question !== '' && data && hits.length === 0 && (
        <Empty title="No hits">
          <p>Try fewer words, another kind, or all projects. Retired records are searched only when you tick the box.</p>
        </Empty>
      )}
      {hits.length > 0 && (
        <VirtualList
          count={hits.length}
          height={74}
          label="Hits"
          chosen={chosen}
          row={(index) => {
            const hit = hits[index];
            return hit && <HitRow hit={hit} query={text} isChosen={index === chosen} crosses={project === ALL} />;
          }}
        />
      )}
    </div>
  );
}
