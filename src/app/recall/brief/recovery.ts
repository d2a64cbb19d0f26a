import { hasConflictMarkers } from '../../../core/record/conflict-markers.ts';
import { utcSeconds } from '../../../core/instant.ts';
import { originLabel } from '../../../recall/inject/entry.ts';
import { cut, plain } from '../../../recall/inject/plain.ts';
import type { Memory } from '../../memory/memory.ts';
import { redacted } from '../../read/redacted.ts';
import type { RecallContext } from '../recall-context.ts';
import { originOf, recordName } from '../entry.ts';
import type { BriefItem } from './items.ts';

const MAX_RECENT = 12;
const MAX_SHOWN = 8;
const MAX_FILES = 10;
const MAX_WORKSPACE_LINES = 8;
const LINE_LENGTH = 160;

/** Names and titles of the newest records and documents. */
export function indexItems(memory: Memory): readonly BriefItem[] {
  return memory.index
    .recent({ status: 'active' }, MAX_RECENT * 2)
    .filter(({ trust }) => trust !== 'quarantined')
    .slice(0, MAX_RECENT)
    .map((item, at) => ({
      line: {
        id: recordName(item),
        section: '## Memory index, newest first',
        rank: 12 + 2 * at,
        forms: [
          `- ${plain(recordName(item))} (${originLabel(originOf(item.root).from)}${item.updatedAt.slice(0, 10)}): ${cut(plain(item.title), LINE_LENGTH)}`,
        ],
      },
      title: item.title,
      updatedAt: item.updatedAt,
      reason: 'among the newest of the index',
    }));
}

/** Lines of the workspace map that name this project; with `near`, only those on relationships and initiatives. */
export async function workspaceItems(memory: Memory, recallContext: RecallContext, which: 'all' | 'near'): Promise<readonly BriefItem[]> {
  const text = await recallContext.workspace().then((mapText) => (mapText === undefined || hasConflictMarkers(mapText) ? undefined : redacted(mapText)));
  if (text === undefined) return [];
  const sections = text.split(/^## /m).filter((section) => which === 'all' || /^(?:Relationships|Current Init)/.test(section));
  // The whole name: a key is often part of another name.
  const name = new RegExp(String.raw`(?<![\w-])${memory.key.replaceAll('.', String.raw`\.`)}(?![\w-])`, 'i');
  return sections
    .join('\n')
    .split(/\r?\n/)
    .filter((line) => name.test(line) || line.includes(memory.projectPath ?? memory.key))
    .slice(0, MAX_WORKSPACE_LINES)
    .map((line, at) => ({
      line: {
        id: `workspace:${at + 1}`,
        section: '## Workspace',
        rank: 30 + at,
        forms: [`- ${cut(plain(line.replace(/^\s*(?:[-*#|]+)\s*/, '').replace(/[\s|]+$/, '')), LINE_LENGTH)}`],
      },
      title: 'workspace.md',
      updatedAt: '',
      reason: 'names this project',
    }));
}

/** The open work of this session: its last request, its files, and the records it was shown. */
export async function openWorkItems(memory: Memory, recallContext: RecallContext, session: string): Promise<readonly BriefItem[]> {
  const work = await recallContext.workOf?.(session);
  const isActive = (id: string): boolean =>
    memory.index.byId(id.slice(id.indexOf('/') + 1)).some((item) => recordName(item) === id && item.status === 'active');
  const shown: { readonly id: string; readonly title: string }[] = [];
  for (const [id, one] of new Map(recallContext.log.injections(session, 200).flatMap(({ items }) => items.map((item) => [item.id, item] as const))))
    if (shown.length < MAX_SHOWN && isActive(id)) shown.push(one);
  const openItems = [
    ...(work?.asked === undefined ? [] : [{ id: 'session:asked', text: `Last asked: ${cut(plain(work.asked), LINE_LENGTH * 2)}` }]),
    ...(work && work.files.length > 0
      ? [
          {
            id: 'session:files',
            text: `Files: ${work.files
              .slice(0, MAX_FILES)
              .map((file) => cut(plain(file), 80))
              .join(', ')}`,
          },
        ]
      : []),
    ...shown.map(({ id, title }) => ({ id, text: `Shown before: ${plain(id)}: ${cut(plain(title), LINE_LENGTH)}` })),
  ];
  return openItems.map(({ id, text }, at) => ({
    line: { id, section: '## This session', rank: 4 + at, forms: [`- ${text}`] },
    title: text,
    updatedAt: utcSeconds(memory.now()),
    reason: 'this session had it open',
  }));
}
