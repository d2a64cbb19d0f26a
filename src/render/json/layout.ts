import type { MemoryRecord } from '../../core/record/schema.ts';

/** A JSON record file as it was read. */
export interface JsonLayout {
  readonly form: 'json';
  readonly source: string;
  readonly record: MemoryRecord;
  /** The object as it stands in the file, with keys that are no field's. */
  readonly object: Readonly<Record<string, unknown>>;
}
