import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** The modules that write records for a caller; every door imports one of them. */
const WRITER = [/^src\/app\/write\/(?:create|update|status|save|share|gc|edit|window|supersede|transaction)\.ts$/, /^src\/app\/episodes\/save-summary\.ts$/];

/** On what word a door changes memory. A new door has to find its row, and a row here is a promise that its tests keep. */
const DOORS: Readonly<Record<string, 'four phases' | 'asked' | 'command' | 'report' | 'quarantine' | 'room' | 'documents'>> = {
  // Triage, draft, verify and save: the only way in which a record is written automatically.
  'src/app/drafting/save.ts': 'four phases',
  'src/app/drafting/extract.ts': 'four phases',
  // Retires what the rules drafted when a session takes it back.
  'src/app/drafting/take-back.ts': 'four phases',
  // The agent, with the user's words in its hand.
  'src/edges/mcp/tools/write.ts': 'asked',
  'src/app/drafting/service.ts': 'asked',
  // A person typed it, or their program called it.
  'src/edges/cli/commands/remember/edit.ts': 'command',
  'src/app/write/forget.ts': 'command',
  'src/edges/cli/commands/remember/gc.ts': 'command',
  'src/edges/cli/commands/remember/status-commands.ts': 'command',
  'src/edges/cli/commands/remember/save.ts': 'command',
  'src/edges/cli/commands/remember/share.ts': 'command',
  'src/edges/cli/commands/conversations/summarize.ts': 'command',
  'src/app/episodes/summarize-all.ts': 'command',
  'src/edges/cli/commands/scripts/write.ts': 'command',
  'src/app/bundle/merge.ts': 'command',
  'src/app/write/merge-conflicts.ts': 'command',
  'src/app/commits/import-history.ts': 'command',
  'src/app/history/undo.ts': 'command',
  'src/app/inbox/review.ts': 'command',
  'src/app/migrate/migrate.ts': 'command',
  // What others changed comes in when a person, or an agent at their word, runs sync; trust is that of a repository's records.
  'src/app/sync/take.ts': 'command',
  // A person pressed it on the web page.
  'src/app/page/acts.ts': 'command',
  'src/app/recall/feedback.ts': 'command',
  'src/app/reports/consolidate.ts': 'command',
  'src/edges/library/open-memory.ts': 'command',
  // A subagent's own report, word for word: a category of its own, which no draft is made of.
  'src/app/reports/save-report.ts': 'report',
  // Takes a record that an agent's shell wrote out of use until its user confirms it.
  'src/app/guard/after-write.ts': 'quarantine',
  'src/app/guard/shell-writes.ts': 'quarantine',
  // Archives what was kept automatically when a category is full; part of the save that needs the room.
  'src/app/write/make-room.ts': 'room',
  // Documents, indexes and the user's profile: no records.
  'src/app/documents/write.ts': 'documents',
  'src/app/memory-files/memory-file.ts': 'documents',
  'src/app/profile/forget.ts': 'documents',
  'src/app/profile/learn.ts': 'documents',
  'src/app/profile/portable.ts': 'documents',
  'src/app/read/rebuild.ts': 'documents',
  'src/app/work/breadcrumb.ts': 'documents',
  'src/app/work/begin.ts': 'documents',
  'src/app/work/work.ts': 'documents',
  'src/app/views/repair.ts': 'documents',
  // Skills of the project, and which of them were dismissed: a person said so, and no record changes.
  'src/app/skills/dismissed.ts': 'documents',
  'src/app/skills/promote.ts': 'documents',
  // Hands a write on and looks at which files it was.
};

interface Source {
  readonly text: string;
  /** Files of the project that it imports for more than their types. */
  readonly uses: readonly string[];
}

const sourceFiles = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => `src/${file.replaceAll('\\', '/')}`);

const sources = new Map<string, Source>(
  sourceFiles.map((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const uses = parseSync(file, text).program.body.flatMap((node) => {
      const isUse =
        (node.type === 'ImportDeclaration' &&
          node.importKind !== 'type' &&
          !node.specifiers.every((one) => 'importKind' in one && one.importKind === 'type')) ||
        ((node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration') && node.source !== null && node.exportKind !== 'type');
      const from = isUse ? node.source?.value : undefined;
      return from?.startsWith('.') === true ? [path.posix.join(path.posix.dirname(file), from)] : [];
    });
    return [file, { text, uses }];
  }),
);

/** The drafting service changes records for its callers. */
const BY_DRAFTING = /\bdrafting\(\)\s*\)\s*\.(?:update|move)\(/;

/** What a file loads while it runs. */
const loadedLater = (file: string, text: string): readonly string[] =>
  [...text.matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, from = '']) => path.posix.join(path.posix.dirname(file), from));

const isWriter = (file: string): boolean => WRITER.some((shape) => shape.test(file));

const reached = (from: string): ReadonlySet<string> => {
  const seen = new Set<string>();
  const open = [from];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    open.push(...(sources.get(file)?.uses ?? []));
  }
  return seen;
};

describe('a record is created, changed and retired', () => {
  test('by the doors that are listed here and by no other', () => {
    const doors = [...sources]
      .filter(
        ([file, { text, uses }]) =>
          !isWriter(file) && ([...uses, ...loadedLater(file, text)].some(isWriter) || /\bstore\.write\(/.test(text) || BY_DRAFTING.test(text)),
      )
      .map(([file]) => file);
    expect(doors.toSorted()).toEqual(Object.keys(DOORS).toSorted());
  });

  test('by what happens by itself only through the four phases, and a subagent’s report in its own category', () => {
    const own = ['src/app/hooks/answer.ts', 'src/app/hooks/finish.ts', 'src/app/hooks/compact.ts'];
    for (const hook of own) {
      const doors = [...reached(hook)].filter((file) => file in DOORS).map((file) => DOORS[file]);
      expect(doors.filter((door) => door === 'command' || door === 'asked')).toEqual([]);
    }
    expect([...reached('src/app/hooks/finish.ts')]).toContain('src/app/drafting/extract.ts');
  });

  test('by a draft only when it is one that passed: there is one place that makes them, and one that saves them', () => {
    const makers = [...sources].filter(([, { text }]) => /\bas VerifiedDraft\b/.test(text)).map(([file]) => file);
    expect(makers).toEqual(['src/app/drafting/outcome.ts']);
    const savers = [...sources].filter(([file, { text }]) => file.startsWith('src/app/drafting/') && /\bawait writeDraft\(/.test(text)).map(([file]) => file);
    expect(savers).toEqual(['src/app/drafting/drafting.ts']);
    expect(sources.get('src/app/drafting/drafting.ts')?.text).toMatch(/function saveVerified\(memory: Memory, \{ settled, source, issues \}: VerifiedDraft\b/);
  });
});
