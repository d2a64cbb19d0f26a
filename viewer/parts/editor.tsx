import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { EditConflict } from '../../src/edges/http/contract.ts';
import { act } from '../api.ts';
import { focusBody } from '../focus-body.ts';
import { Refusal } from '../refusal.ts';
import { checkForChanges, remember } from '../state.ts';
import { complain } from '../toasts.ts';
import { Diff } from './texts.tsx';

interface EditorProps {
  readonly project: string;
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly hash: string;
  readonly waits: boolean;
  readonly close: () => void;
}

/** Edits the file of a record. Shows a change on the disk meanwhile, and never overwrites it. */
export function Editor({ project, id, title, text, hash, waits, close }: EditorProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [mine, setMine] = useState(text);
  const [base, setBase] = useState(hash);
  const [conflict, setConflict] = useState<EditConflict | undefined>(undefined);
  const area = useRef<HTMLTextAreaElement>(null);
  // In a layout effect, so that the dialog is open before the next key.
  useLayoutEffect(() => {
    dialog.current?.showModal();
    focusBody(area.current);
  }, []);
  const save = async (): Promise<void> => {
    try {
      remember(project, await act('edit', { project, id, text: mine, hash: base }));
      close();
      await checkForChanges();
    } catch (cause) {
      if (cause instanceof Refusal && cause.answer.conflict) setConflict(cause.answer.conflict);
      else complain(cause);
    }
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
  };
  return (
    <dialog ref={dialog} class="editor" aria-label={`Edit ${title}`} onClose={close} onKeyDown={keys}>
      <h2>Edit “{title}”</h2>
      {conflict && (
        <div class="conflict" role="alert">
          <p>The file was changed meanwhile. This is how yours differs from what is there now:</p>
          <Diff text={conflict.diff} />
          <div class="buttons">
            <button type="button" onClick={() => (setMine(conflict.text), setBase(conflict.hash), setConflict(undefined))}>
              Start again from the file
            </button>
            <button type="button" onClick={() => (setBase(conflict.hash), setConflict(undefined))}>
              Keep mine, and save it next
            </button>
          </div>
        </div>
      )}
      <textarea ref={area} aria-label="Text of the record" spellcheck={false} value={mine} onInput={(event) => setMine(event.currentTarget.value)} />
      <div class="buttons">
        <button type="button" class="primary" onClick={() => void save()}>
          {waits ? 'Save and accept' : 'Save'} <kbd>Ctrl ↵</kbd>
        </button>
        <button type="button" onClick={close}>
          Cancel <kbd>Esc</kbd>
        </button>
      </div>
    </dialog>
  );
}
