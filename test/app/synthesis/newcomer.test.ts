import { describe, expect, it } from 'vitest';
import { messageIn } from '../../../src/capture/commits/commit-command.ts';
import type { Message } from '../../../src/core/episode/episode.ts';
import { aboutProject } from '../../../src/app/synthesis/about.ts';
import { fitToLimit } from '../../../src/app/synthesis/budget.ts';
import type { Item, MasterSection } from '../../../src/app/synthesis/item.ts';
import { replacementsIn } from '../../../src/app/synthesis/replaced.ts';
import { checkoutFromSessions } from '../../../src/app/synthesis/seen-project.ts';
import { isSelfContained } from '../../../src/app/synthesis/statement.ts';
import { statusItem } from '../../../src/app/synthesis/from-summary.ts';
import { sharedTopics, themesOf, topicsOf, unifyTopics } from '../../../src/app/synthesis/theme.ts';
import type { RecordOf } from '../../../src/core/record/schema.ts';
import { synthesize } from '../../../src/app/synthesis/synthesize.ts';
import { changeWork } from '../../../src/app/work/work.ts';
import { must, openMemory, save } from '../memory.ts';
import { commit, EMPTY, under } from './checkout.ts';

const README = `<p align="center"><img src="logo.png"></p>

# Tidewatch

[![build](https://example.com/b.svg)](https://example.com)

Tidewatch warns harbours of floods by radio. It reads gauges once a minute.

## Install
`;

describe('what a newcomer reads first', () => {
  it('is what the project says it is, what it is written in, how it is laid out and how it is run', () => {
    const files = ['apps/api/main.ts', 'apps/api/send.ts', 'apps/web/page.tsx', 'radio/mast.rs', 'README.md'];
    const manifest = { file: 'package.json', text: JSON.stringify({ name: 'tidewatch', scripts: { test: 'vitest' }, devDependencies: { vitest: '4' } }) };
    const texts = aboutProject({ introductions: [{ file: 'README.md', text: README }, manifest], files }).map(({ text }) => text);
    expect(texts).toEqual([
      'Tidewatch warns harbours of floods by radio. It reads gauges once a minute.',
      'Code: 3 TypeScript, 1 Rust files',
      'Layout: apps/api (2 files), apps/web (1 file), radio (1 file)',
      'package.json: scripts test; tests with vitest',
    ]);
  });

  it('comes from the manifest or an agent’s instructions where there is no README, and says so where there is nothing', () => {
    const first = (file: string, text: string): string => aboutProject({ introductions: [{ file, text }], files: [] })[0]?.text ?? '';
    expect(first('README.md', '# tidewatch\n\n`tidewatch` warns harbours of floods by radio.\n')).toBe('`tidewatch` warns harbours of floods by radio.');
    expect(first('README.md', '# Tides\n\nWarns harbours of floods.\n\n## Install\n\nIt is installed with the package manager of your system.\n')).toBe(
      'Tides: Warns harbours of floods.',
    );
    expect(first('Cargo.toml', '[package]\nname = "tides"\ndescription = "Reads gauges"\n')).toBe('tides: Reads gauges');
    expect(
      first(
        'CLAUDE.md',
        '# CLAUDE.md\n\nThis file provides guidance to Claude Code in this repository.\n\nTidewatch is a service that warns harbours of floods.\n',
      ),
    ).toBe('Tidewatch is a service that warns harbours of floods.');
    expect(first('.planning/PROJECT.md', '# Tides\n\n## What this is\n\nTidewatch is a service that warns harbours of floods.\n')).toBe(
      'Tides: Tidewatch is a service that warns harbours of floods.',
    );
    expect(aboutProject({ introductions: [], files: [], absent: '/srv/tidewatch' })[0]?.text).toContain('tidewatch: its folder is not on this machine');
  });

  it('is taken from what sessions read, touched and committed where the folder is not on this machine', () => {
    const say = (id: string, more: Partial<Message>): Message => ({ id, sessionId: 's', role: 'assistant', text: '', at: '2026-02-01T10:00:00Z', ...more });
    const call = (id: string, name: string, path: string) => ({ id, name, input: path, files: [path] });
    const command = `git commit -m "$(cat <<'EOF'\nfix(radio): keep the mast warm\n\nFrost held the float.\nEOF\n)"`;
    const entries = [
      say('1', { toolCalls: [call('a', 'Read', 'C:\\work\\tides\\README.md'), call('b', 'Edit', 'C:\\work\\tides\\.claude\\worktrees\\x\\radio\\mast.rs')] }),
      say('2', {
        role: 'tool',
        answers: 'a',
        text: README.split('\n')
          .map((row, at) => `${at + 1}\t${row}`)
          .join('\n'),
      }),
      say('3', { toolCalls: [{ id: 'c', name: 'Bash', input: command, files: [], command }, call('d', 'Read', '/etc/passwd')] }),
      say('4', { role: 'tool', answers: 'c', text: '[main 0a1b2c3] fix(radio): keep the mast warm' }),
    ];
    const seen = checkoutFromSessions(
      [{ facts: { sessionId: 's', client: 'claude-code', project: 'C:\\work\\tides' }, entries, whole: true }],
      'C:/work/tides',
    );
    expect(seen.files.toSorted()).toEqual(['README.md', 'radio/mast.rs']);
    expect(seen.introductions).toEqual([{ file: 'README.md', text: README }]);
    expect(seen.commits).toMatchObject([{ id: '0a1b2c3', subject: 'fix(radio): keep the mast warm', body: 'Frost held the float.' }]);
  });

  it.each([
    [`git commit -m "One" -m "Two"`, 'One', 'Two'],
    [`git add . && git commit -qm 'One\n\nTwo'`, 'One', 'Two'],
    [`git commit -F - <<'END'\nOne\n\nTwo\nEND\ngit push`, 'One', 'Two'],
    [`git commit -m @'\nOne\n\nTwo\n'@`, 'One', 'Two'],
    [`cat > a.sh <<'SH'\n. ./b.sh\nSH\ngit commit -m "One"`, 'One', ''],
  ])('reads the message of %j', (command, subject, body) => {
    expect(messageIn(command)).toEqual({ subject, body });
  });
});

