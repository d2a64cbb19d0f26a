import type { Verdicts } from '../../src/edges/http/contract.ts';
import { perform } from '../state.ts';

interface VerdictProps {
  readonly project: string;
  readonly id: string;
  readonly verdicts: Verdicts | undefined;
  readonly session?: string;
}

const VERDICTS = [
  ['useful', 'M5 17l7 7L27 8'],
  ['wrong', 'M8 8l16 16M24 8 8 24'],
  ['outdated', 'M26 10a11 11 0 1 0 1 8M27 4v7h-7'],
] as const;

/** Buttons to judge an injected record, each with the number of its verdicts. */
export const Verdict = ({ project, id, verdicts, session }: VerdictProps) => (
  <span class="verdict">
    {VERDICTS.map(([verdict, icon]) => (
      <button
        type="button"
        class={verdict}
        aria-label={`${verdict}: ${id}`}
        title={verdict}
        onClick={() => void perform('feedback', { project, id, verdict, ...(session !== undefined && { session }) })}
      >
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d={icon} />
        </svg>{' '}
        {verdict}
        {(verdicts?.[verdict] ?? 0) > 0 && <b>{verdicts?.[verdict]}</b>}
      </button>
    ))}
  </span>
);
