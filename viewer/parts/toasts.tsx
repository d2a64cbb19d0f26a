import { toasts } from '../toasts.ts';

/** Shows results and refusals of actions for a few seconds. */
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
