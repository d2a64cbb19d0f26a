/** What the store's structure allows, and what a drafter wants; the first has the last word. */
export type Structural = 'CREATE' | 'UPDATE' | 'UPDATE_OR_DELETE' | 'NOOP' | 'VETO';
export type Action = 'CREATE' | 'UPDATE' | 'DELETE' | 'NOOP';

const TABLE: Readonly<Record<Exclude<Structural, 'NOOP' | 'VETO'>, Readonly<Record<Action, Action>>>> = {
  CREATE: { CREATE: 'CREATE', UPDATE: 'CREATE', DELETE: 'NOOP', NOOP: 'NOOP' },
  UPDATE_OR_DELETE: { CREATE: 'CREATE', UPDATE: 'UPDATE', DELETE: 'DELETE', NOOP: 'NOOP' },
  UPDATE: { CREATE: 'CREATE', UPDATE: 'UPDATE', DELETE: 'UPDATE', NOOP: 'NOOP' },
};

export interface CudQuestion {
  readonly structural: Structural;
  readonly wish: Action;
  readonly preAction?: 'CREATE' | 'NOOP' | null;
  readonly vetoes?: readonly string[];
}

/** The mechanical result beats the drafter's; a veto or NOOP is final. */
export function resolveCud({ structural, wish, preAction, vetoes = [] }: CudQuestion): Action {
  if (vetoes.length > 0 || structural === 'VETO' || structural === 'NOOP' || preAction === 'NOOP') return 'NOOP';
  return TABLE[structural][wish];
}