describe('the master of a project', () => {
  it('takes decisions and findings with their reasons from commits, what was done by theme, and what was noted for later', async () => {
    const { memory } = openMemory();
    const commits = [
      commit(9, 'docs: capture todo - heat the northern mast'),
      commit(8, 'docs: add todo for a second gauge'),
      commit(10, 'feat(gauge): add a second gauge', 'Close the todo.'),
      commit(7, 'feat(radio): send warnings twice', 'A single message is lost in one storm of ten, because the mast sways.\n\nCo-Authored-By: A <a@b.c>'),
      commit(6, 'fix(gauge): drop readings of zero', 'The float froze and reported zero, which silently cleared every warning.'),
      commit(5, 'feat(radio): name the harbour first'),
      commit(4, 'feat(radio): log every message'),
      commit(3, 'chore: bump version'),
      commit(2, 'fix(radio): address review comments', 'Because the reviewer asked for it, everything was renamed.'),
    ];
    const { text } = must(await synthesize(memory, { actor: 'command', full: true, state: { ...EMPTY, commits } }));
    expect(under(text, 'Key Decisions')).toContain('Send warnings twice – A single message is lost in one storm of ten, because the mast sways *(2026-02-07');
    expect(under(text, 'Learnings & Discoveries')).toContain('Drop readings of zero – The float froze and reported zero, which silently cleared every warning');
    expect(under(text, 'Evolution & Changes')).toMatch(/- Radio \(2026-02-04 to 2026-02-05, 2 changes\): Name the harbour first; Log every message/);
    expect(under(text, 'Active Questions')).toContain('To do: heat the northern mast');
    expect(text).not.toMatch(/To do: a second gauge|Committed: Send warnings twice|review comments|bump version|Co-Authored/i);
  });

  it('keeps what was said in passing out of it until its user approved the summary, and what a later commit took back', async () => {
    const content = {
      goal: 'Work on the mast',
      outcome: 'success',
      completed: ['Measured the sway'],
      next_actions: [],
      tracking_points: [
        { label: 'Decision', text: 'Let me try the approach with two masts first' },
        { label: 'Decision', text: 'How often is a warning sent? → Twice' },
        { label: 'Learning', text: 'The mastTable must always hold all masts' },
        { label: 'Learning', text: 'Salt eats the bolts because they are plain iron' },
      ],
    };
    const revert = { ...commit(20, 'fix: revert changes to mastTable'), at: '2026-04-01T00:00:00Z' };
    const master = async (origin: object, trust: string): Promise<string> => {
      const { memory } = openMemory();
      must(await save(memory, 'session_summary', { title: 'Mast', trust, origin, content }));
      return must(await synthesize(memory, { actor: 'command', full: true, state: { ...EMPTY, commits: [revert] } })).text;
    };
    const automatic = await master({ channel: 'capture', session_id: 's1' }, 'observed');
    expect(automatic).toContain('How often is a warning sent? → Twice');
    expect(automatic).toContain('Salt eats the bolts');
    expect(automatic).not.toMatch(/Let me try|mastTable must always/);
    const approved = await master({ channel: 'agent', session_id: 's1' }, 'observed');
    for (const { text } of content.tracking_points) expect(approved).toContain(text);
  });

  it('says nothing twice, in whichever section', async () => {
    const { memory } = openMemory();
    const said = 'Warnings are sent by radio because flags freeze in winter';
    must(
      await save(memory, 'decision', {
        title: 'Radio',
        content: { status: 'accepted', context: '', decision: said, rationale: ['flags freeze in winter'], alternatives: [], consequences: [] },
      }),
    );
    const content = { goal: said, outcome: 'success', completed: [said], next_actions: [said], tracking_points: [{ label: 'Learning', text: said }] };
    must(await save(memory, 'session_summary', { title: 'Radio day', content, origin: { channel: 'agent', session_id: 's1' } }));
    const { text } = must(await synthesize(memory, { actor: 'command', full: true, state: EMPTY }));
    expect(text.match(/Warnings are sent by radio/g)).toHaveLength(1);
  });

  it('tells since when something blocks the work once', async () => {
    const { memory } = openMemory();
    must(await changeWork(memory, { task: 'Raise the mast', blocker: 'No licence' }, { actor: 'command' }));
    const { text } = must(
      await synthesize(memory, { actor: 'command', full: true, state: { ...EMPTY, commits: [commit(1, 'Read the gauge once a minute')] } }),
    );
    expect(under(text, 'Active Questions')).toMatch(/^- Blocked: No licence \*\(\d{4}-\d\d-\d\d, context\/blockers\)\*$/m);
  });

  it('gives every section some room before one gets more', () => {
    const item = (section: MasterSection, at: number): Item => ({ section, text: `${section} ${at} ${'x'.repeat(60)}`, ref: 'r', at, topics: [], files: [] });
    const items = (['decisions', 'learnings', 'evolution', 'questions'] as const).flatMap((section) =>
      Array.from({ length: 30 }, (_, at) => item(section, at)),
    );
    let shown: readonly Item[] = [];
    fitToLimit(items, 2_400, (kept) => {
      shown = kept;
      return kept.map(({ text }) => text).join('\n');
    });
    const counts = ['decisions', 'learnings', 'evolution', 'questions'].map((section) => shown.filter((one) => one.section === section).length);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(5);
    expect(shown.filter(({ section }) => section === 'questions').map(({ at }) => at)).toEqual([25, 26, 27, 28, 29]);
  });
});

