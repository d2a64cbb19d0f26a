import type { ComponentChildren } from 'preact';
import type { Refusal } from '../refusal.ts';
import { agoOf, shownTime, words } from '../shown.ts';

export const Time = ({ at }: { readonly at: string | null | undefined }) =>
  at ? (
    <time dateTime={at} title={shownTime(at)}>
      {agoOf(at)}
    </time>
  ) : null;

export const Category = ({ name }: { readonly name: string | null | undefined }) =>
  name ? <span class={`category ${name}`}>{words(name)}</span> : <span class="category document">document</span>;

const TRUST: Readonly<Record<string, string>> = {
  observed: 'saved from a session; not confirmed yet',
  quarantined: 'from tool output or the web; not injected before you accept it',
};

export const Trust = ({ trust }: { readonly trust: string | undefined }) => {
  const about = TRUST[trust ?? ''];
  return about === undefined ? null : (
    <span class={`badge ${trust}`} title={about}>
      {trust}
    </span>
  );
};

export const Status = ({ status }: { readonly status: string }) => (status === 'active' ? null : <span class="badge status">{status}</span>);

/** A bar for a figure's share of the largest figure. */
export const Share = ({ of, most }: { readonly of: number; readonly most: number }) => (
  <span class={of < 0 ? 'share against' : 'share'} aria-hidden="true">
    <i style={{ width: `${Math.round((100 * Math.abs(of)) / most)}%` }} />
  </span>
);

interface EmptyProps {
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** An empty view: why it is empty, and what to do. */
export const Empty = ({ title, children }: EmptyProps) => (
  <div class="empty">
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <path d="M16 4v13M16 17c0 5-4 6-8 11M16 17c0 5 4 6 8 11M16 17v11" />
    </svg>
    <h2>{title}</h2>
    <div>{children}</div>
  </div>
);

export const ErrorNote = ({ error }: { readonly error: Refusal }) => (
  <Empty title={error.message}>{error.answer.hint !== undefined && <p>{error.answer.hint}</p>}</Empty>
);

export const Loading = () => (
  <p class="loading" aria-live="polite">
    Loading…
  </p>
);

interface PanelProps {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

export const Panel = ({ title, aside, children }: PanelProps) => (
  <section class="panel">
    <header>
      <h2>{title}</h2>
      {aside}
    </header>
    {children}
  </section>
);

/** Facts by name, without those that have no value. */
export const FactList = ({ rows }: { readonly rows: readonly (readonly [string, string])[] }) => (
  <dl class="facts">
    {rows
      .filter(([, value]) => value !== '')
      .map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
