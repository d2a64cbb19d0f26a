import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Program, program } from '../../edges/cli/program.ts';

interface Told {
  readonly text: string;
  readonly items: readonly { readonly id: string; readonly reason: string }[];
}

interface Chat {
  readonly session: string;
  readonly day: string;
  readonly prompt: string;
  readonly branch?: string;
  readonly messages?: number;
}

/** Conversations as the client wrote them. */
function converse({ home, project, ask }: Program, ...chats: readonly Chat[]): void {
  const folder = path.join(home, 'projects', project.replace(/[^A-Za-z0-9]/g, '-'));
  fs.mkdirSync(folder, { recursive: true });
  for (const { session, day, prompt, branch, messages = 8 } of chats) {
    const lines = Array.from({ length: messages }, (_, at) => {
      const role = at % 2 === 0 ? 'user' : 'assistant';
      const text = at === 0 ? prompt : `${role} goes on, ${at}`;
      return JSON.stringify({
        parentUuid: null,
        isSidechain: false,
        userType: 'external',
        cwd: project,
        sessionId: session,
        version: '2.1.197',
        ...(branch !== undefined && { gitBranch: branch }),
        type: role,
        uuid: `${session}-${at}`,
        timestamp: `${day}T10:${String(at).padStart(2, '0')}:00Z`,
        message: { role, content: role === 'user' ? text : [{ type: 'text', text }] },
      });
    });
    fs.writeFileSync(path.join(folder, `${session}.jsonl`), `${lines.join('\n')}\n`);
  }
  ask('import');
}

const told = (cli: Program, ...more: readonly string[]): Told => cli.ask('brief', ...more) as unknown as Told;
const named = (cli: Program, ...more: readonly string[]): readonly string[] =>
  told(cli, ...more).items.flatMap(({ id }) => (id.startsWith('session:') ? [id.slice('session:'.length)] : []));

const OLD: Chat = { session: 'aaaa1111', day: '2026-02-01', prompt: 'Paint the harbour wall' };
const NEW: Chat = { session: 'bbbb2222', day: '2026-02-03', prompt: 'Dredge the northern basin' };

describe('a brief where the last conversation has no summary', () => {
  it('names the newest in one line, the same each time', () => {
    const cli = program();
    converse(cli, OLD, NEW);
    const { text, items } = told(cli);
    expect(text).toContain('- Last conversation, not summed up yet, session bbbb2222 (2026-02-03): Dredge the northern basin');
    expect(text).not.toContain('Paint the harbour wall');
    expect(items).toMatchObject([{ id: 'session:bbbb2222', reason: 'newer than the last summary' }]);
    expect(told(cli).text).toBe(text);
  });

  it('names the newest of the branch at hand first', () => {
    const cli = program();
    for (const inner of ['objects', 'refs/heads']) fs.mkdirSync(path.join(cli.project, '.git', inner), { recursive: true });
    fs.writeFileSync(path.join(cli.project, '.git', 'HEAD'), 'ref: refs/heads/harbour\n');
    fs.writeFileSync(path.join(cli.project, '.git', 'config'), '[core]\n\trepositoryformatversion = 0\n');
    converse(cli, { ...OLD, branch: 'harbour' }, { ...NEW, branch: 'basin' });
    expect(told(cli).text).toContain('session aaaa1111 (2026-02-01, branch harbour): Paint the harbour wall');
    fs.writeFileSync(path.join(cli.project, '.git', 'HEAD'), 'ref: refs/heads/quay\n');
    expect(named(cli)).toEqual(['bbbb2222']);
  });

  it('says nothing of it once there is a newer summary, nor of the session itself, nor of a question and its answer', () => {
    const cli = program();
    converse(cli, OLD, { ...NEW, messages: 2 });
    expect(named(cli)).toEqual(['aaaa1111']);
    expect(named(cli, '--session', 'aaaa1111')).toEqual([]);
    cli.ask('summarize', 'aaaa1111');
    expect(named(cli)).toEqual([]);
    expect(told(cli).text).toContain('Last session, session_summary/aaaa1111');
  });

  it('does without it where the index of messages cannot be read', () => {
    const cli = program();
    converse(cli, NEW);
    cli.ask('save', 'decision', 'The bell rings at dawn');
    fs.writeFileSync(path.join(cli.home, 'holdfast', 'projects', 'webshop', 'episodes.db'), 'no database '.repeat(1_000));
    expect(told(cli).text).toContain('The bell rings at dawn');
    expect(named(cli)).toEqual([]);
  });
});
