import { useEffect, useRef } from 'preact/hooks';
import { bindings, isHelpOpen } from '../keys.ts';

/** Every key of the view. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const close = (): void => void (isHelpOpen.value = false);
  return (
    <dialog ref={dialog} class="help" aria-label="Keys" onClose={close} onKeyDown={({ key }) => key === '?' && close()}>
      <h2>Keys</h2>
      <dl>
        {bindings().map(({ key, about }) => (
          <div>
            <dt>
              <kbd>{key === ' ' ? 'space' : key}</kbd>
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      <div class="buttons">
        <button type="button" onClick={close}>
          Close <kbd>Esc</kbd>
        </button>
      </div>
    </dialog>
  );
}
