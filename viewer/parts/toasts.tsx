import { toasts } from '../toasts.ts';

/** Shows for a few seconds what was done, or why it was refused. */
export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.map(({ id, text, hint, isError, undo }) => (
      <div key={id} class={isError ? 'toast error' : 'toast'}>
        <span>
          {text}
          {hint !== undefined && <small>{hint}</small>}
        </span>
        {undo && (
          <button type="button" onClick={undo}>
            Undo <kbd>u</kbd>
          </button>
        )}
      </div>
    ))}
  </div>
);
