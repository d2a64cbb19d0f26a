/** Redaction: what must never reach disk, taken out of texts and of structured values. */
export type { DeeplyRedacted, FieldRedaction } from './deep.ts';
export { redactDeep } from './deep.ts';
export type { LowBytes } from './scan.ts';
export type { Redaction } from './span.ts';
export type { Redacted } from './text.ts';
export { redact } from './text.ts';
