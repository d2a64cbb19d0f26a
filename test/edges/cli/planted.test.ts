import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sqlite/binding.ts';
import { textsUnder } from '../../app/episodes/importing.ts';
import { answered, called, claude, replied, said, text } from '../../capture/transcripts/reading.ts';
import { lookalikes } from '../../core/redact/lookalikes.ts';
import { plant, type Planted } from '../../core/redact/planted.ts';
import { type Program, program } from './program.ts';

const PLANTED = plant(11);
const LEAST = { secrets: 60, kinds: 20, lookalikes: 200 };
const MOST_WRONG = 5;

/** Everything that each table of each database holds: a text that lies on two pages is in no piece of the file. */
function rowsUnder(folder: string): string {
  const texts: string[] = [];
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.db'))) {
    const database = openDatabase(path.join(folder, name));
    for (const table of database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()) {
      for (const row of database.prepare(`SELECT * FROM "${String(table['name'])}"`).all()) {
        texts.push(...Object.values(row).map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value))));
      }
    }
    database.close();
  }
  return texts.join('\n');
}

/** Secrets that are somewhere under a folder, as they were written or as JSON writes them; indexes keep words in small letters. */
function leaksUnder(folder: string): readonly string[] {
  const everything = `${textsUnder(folder)}\n${rowsUnder(folder)}`;
  const small = everything.toLowerCase();
  const isThere = (needle: string): boolean =>
    everything.includes(needle) || everything.includes(JSON.stringify(needle).slice(1, -1)) || small.includes(needle.toLowerCase());
  return PLANTED.flatMap(({ kind, needles }) => needles.filter(isThere).map((needle) => `${kind}: ${needle}`));
}

/** Every place of a transcript that is kept, with a secret in it. */
const linesFor = ({ text: words }: Planted, n: number): readonly string[] => [
  said(`We decided to keep it in the settings because the server asks for it: ${words}`, { uuid: `u${n}` }),
  replied(
    `m${n}`,
    [
      { type: 'thinking', thinking: `The root cause is that this was wrong: ${words}` },
      text(`The fix is to use it everywhere instead of the old one, because that one expired: ${words}`),
      called(`c${n}`, 'Write', { file_path: `config/${n}.env`, content: words }),
      called(`b${n}`, 'Bash', { command: `printf '%s' ${JSON.stringify(words)} > config/${n}.env` }),
    ],
    { uuid: `a${n}` },
  ),
  answered(`c${n}`, `${'filler '.repeat(900)}\n${words}\n${'filler '.repeat(900)}`),
  answered(`b${n}`, [{ type: 'text', text: `error: ${words}` }], { is_error: true }),
  claude({ type: 'user', isCompactSummary: true, message: { role: 'user', content: `This session is being continued. Known: ${words}` }, uuid: `k${n}` }),
];

const chatLine = ({ text: words }: Planted, n: number): string =>
  JSON.stringify({ project: 'talk', session_id: 'c1', message_id: `t${n}`, role: 'user', speaker: 'Ann', timestamp: '2026-01-01T00:00:00Z', text: words });

const draftOf = (some: readonly Planted[], n: number): string => {
  const [a = '', b = '', c = '', d = ''] = some.map(({ text: words }) => words);
  const content = { status: 'accepted', context: `Draft ${n} ${a}`, decision: b, rationale: [c, 'simple'], consequences: [d] };
  return JSON.stringify({ title: `Draft number ${n}`, tags: [`draft-${n}`], content });
};

function written(cli: Program, name: string, lines: readonly string[]): string {
  const file = path.join(cli.folder, 'inbox', name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

describe('planted secrets', () => {
  it('are nowhere under the home after import, summary, drafts, saves, search and recall', () => {
    expect(PLANTED.length).toBeGreaterThanOrEqual(LEAST.secrets);
    expect(new Set(PLANTED.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(LEAST.kinds);
    const cli = program();
    const title = claude({ type: 'custom-title', customTitle: `About ${PLANTED[0]?.text ?? ''}`, sessionId: 's1' });
    const transcript = written(cli, 's1.jsonl', [title, ...PLANTED.flatMap(linesFor)]);
    const chat = written(cli, 'chat.jsonl', PLANTED.map(chatLine));
    const answers = [
      cli.run('import', transcript, '--json'),
      cli.run('import', chat, '--format', 'chat', '--json'),
      cli.run('summarize', 's1', '--project', 'kiosk', '--json'),
      cli.run('drafts', 's1', '--save', '--project', 'kiosk', '--json'),
      cli.run('drafts', 's1', '--stage', '--project', 'kiosk', '--json'),
      cli.run('triage', '--transcript', transcript, '--json'),
      cli.run('messages', '--session', 's1', '--json'),
      cli.run('timeline', '--session', 's1', '--json'),
    ];
    for (let n = 0; n < PLANTED.length; n += 4) {
      answers.push(cli.runIn({ input: draftOf(PLANTED.slice(n, n + 4), n) }, 'save', 'decision', '--input', '-', '--json'));
    }
    const asked = written(
      cli,
      'prompts.jsonl',
      PLANTED.map(({ text: words }) => JSON.stringify({ prompt: `why was the draft decided: ${words}` })),
    );
    const prompt = `why is draft number 4 so simple? ${PLANTED[4]?.text ?? ''}`;
    answers.push(
      cli.run('recall', '--batch', asked, '--json'),
      cli.run('recall', prompt, '--session', 's9', '--json'),
      cli.run('search', PLANTED[7]?.needles[0] ?? '', '--json'),
      cli.run('brief', '--json'),
      cli.run('why', '--json'),
      cli.run('doctor', '--json'),
    );
    for (const [nth, { code, err }] of answers.entries()) expect(code, `${nth}: ${err}`).toBeLessThan(2);
    // The look finds what is there: in the transcripts that were given.
    expect(leaksUnder(path.join(cli.folder, 'inbox')).length).toBeGreaterThanOrEqual(LEAST.secrets);
    expect(leaksUnder(cli.home)).toEqual([]);
    expect(leaksUnder(cli.project)).toEqual([]);
  });

  it('have 200 lookalikes that stay readable, in messages and in a record', () => {
    expect(lookalikes.length).toBeGreaterThanOrEqual(LEAST.lookalikes);
    const cli = program();
    const file = written(
      cli,
      's2.jsonl',
      lookalikes.map((words, n) => said(words, { uuid: `l${n}`, sessionId: 's2' })),
    );
    cli.ask('import', file);
    const { messages } = cli.ask('messages', '--session', 's2') as unknown as { messages: { message_id: string; text: string }[] };
    const kept = new Map(messages.map((message) => [message.message_id, message.text]));
    expect(lookalikes.filter((words, n) => kept.get(`l${n}`) !== words.trim()).length).toBeLessThanOrEqual(MOST_WRONG);
    const steps = JSON.stringify({ title: 'Lookalikes', tags: ['x'], content: { trigger: 'x', steps: lookalikes, verification: 'y' } });
    cli.askIn({ input: steps }, 'save', 'runbook', '--input', '-');
    const { record } = cli.ask('show', 'lookalikes') as unknown as { record: { content: { steps: string[] } } };
    expect(lookalikes.filter((words, n) => record.content.steps[n] !== words).length).toBeLessThanOrEqual(MOST_WRONG);
  });
});
