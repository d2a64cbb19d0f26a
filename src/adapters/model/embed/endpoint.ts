import type { RetryPolicy } from '../http/json.ts';

export interface EmbedEndpoint {
  /** Empty means the provider's own address. */
  readonly endpoint: string;
  readonly model: string;
  readonly key?: string | undefined;
  readonly patience: RetryPolicy;
}
