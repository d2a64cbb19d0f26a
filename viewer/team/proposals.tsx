import { useEffect, useRef, useState } from 'preact/hooks';
import type { TeamProposal, TeamProposals } from '../../src/edges/team/contract.ts';
import { useKeys } from '../keys.ts';
import { Empty, Loading, Time, ErrorNote } from '../parts/marks.tsx';
import { bodyOfFile, RecordText } from '../parts/texts.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { replaceQuery, route } from '../route.ts';
import { counted } from '../shown.ts';
import { complain, say } from '../toasts.ts';
import { askTeam, projectPath, refresh, useTeam } from './api.ts';
import { Changes } from './changes.tsx';
import { may, me } from './me.ts';

const STATES = ['open', 'accepted', 'rejected'] as const;
type Verdict = 'accept' | 'reject';

const titleOf = ({ text, before, path }: TeamProposal): string => /^# (.+)$/m.exec(text ?? before ?? '')?.[1] ?? path ?? 'a removed record';
const kindOf = ({ kind, before }: TeamProposal): string => (kind !== 'text' ? 'removal' : before === undefined ? 'new' : 'change');

interface DecideProps {
  readonly project: string;
  readonly proposal: TeamProposal;
  readonly verdict: Verdict;
  readonly close: () => void;
}

/** Asks for a reason, which is shown to the author; a rejection needs one. */
function Decide({ project, proposal, verdict, close }: DecideProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [reason, setReason] = useState('');
  useEffect(() => dialog.current?.showModal(), []);
  const isReady = verdict === 'accept' || reason.trim() !== '';
  const send = async (): Promise<void> => {
    if (!isReady) return;
    try {
      await askTeam(projectPath(project, `proposals/${proposal.number}/${verdict}`), { reason: reason.trim() });
      say(verdict === 'accept' ? `Accepted “${titleOf(proposal)}”. Every member gets it with their next sync.` : `Rejected “${titleOf(proposal)}”.`);
      close();
      refresh();
    } catch (cause) {
      complain(cause);
    }
  };
  return (
    <dialog
      ref={dialog}
      class="help"
      aria-label={`${verdict} proposal ${proposal.number}`}
      onClose={close}
      onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && void send()}
    >
      <h2>
        {verdict === 'accept' ? 'Accept' : 'Reject'} “{titleOf(proposal)}”
      </h2>
      <label>
        {verdict === 'accept' ? `Comment for ${proposal.author} (optional)` : `Reason, shown to ${proposal.author}`}
        <textarea aria-label="Reason" maxLength={2000} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      <div class="buttons">
        <button type="button" class="primary" disabled={!isReady} onClick={() => void send()}>
          {verdict === 'accept' ? 'Accept' : 'Reject'} <kbd>Ctrl ↵</kbd>
        </button>
        <button type="button" onClick={close}>
          Cancel <kbd>Esc</kbd>
        </button>
      </div>
    </dialog>
  );
}

/** A change as a diff; a new record, or one to be removed, as its text. */
function Proposed({ proposal }: { readonly proposal: TeamProposal }) {
  const changes = <Changes before={proposal.before ?? ''} after={proposal.text ?? ''} names={['the team has', 'proposed']} />;
  if (kindOf(proposal) === 'change') return changes;
  return (
    <>
      {proposal.kind !== 'text' && <p class="offline">The record is to be removed{proposal.kind === 'forgotten' && ', with every earlier version'}.</p>}
      <article class="paper">
        <RecordText body={bodyOfFile(proposal.text ?? proposal.before ?? '')} />
      </article>
      <details>
        <summary>the whole file</summary>
        {changes}
      </details>
    </>
  );
}

