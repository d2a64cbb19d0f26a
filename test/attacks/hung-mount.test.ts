import { mkdirSync, symlinkSync, writeFileSync, existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { remoteMounts } from '../../src/adapters/files/outside/mounts.ts';
import { lastingProgram, programAt, runProgram } from '../edges/cli/program.ts';
import { environment, PLUGIN, talkTo } from '../edges/mcp/talk.ts';
import { transcript } from '../edges/hook/transcript.ts';
import { PATIENCE } from '../patience.ts';
import { scratch } from '../scratch.ts';
import { attack } from './attack.ts';
import { NO_HUNG_MOUNTS, touch, withHung, withHungLater } from './hung-mount.ts';
import { spawnSync } from 'node:child_process';

const LINES = [
  '27 1 254:0 / / rw - fuse.overlay /dev/vda rw',
  '30 27 0:40 / /mnt/server rw,relatime shared:1 - nfs4 host:/export rw',
  '31 27 0:41 / /mnt/with\\040space rw - fuse.sshfs host:/ rw',
  '32 27 0:42 / /net rw - autofs -hosts rw',
  '33 27 0:43 / /home rw - ext4 /dev/vdb rw',
];

it('mounts that another machine or a program answers for are told from local ones', () => {
  expect([...remoteMounts(LINES.join('\n'))]).toEqual([
    ['/mnt/server', 'mount'],
    ['/mnt/with space', 'mount'],
    ['/net', 'automatic'],
  ]);
  expect(remoteMounts('').size).toBe(0);
});

describe.skipIf(NO_HUNG_MOUNTS !== undefined)(`a mount that never answers (${NO_HUNG_MOUNTS ?? 'real'})`, () => {
  const shop = lastingProgram();
  const other = join(shop.folder, 'other');
  const elsewhere = programAt(shop.folder, shop.home, other);
  const link = join(shop.folder, 'link-to-webshop');
  const named = join(shop.folder, 'names-webshop');
  const NO_ANSWER = /webshop\S* does not answer/;

  beforeAll(() => {
    mkdirSync(join(named), { recursive: true });
    writeFileSync(join(named, '.git'), `gitdir: ${join(shop.project, '.git')}\n`);
    mkdirSync(other);
    symlinkSync(shop.project, link);
    writeFileSync(join(shop.project, 'DECISIONS.md'), '# Decisions\n');
    shop.run('start');
    shop.run('save', 'decision', 'We chose SQLite because it needs no server');
    elsewhere.run('start');
    elsewhere.run('save', 'decision', 'We log to stderr because stdout belongs to SQLite');
  });

  const COMMANDS = [
    'status',
    'doctor',
    'brief',
    'gc',
    'rebuild',
    'timeline',
    'import --git',
    'synthesize',
    'context',
    'init',
    'migrate',
    'export out.holdfast',
  ];
  attack(
    'repository',
    'a project on a mount that hangs refuses and ends',
    COMMANDS.map((command, nth) =>
      nth % 4 === 3 ? ([`${command}, through a link`, [command, link]] as const) : ([command, [command, shop.project]] as const),
    ),
    ([command, project]) => {
      const answer = elsewhere.runIn({ under: withHung(shop.project) }, ...command.split(' '), '--project', project);
      expect(answer.code).toBe(5);
      expect(answer.err).toMatch(NO_ANSWER);
    },
  );

  attack(
    'hook',
    'an event from a mount that hangs lets the session go on',
    ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'PreCompact', 'SessionEnd'].map((event) => [event, event] as const),
    (event) => {
      const input = JSON.stringify({ session_id: 's-1', cwd: shop.project, hook_event_name: event, source: 'startup', prompt: 'why SQLite?', reason: 'exit' });
      const [command, ...words] = [...withHung(shop.project), process.execPath, join(PLUGIN, 'dist', 'hook.js'), event];
      const ran = spawnSync(command, words, { cwd: other, env: environment({ home: shop.home }), input, encoding: 'utf8', timeout: 100_000 });
      expect(ran).toMatchObject({ status: 0, stdout: '', stderr: expect.stringMatching(NO_ANSWER) });
    },
  );

  attack(
    'repository',
    'a project elsewhere works on',
    [
      ['a search of all projects', 'search SQLite --project all'],
      ['a timeline of all projects', 'timeline --project all'],
      ['a survey of all projects', 'workspace discover'],
      ['a save', 'save decision We_keep_logs_for_a_week_because_of_audits'],
    ],
    (command) => {
      const answer = elsewhere.runIn({ under: withHung(shop.project) }, ...command.split(' '));
      expect(answer.code).toBe(0);
      if (command.endsWith('all')) {
        expect(answer.out).toContain('stderr');
        expect(answer.err).toMatch(/note webshop is left out\. .* does not answer/);
      }
    },
  );

  it('a checkout whose git directory lies there is a folder like any other', () => {
    const there = programAt(shop.folder, shop.home, named);
    expect(there.runIn({ under: withHung(shop.project) }, 'save', 'decision', 'We chose Redis because it is fast').code).toBe(0);
  });

  it('an import leaves its sessions for the next one and takes the others', () => {
    const at = scratch();
    const [hung, fine] = [join(at, 'hung'), join(at, 'fine')];
    const home = join(at, 'home');
    for (const folder of [hung, fine, home]) mkdirSync(folder);
    for (const [id, project] of [
      ['s-1', hung],
      ['s-2', fine],
    ] as const) {
      const session = transcript({ home, project }, id);
      session.prompt('We chose SQLite because it needs no server');
      session.reply('Noted.');
    }
    const run = (under: readonly string[]) => runProgram(['import', '--json'], { cwd: fine, env: environment({ home }), under });
    const first = JSON.parse(run(withHung(hung)).out) as { projects: { key: string }[]; skipped: { files: object[] } };
    expect(first.projects.map(({ key }) => key)).toEqual(['fine']);
    expect(first.skipped.files).toEqual([
      expect.objectContaining({ file: expect.stringContaining('s-1'), reason: expect.stringContaining('does not answer') }),
    ]);
    const second = JSON.parse(run([]).out) as { projects: { key: string }[] };
    expect(second.projects.map(({ key }) => key)).toEqual(['hung']);
  });

  it('the server leaves out a project that begins to hang, and answers for the others', async () => {
    const trigger = join(scratch(), 'hang');
    const complaints: string[] = [];
    const talk = talkTo(
      { home: shop.home, project: shop.project, privateRoot: '' },
      {},
      { under: withHungLater(shop.project, trigger), complaint: (text) => void complaints.push(text) },
    );
    expect(await talk.hook('UserPromptSubmit', { prompt: 'why did we choose SQLite, and what needs no server?' })).toContain('SQLite');
    touch(trigger);
    await vi.waitFor(() => expect(existsSync(`${trigger}.done`)).toBe(true), PATIENCE);
    // An answer counts for a second.
    await wait(1_200);
    expect(await talk.hook('UserPromptSubmit', { prompt: 'why did we choose SQLite again?' })).toBe('');
    expect(await talk.call('memory_search', { query: 'SQLite' })).toMatchObject({ isError: true, text: expect.stringMatching(NO_ANSWER) });
    expect(await talk.hook('PreToolUse', { cwd: other, tool_name: 'Edit', file_path: join(shop.project, 'a.ts') })).toBe('');
    expect(await talk.hook('UserPromptSubmit', { cwd: other, session_id: 's-2', prompt: 'why do we log to stderr and not to stdout?' })).toContain('stderr');
    expect(complaints.join('')).toMatch(NO_ANSWER);
  });
});
