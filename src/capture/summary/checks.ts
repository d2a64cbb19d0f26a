/** What a run of tests, linter, type checker or build said last. */
export interface Check {
  readonly kind: 'tests' | 'lint' | 'types' | 'build';
  readonly passed: boolean;
  readonly count?: number;
}

const KINDS: readonly (readonly [Check['kind'], RegExp])[] = [
  ['types', /\b(?:typecheck|type-check|tsc|pyright|mypy|ty check|flow check|cargo check)\b/],
  ['lint', /\b(?:lint|eslint|oxlint|biome|ruff|clippy|golangci|flake8|rubocop)\b/],
  ['tests', /\b(?:tests?|vitest|jest|pytest|mocha|rspec|ctest|phpunit|playwright)\b/],
  ['build', /\b(?:build|compile|webpack|esbuild|make)\b/],
];

/** The last count of its kind: the totals come at the end. */
const numberBefore = (word: string, text: string): number | undefined => {
  const found = [...text.matchAll(new RegExp(String.raw`(\d+)\s+${word}\b`, 'gi'))].at(-1)?.[1];
  return found === undefined ? undefined : Number(found);
};

export function checkFrom(command: string, answer: string, failed: boolean): Check | undefined {
  const run = command.replace(/<<[\s\S]*$/, '').replace(/"[^"]*"|'[^']*'/g, '');
  if (/\bgit\b|^\s*(?:cat|ls|grep|rg|find|sed|head|tail|echo|wc)\b/.test(run)) return undefined;
  const kind = KINDS.find(([, pattern]) => pattern.test(run))?.[0];
  if (kind === undefined) return undefined;
  const wrong = numberBefore('(?:tests? )?fail(?:ed|ures?|ing)?', answer);
  const right = numberBefore('(?:tests? )?pass(?:ed|ing)?', answer);
  // A pipe hides the exit code: the words decide where there are any.
  const broke =
    wrong === undefined
      ? failed || /exited with code [1-9]|error TS\d+|Found [1-9]\d* errors?\b|command not found|unrecognized subcommand/.test(answer)
      : wrong > 0;
  if (/unrecognized subcommand|command not found/.test(answer)) return undefined;
  return { kind, passed: !broke, ...(kind === 'tests' && right !== undefined ? { count: right } : {}) };
}
