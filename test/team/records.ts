import { sha256 } from '../../src/adapters/process/environment.ts';
import { plainCodec } from '../../src/app/sync/plain-codec.ts';
import type { OfferedVersion } from '../../src/core/ports/team/sync.ts';
import { renderRecordFile } from '../../src/render/record-file.ts';
import { sample } from '../core/sample.ts';

const codec = plainCodec(sha256);

/** A decision as a machine offers it. */
export function offeredRecord(
  title: string,
  path = `decisions/${title.toLowerCase().replaceAll(/\W+/g, '-').slice(0, 40)}.md`,
  base: string | null = null,
): OfferedVersion {
  const text = renderRecordFile(path, sample('decision', { title }));
  return { id: codec.idOf(path), hash: codec.hashOf(path, text), kind: 'text', base, body: codec.pack(path, text), ancestors: base === null ? [] : [base] };
}
