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
  /** What the agent says last. */
  readonly answer?: string;
  /** What it thinks before. */
  readonly thought?: string;
  /** The answer before the last. */
  readonly report?: string;
  /** What the user says last. */
  readonly reply?: string;
}

/** Conversations as the client wrote them. */
function converse({ home, project, ask }: Program, ...chats: readonly Chat[]): void {
  const folder = path.join(home, 'projects', project.replace(/[^A-Za-z0-9]/g, '-'));
  fs.mkdirSync(folder, { recursive: true });
  for (const { session, day, prompt, branch, messages = 8, answer, thought, report, reply } of chats) {
    const lines = Array.from({ length: messages }, (_, at) => {
      const role = at % 2 === 0 ? 'user' : 'assistant';
      const said = [answer, reply, report][messages - 1 - at];
      const text = at === 0 ? prompt : (said ?? `${role} goes on, ${at}`);
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
        message: {
          role,
          content: role === 'user' ? text : [...(thought === undefined ? [] : [{ type: 'thinking', thinking: thought }]), { type: 'text', text }],
        },
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

describe('the last sessions in a brief', () => {
  it('say how each ended, the newest first, the same each time', () => {
    const cli = program();
    converse(cli, { ...OLD, answer: 'The wall is painted with lime wash because oil paint peels there.' }, { ...NEW, answer: 'Pushed. All tests pass.' });
    const { text, items } = told(cli);
    expect(text).toContain(
      '## Last sessions\n- 2026-02-03: Dredge the northern basin\n- 2026-02-01: The wall is painted with lime wash because oil paint peels there.\n',
    );
    expect(items).toMatchObject([{ id: 'session:bbbb2222', reason: 'how a recent session ended' }, { id: 'session:aaaa1111' }]);
    expect(told(cli).text).toBe(text);
  });

  it('say neither praise nor a row of checks', () => {
    const cli = program();
    converse(cli, { ...NEW, answer: "That's a great idea for the chart. The chart was updated to the depth that was measured." });
    expect(told(cli).text).toContain('- 2026-02-03: The chart was updated to the depth that was measured.');
  });

  it('are not followed by older ones when a session is resumed', () => {
    const cli = program();
    const chats = Array.from({ length: 6 }, (_, nth) => ({
      session: `dddd000${nth}`,
      day: `2026-02-0${nth + 1}`,
      prompt: `Mend pier ${nth}`,
      answer: `Pier ${nth} of the harbour is mended now. ${'It holds. '.repeat(9)}`,
    }));
    converse(cli, ...chats);
    cli.ask('config', 'set', 'inject.startTokens', '170');
    const first = named(cli, '--session', 'now');
    expect(first.length).toBeGreaterThan(0);
    expect(first.length).toBeLessThan(6);
    cli.ask('config', 'set', 'inject.startTokens', '600');
    expect(named(cli, '--session', 'now', '--event', 'resume')).toEqual([]);
  });

  it('do not say what was taken back since', () => {
    const cli = program();
    const report = 'We decided to use lime wash instead of oil paint for the harbour wall, because it can breathe and costs half of it.';
    converse(cli, { ...OLD, answer: 'The gate has a second coat of tar and is dry.', report });
    expect(told(cli).text).toContain('lime wash');
    cli.ask('save', 'decision', 'It breathes', '--title', 'Use lime wash for the harbour wall, not paint');
    cli.ask('retire', 'use-lime-wash-for-the-harbour-wall-not-paint', '--reason', 'reverted');
    expect(told(cli).text).toContain('second coat of tar');
    expect(told(cli).text).not.toContain('lime wash');
  });

  it('begin as the longest of the last answers does, and name a day once', () => {
    const cli = program();
    const report = 'The wall is painted with lime wash because oil paint peels there, and the gate has a second coat of tar.';
    converse(
      cli,
      { ...OLD, answer: 'Committed as 1a2b3c4 on the branch of the wall.', report },
      { ...NEW, day: OLD.day, answer: 'The northern basin is two metres deeper than the chart says.' },
    );
    expect(told(cli).text).toContain(`## Last sessions\n- 2026-02-01: The northern basin is two metres deeper than the chart says.\n- ${report}\n`);
  });

  it('and what a prompt is told quote what the agent said, never what it only thought', () => {
    const cli = program();
    const answer = 'The harbour wall is painted with lime wash because oil paint peels there.';
    const others = Array.from({ length: 9 }, (_, nth) => ({ session: `cccc000${nth}`, day: '2026-01-02', prompt: `Count the gulls of pier ${nth}` }));
    converse(cli, ...others, { ...OLD, answer, thought: 'Perhaps the harbour wall wants oil paint from the zeppelin hangar, I wonder.' });
    expect(told(cli).text).toContain(answer);
    expect(told(cli).text).not.toContain('zeppelin');
    const { text } = cli.ask('recall', 'Which paint does the harbour wall get, lime wash or oil paint?') as unknown as { readonly text: string };
    expect(text).toContain(answer);
    expect(text).not.toContain('zeppelin');
  });

  it('leave out the session itself, and a question with its answer', () => {
    const cli = program();
    converse(cli, OLD, { ...NEW, messages: 2 });
    expect(named(cli)).toEqual(['aaaa1111']);
    expect(named(cli, '--session', 'aaaa1111')).toEqual([]);
  });

  it('say what a summary says is next, and what the user confirmed before what the agent said', () => {
    const cli = program();
    converse(cli, { ...NEW, answer: 'Next steps: survey the eastern basin. Done is the northern one, which was deeper than the chart says.' });
    cli.ask('save', 'session_summary', 'The northern basin is two metres deeper than charted');
    expect(told(cli).text).toContain('The northern basin is two metres deeper than charted');
  });

  it('does without it where the index of messages cannot be read', () => {
    const cli = program();
    converse(cli, NEW);
    cli.ask('save', 'decision', 'The bell rings at dawn');
    fs.writeFileSync(path.join(cli.home, 'holdfast', 'projects', 'webshop', 'episodes.db'), 'no database '.repeat(1_000));
    expect(told(cli).text).toContain('The bell rings at dawn');
    expect(named(cli)).toEqual([]);
  });

  it('does not tell what the user threw away as what came out', () => {
    const cli = program();
    cli.ask('start');
    const report =
      'I decided to use Zod for the validation instead of hand-written checks because it gives better errors. I also decided to move the parser into its own package, because the exporter needs it. All six comments are addressed.';
    const reply = 'I have reverted your changes – focus only on #2 and #6';
    const answer = 'Fixed the typo in the error message and added the missing await.';
    converse(cli, { session: 'cccc3333', day: '2026-02-03', prompt: 'Address the six review comments on the importer', report, reply, answer });
    cli.ask('summarize', '--all', '--yes');
    const { text } = told(cli);
    expect(text).toContain('Fixed the typo in the error message and added the missing await');
    expect(text).not.toContain('Zod');
  });
});

describe('what was asked for in earlier prompts', () => {
  const rule = 'Always answer each review comment with the commit that fixes it';

  it('is told once where a record holds it, by the record', () => {
    const cli = program();
    converse(cli, { ...OLD, prompt: `${rule}.` }, { ...NEW, prompt: 'Never push to the release branch without a green build.' });
    expect(told(cli).text).toContain(`- ${rule}`);
    cli.ask('save', 'preference', rule);
    const { text, items } = told(cli);
    expect(text.split('review comment').length - 1).toBe(1);
    expect(text).toMatch(/\(preference, .*\): .*Always answer each review comment/);
    expect(text).toContain('Never push to the release branch');
    expect(items.map(({ id }) => id).filter((id) => id.startsWith('rule:'))).toHaveLength(1);
  });

  it('is told beside a record that says the opposite', () => {
    const cli = program();
    converse(cli, { ...OLD, prompt: `${rule}.` });
    cli.ask('save', 'preference', 'Never answer each review comment with the commit that fixes it');
    expect(
      told(cli)
        .items.map(({ id }) => id)
        .filter((id) => id.startsWith('rule:')),
    ).toHaveLength(1);
  });
});
