import { useState } from 'preact/hooks';
import type { Injection, InjectedItem, Reads, Verdicts } from '../../src/edges/http/contract.ts';
import { useKeys } from '../keys.ts';
import { Empty, Loading, Share, Time, ErrorNote } from '../parts/marks.tsx';
import { Inline } from '../parts/texts.tsx';
import { Verdict } from '../parts/verdict.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { useRead } from '../read.ts';
import { linkTo } from '../route.ts';
import { counted, EVENTS, shortSession, words } from '../shown.ts';

const isDocument = (id: string): boolean => id.endsWith('.md') || id.startsWith('context/') || id.startsWith('progress/');

interface ItemKind {
  /** The name of the kind, and its colour class. */
  readonly kind: readonly [name: string, colour: string];
  /** The link to its text. */
  readonly link?: string;
}

/** The kind of an item of a block, by its id: `category/id`, `session:ID`, `rule:…`, the name of a document or the id of a message. */
function kindOf(project: string, { id, source }: InjectedItem): ItemKind {
  if (isDocument(id)) return { kind: ['document', 'document'], link: linkTo(project, 'record', id) };
  const [prefix = '', rest] = id.split(/[:/](.*)/s, 2);
  if (id.startsWith('session:')) return { kind: ['recent session', 'talk'], link: linkTo(project, 'session', rest) };
  if (id.startsWith('rule:')) return { kind: ['your rule', 'preference'] };
  if (/^[a-z_]+\/[a-z0-9]/.test(id)) return { kind: [words(prefix), prefix], link: linkTo(project, 'record', id) };
  return {
    kind: [source?.startsWith('commit-') === true ? 'commit' : 'conversation', 'talk'],
    ...(source !== undefined && { link: linkTo(project, 'session', source, { at: id }) }),
  };
}

const POINTS = /\s*\((?:\+(?=-))?([+-]\d+(?:\.\d+)?)\)$/;
const pointsIn = (reason: string): number => Math.abs(Number(POINTS.exec(reason)?.[1] ?? 0));

/** A reason such as `covers 91 % of the prompt (+1.56)`: its words, and its points as a bar. */
function Reason({ text, most }: { readonly text: string; readonly most: number }) {
  const points = POINTS.exec(text)?.[1];
  return (
    <li>
      <span>{text.replace(POINTS, '')}</span>
      {points !== undefined && (
        <span class="points">
          <Share of={Number(points)} most={most} />
          <span>{`${points.charAt(0)}${Math.abs(Number(points)).toFixed(2)}`}</span>
        </span>
      )}
    </li>
  );
}

/** A line for comparison: without date, marks and an ellipsis at its end. */
const plainLine = (text: string): string =>
  text
    .replace(/^\d{4}-\d\d-\d\d: /, '')
    .replaceAll('`', '')
    .replace(/…$/, '')
    .trim();

/** The title of an item and the rest of its injected text, so that nothing is shown twice. */
function splitText({ title, text }: InjectedItem): { readonly title: string; readonly rest: string; readonly isInjectedText: boolean } {
  if (text === undefined) return { title, rest: '', isInjectedText: false };
  if (text.startsWith(`${title}: `)) return { title, rest: text.slice(title.length + 2), isInjectedText: false };
  return plainLine(text).startsWith(plainLine(title)) ? { title: text, rest: '', isInjectedText: true } : { title, rest: text, isInjectedText: false };
}

interface ItemProps {
  readonly project: string;
  readonly session: string;
  readonly item: InjectedItem;
  readonly verdicts: Verdicts | undefined;
}

function Item({ project, session, item, verdicts }: ItemProps) {
  const { kind, link } = kindOf(project, item);
  const most = Math.max(...item.reasons.map(pointsIn), 0.01);
  const { title, rest, isInjectedText } = splitText(item);
  return (
    <li class="given">
      <div class="line">
        <span class={`category ${kind[1]}`} title={item.id}>
          {kind[0]}
        </span>
        {item.score > 0 && <span class="score">{`score ${item.score.toFixed(2)}`}</span>}
        <span class="grow" />
        {!isDocument(item.id) && <Verdict project={project} id={item.id} session={session} verdicts={verdicts} />}
      </div>
      <div class={isInjectedText ? 'told' : 'title'}>
        {link === undefined ? (
          <Inline text={title} />
        ) : (
          <a href={link}>
            <Inline text={title} />
          </a>
        )}
      </div>
      {rest !== '' && (
        <p class="told">
          <Inline text={rest} />
        </p>
      )}
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
  readonly verdicts: Readonly<Record<string, Verdicts>>;
  /** The title of the session; absent inside the session itself. */
  readonly title?: string | undefined;
  readonly isInSession?: boolean;
  /** Whether a long block shows only its first items. */
  readonly isFolded?: boolean;
  readonly isChosen?: boolean;
}

/** The number of items that a folded block shows. */
const FEW = 3;

/** One injected block: when, why, how many tokens, and each item in it. */
export function InjectionBlock({ project, injection, title, verdicts, isInSession = false, isFolded = isInSession, isChosen = false }: BlockProps) {
  const { at, session, event, tokens, items } = injection;
  const [isOpen, setOpen] = useState(!isFolded || items.length <= FEW + 1);
  return (
    <article class={isChosen ? 'injection chosen' : 'injection'}>
      <header class="line">
        <span class={`event ${event}`}>{EVENTS[event] ?? event}</span>
        {isInSession ? (
          <span class="quiet">memory gave the agent {counted(items.length, 'item')}</span>
        ) : (
          <a href={linkTo(project, 'session', session)}>{title ?? `session ${shortSession(session)}`}</a>
        )}
        <span class="grow" />
        <span class="quiet">{counted(tokens, 'token')}</span>
        <Time at={at} />
      </header>
      <ul>
        {items.slice(0, isOpen ? undefined : FEW).map((item) => (
          <Item project={project} session={session} item={item} verdicts={verdicts[item.id]} />
        ))}
      </ul>
      {!isOpen && (
        <button type="button" class="link" onClick={() => setOpen(true)}>
          {counted(items.length - FEW, 'more item')}
        </button>
      )}
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
    ...(judged === 0 ? [] : [[`${Math.round((100 * useful) / judged)} %`, 'of the judged found useful'] as const]),
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

/** The injections of each session, when and why. */
export function InjectionsView({ project, session }: { readonly project: string; readonly session?: string }) {
  const { data, error } = useRead('injections', { project, ...(session !== undefined && { session }), limit: '1000' });
  const [chosen, setChosen] = useState(-1);
  const all = data?.injections ?? [];
  useKeys([
    { key: 'j', about: 'next block', run: () => setChosen(Math.min(chosen + 1, all.length - 1)) },
    { key: 'k', about: 'previous block', run: () => setChosen(Math.max(chosen - 1, 0)) },
  ]);
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Loading />;
  if (all.length === 0)
    return (
      <Empty title="Nothing was injected yet">
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
