import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshDatabase, hasPostgres } from '../postgres/cluster.ts';
import { scratch } from '../scratch.ts';
import { filesUnder } from '../scratch.ts';
import { holdfast, startServer, type ProgramResult } from './program.ts';

interface Machine {
  readonly project: string;
  readonly home: string;
  run(...words: string[]): Promise<ProgramResult>;
}

function machine(folder: string, name: string): Machine {
  const [project, home] = [path.join(folder, name, 'webshop'), path.join(folder, `${name}-home`)];
  fs.mkdirSync(project, { recursive: true });
  return { project, home, run: (...words) => holdfast(project, home, words) };
}

const good = (result: ProgramResult): ProgramResult => {
  expect(result, `${result.out}${result.err}`).toMatchObject({ code: 0 });
  return result;
};

describe.skipIf(!hasPostgres)('holdfast server and holdfast sync as programs', () => {
  test('an organisation, two members, sync both ways, review, private records sealed, and a graceful end', async () => {
    const folder = scratch();
    const { ownerUrl } = await freshDatabase();
    const env = { HOLDFAST_DATABASE: ownerUrl };
    const made = good(await holdfast(folder, path.join(folder, 'h'), ['server', '--add-organisation', 'acme', '--admin', 'ada', '--json'], { env }));
    const wrong = await holdfast(folder, path.join(folder, 'h'), ['server', '--database', 'foo']);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('The database address is not a PostgreSQL address.')]);
    const server = await startServer(path.join(folder, 'server'), env);
    const [a, b] = [machine(folder, 'ada'), machine(folder, 'bo')];
    fs.writeFileSync(path.join(folder, 'ada.token'), String(made.json['token']));
    good(await a.run('save', 'decision', 'Use SQLite because it needs no server', '--title', 'Use SQLite', '--shared'));
    good(await a.run('save', 'decision', 'The heron stays secret because it is mine', '--title', 'Secret heron'));
    const refused = await a.run('sync', '--to', server.url, '--as', 'web', '--token', path.join(folder, 'ada.token'));
    expect(refused.err).toContain('There is no such project');
    expect(refused.err).toContain('holdfast team project NAME');
    good(await a.run('team', 'project', 'web'));
    const asked = await a.run('sync');
    expect([asked.code, asked.err]).toEqual([2, expect.stringContaining('the first sync asks')]);
    const plan = good(await a.run('sync', '--dry-run', '--json'));
    expect((plan.json['spaces'] as { sent: string[] }[])[0]?.sent).toHaveLength(1);
    good(await a.run('sync', '--yes'));
    good(await a.run('team', 'member', 'bo', '--role', 'writer'));
    // As a shell puts it into a file: with what is said about it.
    const printed = good(await a.run('team', 'token', 'bo')).out;
    expect(printed).toMatch(/^hf_.*\nIt is shown only now/);
    expect(good(await a.run('team', 'audit')).out).toMatch(/ada {2}token\.issue {2}[0-9a-f]{12} for bo/);
    fs.writeFileSync(path.join(folder, 'bo.token'), printed);
    good(await b.run('sync', '--to', server.url, '--as', 'web', '--token', path.join(folder, 'bo.token'), '--yes'));
    expect(good(await b.run('search', 'SQLite')).out).toContain('Use SQLite');
    // Review: what bo saves waits until ada accepts it.
    good(await a.run('team', 'project', 'web', '--review', 'yes'));
    good(await b.run('save', 'decision', 'Use tabs because editors agree', '--title', 'Use tabs', '--shared'));
    expect(good(await b.run('sync')).out).toContain('waits for review');
    expect(good(await a.run('sync')).out).not.toContain('tabs');
    expect(good(await a.run('review')).out).toMatch(/1 {2}open .*use-tabs.* new by bo/);
    expect(good(await a.run('review', 'show', '1')).out).toContain('+# Use tabs');
    expect((await b.run('review', 'accept', '1')).err).toContain('scope review');
    expect(good(await a.run('review', 'accept', '1')).out).toMatch(/^accepted proposal 1 .*use-tabs.* by bo/);
    expect(good(await a.run('sync')).out).toContain('use-tabs');
    good(await b.run('sync'));
    // A second machine of ada's: private records come with the key and not without.
    const key = good(await a.run('sync', 'key')).out;
    expect(good(await a.run('sync', '--private', 'sealed')).out).toMatch(/private records, sealed\n {2}sent: 1 record/);
    expect(good(await a.run('sync', '--private', 'off')).out).not.toContain('private records, sealed');
    expect(good(await a.run('sync', 'status')).out).toContain('private records stay on this machine');
    good(await a.run('sync', '--private', 'sealed'));
    const nowhere = await machine(folder, 'ada3').run('sync', '--private', 'sealed');
    expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining('needs the address of a server')]);
    const second = machine(folder, 'ada2');
    fs.writeFileSync(path.join(folder, 'key'), key);
    const without = await second.run('sync', '--to', server.url, '--as', 'web', '--token', path.join(folder, 'ada.token'), '--private', 'sealed', '--yes');
    expect([without.code, without.err]).toEqual([1, expect.stringContaining('no key')]);
    good(await second.run('sync', 'key', '--import', path.join(folder, 'key')));
    good(await second.run('sync', '--yes'));
    expect(good(await second.run('search', 'heron')).out).toContain('Secret heron');
    good(await b.run('sync'));
    expect(JSON.stringify(filesUnder(b.home))).not.toContain('heron');
    // Two machines change the same field: both versions are kept until a person settles it.
    const folderOf = (who: Machine): string => path.join(who.project, '.claude/memory/decisions');
    const name = fs.readdirSync(folderOf(a)).find((file) => file.includes('use-sqlite')) ?? '';
    const textIn = (who: Machine): string => fs.readFileSync(path.join(folderOf(who), name), 'utf8');
    for (const [who, title] of [
      [a, 'Use SQLite with WAL'],
      [second, 'Use SQLite in memory'],
    ] as const) {
      fs.writeFileSync(path.join(folderOf(who), name), textIn(who).replace('# Use SQLite', `# ${title}`));
    }
    good(await a.run('sync'));
    const conflict = await second.run('sync');
    expect(conflict.err).toBe('');
    expect([conflict.code, conflict.out]).toEqual([3, expect.stringContaining(`conflict: decisions/${name} (title)`)]);
    expect(await second.run('inbox')).toMatchObject({
      err: expect.stringContaining(`decisions/${name} was changed on both sides`),
      out: 'Nothing else waits for review.\n',
    });
    expect(textIn(second)).toMatch(/Use SQLite in memory[^]*Use SQLite with WAL/);
    good(await second.run('merge', `decisions/${name}`, '--ours'));
    good(await second.run('sync'));
    good(await a.run('sync'));
    expect([textIn(a), textIn(a)]).toEqual([textIn(second), expect.stringContaining('# Use SQLite in memory')]);
    // Conversations go when a person has seen how many.
    const chat = path.join(folder, 'chat.jsonl');
    const said = {
      project: a.project,
      session_id: 's-1',
      message_id: 'm-1',
      role: 'user',
      timestamp: '2026-05-01T10:00:00Z',
      text: 'Why does the walrus queue stop?',
    };
    fs.writeFileSync(chat, `${JSON.stringify(said)}\n`);
    good(await a.run('import', chat, '--format', 'chat', '--project', a.project));
    expect(good(await a.run('sync', 'conversations', '--dry-run')).out).toContain('1 conversation with 1 message');
    const unasked = await a.run('sync', 'conversations');
    expect([unasked.code, unasked.err]).toEqual([2, expect.stringContaining('a person has to agree')]);
    expect(good(await b.run('team', 'search', 'walrus')).out).not.toContain('walrus');
    expect(good(await a.run('sync', 'conversations', '--yes')).out).toContain('sent 1 conversation, 1 new message');
    expect(good(await b.run('team', 'search', 'walrus', '--in', 'all')).out).toContain('s-1 --around m-1');
    expect(good(await b.run('team', 'conversation', 's-1', '--around', 'm-1')).out).toContain('walrus queue');
    expect((await b.run('team', 'remove-conversation', 's-1')).err).toContain('Only ada or an admin');
    good(await a.run('team', 'remove-conversation', 's-1'));
    expect(good(await b.run('team', 'conversations')).out).not.toContain('s-1');
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    const offline = await a.run('sync');
    expect([offline.code, offline.err]).toEqual([5, expect.stringContaining('does not answer')]);
  }, 240_000);
});
