import type { Verdicts } from '../../src/edges/http/contract.ts';
import { perform } from '../state.ts';

interface VerdictProps {
  readonly project: string;
  readonly id: string;
  readonly verdicts: Verdicts | undefined;
  readonly session?: string;
}

const WORDS = [
  ['useful', '✓'],
  ['wrong', '✗'],
  ['outdated', '↻'],
] as const;

/** Buttons that say whether an injected record helped; the number beside each is how often it was said. */
export const Verdict = ({ project, id, verdicts, session }: VerdictProps) => (
  <span class="verdict">
    {WORDS.map(([verdict, mark]) => (
      <button
        type="button"
        class={verdict}
        aria-label={`${verdict}: ${id}`}
        title={verdict}
        onClick={() => void perform('feedback', { project, id, verdict, ...(session !== undefined && { session }) })}
      >
        <span aria-hidden="true">{mark}</span> {verdict}
        {(verdicts?.[verdict] ?? 0) > 0 && <b>{verdicts?.[verdict]}</b>}
      </button>
    ))}
  </span>
);
