import type { VersionCodec } from '../../core/ports/team/sync.ts';
import { ok, refuse } from '../../core/result.ts';
import { isObject } from '../../core/value.ts';

/** SHA-256 of a text's UTF-8 bytes, in lower-case hex. */
export type Sha256 = (text: string) => string;

/** Versions of team records: in plain text, so that the server can check and search them. */
export const plainCodec = (sha256: Sha256): VersionCodec => ({
  idOf: (path) => sha256(`record ${path}`),
  hashOf: (_path, text) => sha256(text),
  removalOf: (id, kind, last) => sha256(`${kind} ${id} ${last ?? ''}`),
  pack: (path, text) => JSON.stringify({ path, text }),
  unpack: (body) => {
    try {
      const value: unknown = JSON.parse(body);
      if (isObject(value) && typeof value['path'] === 'string' && typeof value['text'] === 'string') return ok({ path: value['path'], text: value['text'] });
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
    }
    return refuse('VALIDATION_ERROR', 'A version from the server has no readable text.');
  },
});
