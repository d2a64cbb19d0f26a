import { sha256 } from '../../src/adapters/process/environment.ts';
import { plainCodec } from '../../src/app/sync/plain-codec.ts';
import type { OfferedVersion } from '../../src/core/ports/team/sync.ts';
import { renderRecordFile } from '../../src/render/record-file.ts';
import { sample } from '../core/sample.ts';

const codec = plainCodec(sha256);

/** The name that a title gives a record; a title of marks alone gives none. */
const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, '') || 'sample';

/** A decision as a machine offers it. */
export function offeredRecord(title: string, path = `decisions/${slugOf(title)}.md`, base: string | null = null): OfferedVersion {
  const text = renderRecordFile(path, sample('decision', { id: /([a-z0-9-]+)\.md$/.exec(path)?.[1] ?? 'sample', title }));
  return { id: codec.idOf(path), hash: codec.hashOf(path, text), kind: 'text', base, body: codec.pack(path, text), ancestors: base === null ? [] : [base] };
}
