import { useState } from 'preact/hooks';
import type { Injection, InjectedItem, Reads, Verdicts } from '../../src/edges/http/contract.ts';
import { useKeys } from '../keys.ts';
import { Empty, Loading, Time, Trouble } from '../parts/marks.tsx';
import { Verdict } from '../parts/verdict.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { useRead } from '../read.ts';
import { linkTo } from '../route.ts';
import { counted, shortSession } from '../shown.ts';

const EVENTS: Readonly<Record<string, string>> = {
  startup: 'at the start',
  prompt: 'for a prompt',
  action: 'before an action',
  resume: 'on resuming',
  clear: 'after a clear',
  compact: 'after a compaction',
  subagent: 'for a subagent',
};

const isDocument = (id: string): boolean => id.endsWith('.md') || id.startsWith('context/') || id.startsWith('progress/');
const isRecord = (id: string): boolean => /^[a-z_]+\/[a-z0-9]/.test(id) && !isDocument(id);

/** A reason such as `covers 91 % of the prompt (+1.56)`: its words, and its points as a bar. */
function Reason({ text, most }: { readonly text: string; readonly most: number }) {
  const [, words = text, points] = /^(.*?)\s*\(([+-]\d+(?:\.\d+)?)\)$/.exec(text) ?? [];
  return (
    <li>
      <span>{words}</span>
      {points !== undefined && (
        <span class="points">
          <meter min={0} max={most} value={Math.abs(Number(points))} />
          <span>{`${points.charAt(0)}${Math.abs(Number(points)).toFixed(2)}`}</span>
        </span>
      )}
    </li>
  );
}

const pointsIn = (reason: string): number => Math.abs(Number(/\(([+-]\d+(?:\.\d+)?)\)$/.exec(reason)?.[1] ?? 0));

interface ItemProps {
  readonly project: string;
  readonly session: string;
  readonly item: InjectedItem;
  readonly verdicts: Verdicts | undefined;
}

function Item({ project, session, item, verdicts }: ItemProps) {
  const most = Math.max(...item.reasons.map(pointsIn), 0.01);
  return (
    <li class="given">
      <div class="line">
        {isRecord(item.id) ? <a href={linkTo(project, 'record', item.id)}>{item.title}</a> : <span>{item.title}</span>}
        <code class="quiet">{item.id.length > 48 ? `${item.id.slice(0, 47)}…` : item.id}</code>
        {item.score > 0 && <span class="score">{item.score.toFixed(2)}</span>}
        <span class="grow" />
        {!isDocument(item.id) && <Verdict project={project} id={item.id} session={session} verdicts={verdicts} />}
      </div>
      {item.text !== undefined && <p class="told">{item.text}</p>}
      <ul class="reasons">
        {item.reasons.map((reason) => (
          <Reason text={reason} most={most} />
        ))}
      </ul>
    </li>
  );
}

interface BlockProps {
  readonly project: string;
  readonly injection: Injection;
  readonly title: string | undefined;
  readonly verdicts: Readonly<Record<string, Verdicts>>;
  readonly isChosen?: boolean;
}

/** One injected block: when, why, how many tokens, and each thing in it. */
export function InjectionBlock({ project, injection, title, verdicts, isChosen = false }: BlockProps) {
  const { at, session, event, tokens, items } = injection;
  return (
    <article class={isChosen ? 'injection chosen' : 'injection'}>
      <header class="line">
        <span class={`event ${event}`}>{EVENTS[event] ?? event}</span>
        <a href={linkTo(project, 'session', session)}>{title ?? `session ${shortSession(session)}`}</a>
        <span class="grow" />
        <span class="quiet">{counted(tokens, 'token')}</span>
        <Time at={at} />
      </header>
      <ul>
        {items.map((item) => (
          <Item project={project} session={session} item={item} verdicts={verdicts[item.id]} />
        ))}
      </ul>
    </article>
  );
}

function Summary({ data }: { readonly data: Reads['injections']['gets'] }) {
  const tokens = data.injections.reduce((sum, one) => sum + one.tokens, 0);
  const bySession = new Map<string, number>();
  for (const one of data.injections) bySession.set(one.session, (bySession.get(one.session) ?? 0) + one.tokens);
  const judged = Object.values(data.verdicts).reduce((sum, one) => sum + one.useful + one.wrong + one.outdated, 0);
  const useful = Object.values(data.verdicts).reduce((sum, one) => sum + one.useful, 0);
  const figures: readonly (readonly [string, string])[] = [
    [data.injections.length.toLocaleString('en'), 'blocks'],
    [bySession.size.toLocaleString('en'), bySession.size === 1 ? 'session' : 'sessions'],
    [tokens.toLocaleString('en'), 'tokens in all'],
    [`${Math.max(0, ...bySession.values()).toLocaleString('en')} of ${data.budget.toLocaleString('en')}`, 'most tokens in a session, and the budget'],
    [judged === 0 ? '–' : `${Math.round((100 * useful) / judged)} %`, 'of the judged found useful'],
  ];
  return (
    <dl class="figures">
      {figures.map(([figure, name]) => (
        <div>
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What each session was given, when and why. */
export function InjectionsView({ project, session }: { readonly project: string; readonly session?: string }) {
  const { data, error } = useRead('injections', { project, ...(session !== undefined && { session }), limit: '1000' });
  const [chosen, setChosen] = useState(-1);
  const all = data?.injections ?? [];
  useKeys([
    { key: 'j', about: 'next block', run: () => setChosen(Math.min(chosen + 1, all.length - 1)) },
    { key: 'k', about: 'previous block', run: () => setChosen(Math.max(chosen - 1, 0)) },
  ]);
  if (error) return <Trouble error={error} />;
  if (!data) return <Loading />;
  if (all.length === 0)
    return (
      <Empty title="No agent was given anything yet">
        <p>When memory is on, this page shows every block of text that Holdfast put before an agent, what was in it, and which signals chose it.</p>
        <p>
          Turn it on with <code>holdfast start</code>, or try <code>holdfast recall "a prompt"</code>.
        </p>
      </Empty>
    );
  return (
    <div class="view injections">
      <header class="head">
        <h1>Injections</h1>
        <p class="quiet">
          What Holdfast put before your agent, newest first.
          {session !== undefined && (
            <>
              {' '}
              Only session <code>{shortSession(session)}</code>. <a href={linkTo(project, 'injections')}>Show all</a>
            </>
          )}
        </p>
        <Summary data={data} />
      </header>
      <VirtualList
        count={all.length}
        height={180}
        label="Injections"
        chosen={chosen}
        row={(index) => {
          const one = all[index];
          return (
            one && <InjectionBlock project={project} injection={one} title={data.sessions[one.session]} verdicts={data.verdicts} isChosen={index === chosen} />
          );
        }}
      />
    </div>
  );
}
