import type * as z from 'zod/mini';
import type { TeamCaller, TeamMeans } from '../../app/team/access.ts';
import type { TeamSearchTransaction } from '../../app/team/search.ts';
import type { TokenScope } from '../../core/ports/team/store.ts';
import type { Result } from '../../core/result.ts';

/** One request, inside a transaction of the caller's organisation. */
export interface OperationCall {
  readonly transaction: TeamSearchTransaction;
  readonly caller: TeamCaller;
  readonly means: TeamMeans;
  /** Checked against the operation's schemas. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

export interface ApiOperation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As in OpenAPI: `{name}` stands for a parameter. */
  readonly path: string;
  readonly about: string;
  readonly scope: TokenScope;
  readonly params?: Readonly<Record<string, z.ZodMiniType>>;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  readonly answer: z.ZodMiniType;
  run(call: OperationCall): Promise<Result<object>>;
}