describe('its themes', () => {
  const named = (...texts: readonly string[]): readonly string[] => {
    const items = texts.map((text, at): Item => ({
      section: 'decisions',
      text,
      ref: `commit ${at}`,
      at,
      topics: topicsOf(text, ['api', 'ref'], []),
      files: [],
    }));
    const { items: filed, names } = unifyTopics(items);
    return themesOf(filed, sharedTopics(filed), names).map(({ name }) => name);
  };

  it('are written as people say them: letters as letters, and parts in the plural where the project uses it', () => {
    expect(named('Keep the api small', 'Sign every api answer')).toEqual(['API']);
    expect(named('Batch ref updates', 'Mirror all refs', 'Skip hidden refs')).toEqual(['Refs']);
  });

  it('are what was done, not what its reason speaks of', () => {
    const texts = ['Split large packs – A server counts a push', 'Count packs – A push was silent', 'Sign the tide table – It came with a push and packs'];
    const items = texts.map((text, at): Item => ({ section: 'decisions', text, ref: `commit ${at}`, at, topics: topicsOf(text, [], []), files: [] }));
    const { items: filed, names } = unifyTopics(items, ['packs', 'push']);
    const themes = themesOf(filed, sharedTopics(filed), names).map(({ name, items: group }) => [name, group.length]);
    expect(themes).toEqual([
      ['Packs', 2],
      ['General', 1],
    ]);
  });
});

