import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { HOOK_EVENTS } from '../../src/app/hooks/call.ts';
import { REGISTRY } from '../../src/edges/cli/registry.ts';
import { lastingProgram, programAt, spawnProgram } from '../edges/cli/program.ts';
import { environment, PLUGIN, talkTo } from '../edges/mcp/talk.ts';
import { transcript } from '../edges/hook/transcript.ts';
import { scratch } from '../scratch.ts';
import { attack } from './attack.ts';
import { bareCopy, checkout, gitAnyway, markerProgram, PROMISOR } from './git-traps.ts';

const shop = lastingProgram();
const { program, ran, clear } = markerProgram(shop.folder);
const template = join(shop.folder, 'template');

/** Folders with the same trap: a promisor remote that is a program, and a commit that git would fetch from it. */
const PLACES = {
  'a clone': join(shop.folder, 'evil'),
  'a bare repository in a clone': join(shop.folder, 'honest', 'vendor', 'store'),
  'a bare repository': join(shop.folder, 'evil.git'),
};

beforeAll(() => {
  const source = checkout(join(shop.folder, 'source'));
  checkout(join(shop.folder, 'honest'));
  for (const place of Object.values(PLACES)) PROMISOR.set(bareCopy(source, place === PLACES['a clone'] ? join(place, '.git') : place), program);
  // A project whose folder is gone makes every command ask an unknown folder for its first commit.
  const gone = checkout(join(shop.folder, 'gone'));
  const there = programAt(shop.folder, template, gone);
  there.run('save', 'decision', 'Invoices are numbered per country because the law asks for it');
  rmSync(gone, { recursive: true });
});

/** A home that has seen a project which is gone since; memory is always on, as far as a user can say so. */
function home(): string {
  const folder = join(scratch(), 'home');
  cpSync(template, folder, { recursive: true });
  return folder;
}

function expectNothingRan(): void {
  const hasRun = ran();
  clear();
  expect(hasRun).toBe(false);
}

const DECISION = 'We chose SQLite because it needs no server';
const WORDS: Readonly<Record<string, readonly string[]>> = {
  save: ['decision', DECISION],
  search: ['invoices'],
  recall: ['why are invoices numbered per country?'],
  import: ['--git'],
  config: ['set', 'on', 'true'],
  export: ['--output', 'memory.holdfast'],
  completion: ['bash'],
  candidate: ['--category', 'decision', '--new-info', DECISION],
  user: ['show'],
  init: ['--dry-run'],
  hook: ['SessionStart'],
  // Serves until it is ended; its page asks for what the other commands ask for.
  view: ['--help'],
};

/** Every command with words it takes, then the ways that do more than one command. */
const OPENINGS: readonly (readonly [string, (cwd: string) => unknown])[] = [
  ...REGISTRY.map(({ name }) => [name, (cwd: string) => spawnProgram([name, ...(WORDS[name] ?? [])], { cwd, env: environment({ home: home() }) })] as const),
  [
    'start, save, then import --git',
    (cwd) => {
      const at = home();
      for (const words of [['start'], ['save', 'decision', DECISION], ['import', '--git'], ['synthesize'], ['stop']])
        spawnProgram(words, { cwd, env: environment({ home: at }) });
    },
  ],
  ...HOOK_EVENTS.map(
    (event) =>
      [
        `the hook ${event}`,
        (cwd: string) => {
          const at = home();
          writeFileSync(join(at, 'settings.json'), JSON.stringify({ memory: { on: true } }));
          const input = JSON.stringify({
            session_id: 's-1',
            cwd,
            hook_event_name: event,
            source: 'startup',
            prompt: 'why are invoices numbered?',
            reason: 'exit',
          });
          return spawnSync(process.execPath, [join(PLUGIN, 'dist', 'hook.js'), event], { cwd, env: environment({ home: at }), input, timeout: 100_000 });
        },
      ] as const,
  ),
  [
    'the server: start, prompt, save, search',
    async (project) => {
      const at = home();
      writeFileSync(join(at, 'settings.json'), JSON.stringify({ memory: { on: true } }));
      const talk = talkTo({ home: at, project, privateRoot: '' });
      await talk.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } });
      await talk.hook('SessionStart', { source: 'startup' });
      await talk.hook('UserPromptSubmit', { prompt: 'Remember that we chose SQLite because it needs no server' });
      await talk.call('memory_save', { category: 'decision', text: DECISION, asked: 'Remember that we chose SQLite because it needs no server' });
      await talk.call('memory_search', { query: 'SQLite' });
      await talk.hook('Stop', {});
      await talk.hook('SessionEnd', { reason: 'exit' });
    },
  ],
  [
    'import of a transcript of a session there',
    (project) => {
      const at = home();
      const session = transcript({ home: at, project }, 's-2');
      session.prompt(DECISION);
      session.reply('Noted.');
      const elsewhere = join(at, '..', 'elsewhere');
      mkdirSync(elsewhere);
      return spawnProgram(['import', session.file], { cwd: elsewhere, env: environment({ home: at }) });
    },
  ],
];

describe('a repository whose remote is a program', () => {
  it.each(Object.entries(PLACES))('runs it by plain git in %s', (_name, cwd) => {
    gitAnyway(cwd, ['rev-list', 'HEAD', '--']);
    expect(ran()).toBe(true);
    clear();
  });

  for (const [place, cwd] of Object.entries(PLACES)) {
    attack('repository', `${place} with a promisor remote runs nothing`, OPENINGS, async (open) => {
      await open(cwd);
      expectNothingRan();
    });
  }

  it('was looked at: its project is known afterwards', () => {
    const at = home();
    spawnProgram(['save', 'decision', DECISION], { cwd: PLACES['a clone'], env: environment({ home: at }) });
    expect(readdirSync(join(at, 'projects'))).toContain('evil');
    // The background work that hooks started has ended by now.
    expectNothingRan();
  });
});