function Detail({ proposal, decide }: { readonly proposal: TeamProposal; readonly decide: (verdict: Verdict) => void }) {
  const isOwn = proposal.author === me.value?.member.member;
  return (
    <section class="detail" aria-label={titleOf(proposal)}>
      <header class="head">
        <div class="line">
          <span class="badge">{kindOf(proposal)}</span>
          <code>{proposal.path}</code>
        </div>
        <h2>{titleOf(proposal)}</h2>
        <p class="quiet">
          Proposal {proposal.number} by {proposal.author} <Time at={proposal.at} />
          {proposal.state !== 'open' && `, ${proposal.state} by ${proposal.reviewer}`}
        </p>
        {proposal.reason !== undefined && proposal.reason !== '' && <blockquote>{proposal.reason}</blockquote>}
        {proposal.state === 'open' && may('review') && (
          <div class="buttons">
            {!isOwn && (
              <button type="button" class="primary" onClick={() => decide('accept')}>
                Accept <kbd>a</kbd>
              </button>
            )}
            <button type="button" onClick={() => decide('reject')}>
              Reject <kbd>r</kbd>
            </button>
          </div>
        )}
        {proposal.state === 'open' && isOwn && <p class="quiet">Another member has to accept what you proposed.</p>}
      </header>
      <Proposed proposal={proposal} />
    </section>
  );
}

/** The proposals of members, for a reviewer to accept, or to reject with a reason. */
export function ProposalsView({ project }: { readonly project: string }) {
  const state = STATES.find((name) => name === route.value.query.get('state')) ?? 'open';
  const { data, error, path } = useTeam<TeamProposals>(projectPath(project, 'proposals', { state }));
  const [chosen, setChosen] = useState(0);
  const [verdict, setVerdict] = useState<Verdict | undefined>(undefined);
  const rows = data?.proposals ?? [];
  const at = Math.min(chosen, Math.max(0, rows.length - 1));
  const proposal = rows[at];
  const decide = (choice: Verdict): void => {
    if (proposal?.state !== 'open' || !may('review')) return;
    if (choice === 'accept' && proposal.author === me.value?.member.member) return say('Another member has to accept what you proposed.', { isError: true });
    setVerdict(choice);
  };
  useKeys([
    { key: 'j', about: 'next proposal', run: () => setChosen(Math.min(at + 1, rows.length - 1)) },
    { key: 'k', about: 'previous proposal', run: () => setChosen(Math.max(at - 1, 0)) },
    { key: 'a', about: 'accept the proposal', run: () => decide('accept') },
    { key: 'r', about: 'reject the proposal', run: () => decide('reject') },
  ]);
  if (error) return <ErrorNote error={error} />;
  if (!data || path === undefined) return <Loading />;
  const filter = (
    <select
      aria-label="State"
      value={state}
      onChange={(event) => {
        setChosen(0);
        replaceQuery({ state: event.currentTarget.value === 'open' ? undefined : event.currentTarget.value });
      }}
    >
      {STATES.map((one) => (
        <option>{one}</option>
      ))}
    </select>
  );
  return (
    <div class={proposal ? 'view split' : 'view'}>
      <div class="list">
        <header class="head">
          <h1>Proposals</h1>
          <p class="line">
            {filter} <span class="quiet">{counted(rows.length, 'proposal')}</span>
          </p>
        </header>
        {!proposal && (
          <Empty title={state === 'open' ? 'Nothing waits for review' : `No proposal was ${state} yet`}>
            <p>
              A member proposes a change with <code>holdfast sync --propose</code>, or on the page of a record. In a project with review, all changes by writers
              wait here.
            </p>
          </Empty>
        )}
        {proposal && (
          <VirtualList
            count={rows.length}
            height={64}
            label="Proposals"
            chosen={at}
            row={(index) => {
              const one = rows[index];
              return (
                one && (
                  <button type="button" class={`row choice${index === at ? ' chosen' : ''}`} aria-pressed={index === at} onClick={() => setChosen(index)}>
                    <span class="line">
                      <span class="badge">{kindOf(one)}</span>
                      <span>{one.author}</span>
                      <span class="grow" />
                      <Time at={one.at} />
                    </span>
                    <strong>{titleOf(one)}</strong>
                  </button>
                )
              );
            }}
          />
        )}
      </div>
      {proposal && <Detail key={proposal.number} proposal={proposal} decide={decide} />}
      {proposal && verdict !== undefined && <Decide project={project} proposal={proposal} verdict={verdict} close={() => setVerdict(undefined)} />}
    </div>
  );
}