describe('where the work stands', () => {
  const summary = (goal: string, completed: readonly string[]): RecordOf<'session_summary'> =>
    ({
      category: 'session_summary',
      id: 's-1',
      tags: [],
      created_at: '2026-02-01T10:00:00Z',
      content: { goal, outcome: 'success', completed },
    }) as never;

  it('is what was committed, not what was asked for on the way; what was only asked is quoted', () => {
    expect(statusItem(summary('Are there any gauges that we forgot to read?', ['Committed 1234567: Read all gauges at once']), true).text).toBe(
      'Last session (success): committed “Read all gauges at once”',
    );
    expect(statusItem(summary('Mend the masts', ['The mast stands. `.mast` keeps only its `bolts`; `rope` and `paint` are gone.']), false).text).toBe(
      'Session before (success): Mend the masts; done: The mast stands.',
    );
    expect(statusItem(summary('I want you to look at the gauges.', []), true).text).toBe('Last session (success): asked: “I want you to look at the gauges.”');
  });
});

describe('evolution from what commits and summaries say', () => {
  const said = (day: number, text: string) => ({ text, at: Date.UTC(2026, 1, day), ref: `session ${day}` });

  it('joins what replaced what', () => {
    const items = replacementsIn([
      said(3, 'Replace the SQLite store with PostgreSQL because of locks'),
      said(1, 'Switch storage from flat files to a SQLite store'),
      said(2, 'Use pnpm instead of npm'),
      said(4, 'Replaced it with that'),
    ]);
    expect(items.map(({ text }) => text)).toEqual(['storage: flat files → tried SQLite store → settled on PostgreSQL', 'npm → settled on pnpm']);
  });
});

it.each([
  ['decisions', 'Decision', 'Warnings go by radio because flags freeze', true],
  ['decisions', 'Decision', 'I favor this solution because it is short', false],
  ['decisions', 'Decision', 'Which approach? → Hybrid', false],
  ['decisions', 'Decision', 'Where are drafts kept? → What would you suggest?', false],
  ['learnings', 'Preference', 'Never push to main without a green build', true],
  ['learnings', 'Preference', 'I want you to analyze the website only', false],
  ['learnings', 'Learning', 'It seems that the counter only increments', false],
  ['decisions', 'Decision', '(The base advisory scored the sibling bug lower, because the channel is a network and the payload is', false],
  ['decisions', 'Decision', 'Readings must be signed because gauges are read over an open radio (VHF', false],
  ['decisions', 'Decision', 'External links → removed. These must never be reworded', false],
  ['decisions', 'Decision', 'Since all callbacks have `[]` deps, the memo only breaks when `isLoading` changes', false],
  ['decisions', 'Decision', 'Since a reading costs battery, gauges are read only once a minute', true],
  ['learnings', 'Discovery', 'Wrong file for the gauge (radio.toml instead of mast.toml)', false],
  ['learnings', 'Discovery', 'Untrusted gauges cannot reach the radio even through', false],
  ['learnings', 'Preference', 'Always calls showUsage on the root command, so a bad option shows the wrong usage', false],
  ['learnings', 'Preference', 'Align the terminology: use "Display all" only on this page', false],
  ['evolution', 'Dead end', 'Fallback: if the gauge fails, read all of them instead', false],
  ['evolution', 'Dead end', 'Polling by SMS was dropped because it was too slow', true],
  ['questions', '', 'Ready to push when you want', false],
  ['questions', '', 'Rotation of keys is deferred to the next release', true],
] as const)('%s, %s: "%s" stands alone: %s', (section, label, text, expected) => {
  expect(isSelfContained(section, label, text)).toBe(expected);
});
