import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TeamEdit, TeamRecord } from '../../src/edges/team/contract.ts';
import { focusBody } from '../focus-body.ts';
import { complain, say } from '../toasts.ts';
import { askTeam, projectPath, refresh } from './api.ts';
import { Changes } from './changes.tsx';
import { may, projects } from './me.ts';

interface EditorProps {
  readonly project: string;
  readonly record: TeamRecord;
  /** The text that the change begins with: the current one, or that of an earlier version. */
  readonly text: string;
  readonly close: () => void;
}

/** Edits a record: proposes the change to reviewers, or saves it at once if the member may. */
export function TeamEditor({ project, record, text, close }: EditorProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [mine, setMine] = useState(text);
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    focusBody(area.current);
  }, []);
  const wantsReview = projects.value.find(({ key }) => key === project)?.review === true;
  const save = async (propose: boolean): Promise<void> => {
    try {
      const result = await askTeam<TeamEdit>(projectPath(project, 'record'), { id: record.id, text: mine, hash: record.hash, propose });
      say(result.state === 'proposed' ? `Proposed as ${result.proposal}; another member accepts it.` : 'Saved. Every member gets it with their next sync.');
      close();
      refresh();
    } catch (cause) {
      complain(cause);
    }
  };
  return (
    <dialog
      ref={dialog}
      class="editor"
      aria-label={`Change ${record.title}`}
      onClose={close}
      onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && void save(true)}
    >
      <h2>Change “{record.title}”</h2>
      <textarea ref={area} aria-label="Text of the record" spellcheck={false} value={mine} onInput={(event) => setMine(event.currentTarget.value)} />
      {mine !== record.text && (
        <details>
          <summary>your changes</summary>
          <Changes before={record.text} after={mine} names={['the team has', 'yours']} />
        </details>
      )}
      <div class="buttons">
        <button type="button" class="primary" disabled={mine === record.text} onClick={() => void save(true)}>
          Propose <kbd>Ctrl ↵</kbd>
        </button>
        {(may('review') || !wantsReview) && (
          <button type="button" disabled={mine === record.text} onClick={() => void save(false)}>
            Save at once
          </button>
        )}
        <button type="button" onClick={close}>
          Cancel <kbd>Esc</kbd>
        </button>
      </div>
    </dialog>
  );
}
