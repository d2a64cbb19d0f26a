import { utcSeconds } from '../../core/instant.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { documentText } from '../documents/read.ts';
import { writeDocument, type WrittenDocument } from '../documents/write.ts';
import { unifiedDiff } from '../history/log.ts';
import type { Memory } from '../memory/memory.ts';
import { summariesOf } from '../recall/master.ts';
import type { Author } from '../write/transaction.ts';
import { SECTION_HEADINGS } from './master-text.ts';
import { masterPlace } from './synthesize.ts';

const FOOTER = /\n+---\s*\n(?:\s*\*[^\n]*\*\s*\n?)*\s*$/;
const SOURCE = /^\*Source: .*\*$/m;

/** Brings a synthesis by an agent or a person into the form of master.md: checks its headings and writes the last lines with date and sources. */
function masterFrom(memory: Memory, text: string, old: string): Result<string> {
  const body = `${text.trim()}\n`.replace(FOOTER, '\n').trim();
  const missing = SECTION_HEADINGS.filter((heading) => !new RegExp(String.raw`^${heading}\s*$`, 'm').test(body));
  if (!/^# \S/.test(body))
    return refuse('INPUT_ERROR', 'A synthesis begins with "# Project Memory".', { hint: 'holdfast synthesize --dry-run shows the form' });
  if (missing.length > 0) return refuse('INPUT_ERROR', `The synthesis lacks ${missing.join(', ')}.`, { hint: 'holdfast synthesize --dry-run shows the form' });
  const limit = memory.config.get('synthesis.maxChars');
  if (body.length > limit) return refuse('INPUT_ERROR', `The synthesis has ${body.length} characters; synthesis.maxChars is ${limit}.`, { hint: 'shorten it' });
  const sources = SOURCE.exec(old)?.[0] ?? `*Source: ${summariesOf(memory).length} conversations, 0 docs*`;
  return ok(`${body}\n\n---\n\n*Last synthesized: ${utcSeconds(memory.now()).slice(0, 10)}*\n${sources}\n`);
}

/** The new master.md and a diff, to show before the user agrees. */
export async function plannedMaster(memory: Memory, text: string): Promise<Result<{ readonly text: string; readonly diff: string }>> {
  const place = masterPlace(memory);
  const old = await documentText(memory, place);
  const next = masterFrom(memory, text, old);
  return next.ok ? ok({ text: next.value, diff: unifiedDiff(old, next.value, `a/${place.path}`, `b/${place.path}`) }) : next;
}

/** Writes an approved text to master.md; undo restores the earlier text. */
export async function adoptMaster(memory: Memory, text: string, author: Author): Promise<Result<WrittenDocument>> {
  const planned = await plannedMaster(memory, text);
  if (!planned.ok) return planned;
  return writeDocument(memory, { place: masterPlace(memory), edit: () => ok(planned.value.text), reason: 'approved synthesis', ...author });
}
