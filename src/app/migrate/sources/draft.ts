import { utcSeconds } from '../../../core/instant.ts';
import { titleOf } from '../../../core/record/from-text.ts';
import { trustFrom } from '../../../core/trust/trust.ts';
import type { Draft } from '../../../core/record/draft.ts';
import type { SourceKind } from '../source.ts';

export interface Taken {
  readonly kind: SourceKind;
  readonly title: string;
  readonly at: number;
  readonly tags: readonly string[];
  readonly content: object;
  readonly files?: readonly string[];
  readonly sessionId?: string;
}

/** An entry of another memory as an unconfirmed draft. */
export const draftOf = ({ kind, title, at, tags, content, files = [], sessionId }: Taken): Draft => ({
  title: titleOf(title.replaceAll(/\s+/g, ' ').trim() || 'Untitled'),
  created_at: utcSeconds(at),
  updated_at: utcSeconds(at),
  tags: [kind, ...tags],
  related_files: [...new Set(files)],
  confidence: 0.7,
  trust: trustFrom('migration'),
  origin: { channel: 'migration', client: kind, ...(sessionId !== undefined && { session_id: sessionId }) },
  content,
});
