import { catchUp } from '../../app/index/catch-up.ts';
import type { Memory } from '../../app/memory/memory.ts';
import { resolveItem } from '../../app/read/resolve.ts';
import { saveRecord } from '../../app/write/save.ts';
import type { Written } from '../../app/write/written.ts';
import type { FileRef } from '../../core/ports/store.ts';
import type { Category } from '../../core/record/category.ts';
import { draftFromText } from '../../core/record/from-text.ts';
import { redact } from '../../core/redact/text.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { trustFrom } from '../../core/trust/trust.ts';
import type { LibraryProject } from './host.ts';
import type { SaveOptions } from './memory.ts';

const CONFIRMED = 0.9;
const OBSERVED = 0.8;

/** The file of the record or document that a name stands for. */
export async function filePlaceOf(memory: Memory, id: string): Promise<Result<FileRef>> {
  await catchUp(memory);
  const item = await resolveItem(memory, id);
  return item.ok ? ok({ root: item.value.root, path: item.value.path }) : item;
}

/** Keeps what a person would type behind `holdfast save CATEGORY`. */
export async function saveText(
  memory: Memory,
  openUser: LibraryProject['openUser'],
  category: Category,
  text: string,
  options: SaveOptions,
): Promise<Result<Written>> {
  const { title, tags = [], files = [], trust = trustFrom('person'), sessionId, content } = options;
  if (text.trim() === '' && content === undefined) return refuse('USAGE_ERROR', 'save needs a text or a content');
  const scope = options.scope ?? memory.config.get('storage.root');
  const user = scope === 'user' ? openUser() : undefined;
  const target = user?.memory ?? memory;
  if (!target.store.roots.includes(scope)) return refuse('USAGE_ERROR', `this memory has no ${scope} root`);
  const draft = {
    // Redact before splitting into title and steps: half a secret is not recognised.
    ...draftFromText(category, redact(text).text, title, files[0]),
    ...(content && { content }),
    tags: [...tags],
    related_files: [...files],
    trust,
    confidence: trust === 'confirmed' ? CONFIRMED : OBSERVED,
    origin: { channel: 'agent', ...(sessionId !== undefined && { session_id: sessionId }) },
  };
  try {
    return await saveRecord(target, { actor: 'library', category, draft, root: scope });
  } finally {
    await user?.close();
  }
}
