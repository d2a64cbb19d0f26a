import { sameValue } from '../../core/value.ts';
import type { MemoryRecord } from '../../core/record/schema.ts';
import { writeFrontMatter } from '../front-matter/write.ts';
import type { MarkdownLayout } from './layout.ts';
import { parseMarkdown } from './parse.ts';
import { frontMatterOf, newBody } from './body-parts.ts';
import { rewrites } from './rewrite.ts';

/** The Markdown file of a record; with the layout of the file it came from, only what changed is written anew. */
export function renderMarkdown(record: MemoryRecord, layout?: MarkdownLayout): string {
  const plain = JSON.parse(JSON.stringify(record)) as MemoryRecord;
  if (layout && sameValue(layout.record, plain)) return layout.source;
  const texts = layout?.record.category === plain.category ? rewrites(plain, layout) : files(plain);
  // Nothing is handed out that does not read back as the record.
  for (let next = texts.next(); !next.done;) {
    const parsed = parseMarkdown(next.value, { category: plain.category, id: plain.id, time: plain.updated_at });
    const back = parsed.ok ? parsed.value.record : undefined;
    if (sameValue(back, plain)) return next.value;
    next = texts.next(back);
  }
  throw new Error(`record ${record.id} cannot be written as Markdown: it is not a valid ${record.category}`);
}

/** New files of a record, the more readable one first. */
function* files(record: MemoryRecord): Generator<string, void, MemoryRecord | undefined> {
  for (const careful of [false, true]) {
    const { text, inBody, exact } = newBody(record, careful);
    yield `---\n${writeFrontMatter([...frontMatterOf(record, inBody, exact)])}---\n${text}`;
  }
}
