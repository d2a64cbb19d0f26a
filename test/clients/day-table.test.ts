import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Scene } from './model/script.ts';
import { clients } from './sandbox/clients.ts';
import { INLINE_REQUEST } from './sandbox/drafts.ts';
import { filesIn, holdfast, SAVE } from './sandbox/plugin.ts';
import { sandbox, type Sandbox } from './sandbox/sandbox.ts';
import { hasTmux, openWithServer } from './sandbox/terminal.ts';

interface Choice {
  readonly asked: string;
  readonly said: string;
  readonly record: Readonly<Record<string, unknown>>;
}

const choice = (about: string, use: string, over: string, why: string, more: object = {}): Choice => ({
  asked: `What do we take for ${about}?`,
  said: `We decided to use ${use} instead of ${over} for ${about}, because ${why}.`,
  record: { category: 'decision', text: `Use ${use} for ${about}, not ${over}`, why, ...more },
});

const FIVE = [
  choice('the order queue', 'SQLite', 'Redis', 'every till would need a server'),
  choice('the audit log', 'Parquet', 'CSV', 'the auditors query it by column'),
  choice('the label printer', 'ZPL', 'PDF', 'the printer renders it itself'),
  choice('the stock sync', 'polling', 'webhooks', 'the supplier drops half of the webhooks'),
  choice('the session tokens', 'UUIDs', 'counters', 'two servers write to the database at once'),
];
const CORRECTED = choice('the label printer', 'EPL', 'ZPL', 'the old printers know nothing else', { replaces: 'use-zpl-for-the-label-printer-not-pdf' });
const CORRECTION = 'No, the old printers cannot do that. Take EPL for the label printer.';
const REVERT = 'I reverted the session tokens, forget that decision please.';
const MORNING = 'Good morning, where were we?';

const RETIRE = SAVE.replace('memory_save', 'memory_retire');
const retire = { tool: RETIRE, input: { id: 'use-uuids-for-the-session-tokens-not-counters', reason: 'reverted', asked: REVERT } };

const scenes: readonly Scene[] = [
  {
    when: INLINE_REQUEST,
    steps: (words) => {
      const made = [...FIVE, CORRECTED].filter(({ said }) => words.includes(said.slice(0, 60))).map(({ record }) => record);
      return [{ calls: [{ tool: SAVE, input: { records: made } }] }, { text: 'Noted.' }];
    },
  },
  ...FIVE.map(({ asked, said }): Scene => ({ when: asked, steps: [{ text: said }] })),
  { when: CORRECTION, steps: [{ text: CORRECTED.said }] },
  { when: REVERT, steps: [{ calls: [retire] }, { text: 'Forgotten.' }] },
  { when: MORNING, steps: [{ text: 'As recorded: use EPL for the label printer, not ZPL, because the old printers know nothing else.' }] },
];

interface Row {
  readonly step: string;
  readonly seen: string;
  readonly requests: number;
  readonly extra: number;
  readonly injected: number;
  readonly resent: number;
  readonly seconds: number;
}

const BLOCK = /<holdfast-memory[\s\S]*?<\/holdfast-memory>|Stop hook additional context: Memory:[\s\S]*?<\/system-reminder>/g;
const tokens = (text: string): number => Math.ceil(text.length / 4);

/** What memory put on the screen, without the client's frame around it. */
const memoryLines = (screen: string, prompt: string): string =>
  screen
    .slice(Math.max(0, screen.lastIndexOf(prompt)))
    .split('\n')
    .filter((line) => /Memory|hook|holdfast|memory_|^\s*- (?:decision|constraint|preference|runbook|tech_debt)\b|the user's|Nothing is/i.test(line))
    .map((line) => line.replace(/^[\s⎿●]+/, '').trim())
    .join(' / ');

async function quiet(box: Sandbox, least: number): Promise<void> {
  for (let same = 0, before = -1, tries = 0; (same < 12 || box.model.talk().length < least) && tries < 300; tries++, await sleep(100)) {
    same = box.model.asked.length === before ? same + 1 : 0;
    before = box.model.asked.length;
  }
}

const shown = (rows: readonly Row[]): string => {
  const head = ['step', 'requests', 'of these for memory', 'tokens injected', 'tokens sent again', 'seconds', 'what memory showed'];
  const cells = rows.map(({ step, requests, extra, injected, resent, seconds, seen }) => [step, requests, extra, injected, resent, seconds.toFixed(1), seen]);
  const sum = (of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const total = [
    'all',
    sum((row) => row.requests),
    sum((row) => row.extra),
    sum((row) => row.injected),
    sum((row) => row.resent),
    sum((row) => row.seconds).toFixed(1),
    '',
  ];
  return [head, head.map(() => '---'), ...cells, total].map((line) => `| ${line.join(' | ')} |`).join('\n');
};

/** One version; `npm run test:clients -- --soak day-table` takes both. */
const chosen = process.env['HOLDFAST_SOAK'] === '1' ? clients : clients.slice(-1);

describe.skipIf(!hasTmux).each(chosen)('Claude Code $version in a terminal', (client) => {
  test('a day: five decisions, a correction, a revert, a compaction, an end, and the next morning', { timeout: 240_000 }, async () => {
    const box = await sandbox(client);
    holdfast(box, 'config', 'set', 'on', 'true');
    box.model.play(scenes);
    const rows: Row[] = [];
    const known = new Set<string>();
    const terminal = () => openWithServer(client, box, [160, 50]);
    let shell = await terminal();
    const step = async (name: string, prompt: string, own: number, least: number): Promise<Row> => {
      box.model.forget();
      await shell.type(prompt);
      await quiet(box, least);
      // A busy machine draws the screen later than it asks the model.
      const awaited = least === 3 ? 'Undo:' : '';
      for (let tries = 0; !memoryLines(shell.screen(), prompt).includes(awaited) && tries < 100; tries++) await sleep(100);
      const asked = box.model.talk();
      const fresh = asked.flatMap(({ text }) => text.match(BLOCK) ?? []).filter((block) => !known.has(block));
      for (const block of fresh) known.add(block);
      const extra = asked.slice(own);
      const row = {
        step: name,
        seen: memoryLines(shell.screen(), prompt),
        requests: asked.length,
        extra: extra.length,
        injected: tokens([...new Set(fresh)].join('')),
        resent: extra.reduce((total, { text }) => total + tokens(text), 0),
        seconds: extra.length === 0 ? 0 : ((extra.at(-1)?.at ?? 0) - (asked[0]?.at ?? 0)) / 1000,
      };
      rows.push(row);
      return row;
    };
    for (const { asked } of FIVE)
      expect(await step(asked, asked, 1, 3)).toMatchObject({ extra: 2, seen: expect.stringMatching(/Memory: kept decision\/\S+\. Undo: \/memory:undo/) });
    expect(await step('a correction', CORRECTION, 1, 3)).toMatchObject({
      extra: 2,
      seen: expect.stringMatching(/Memory: changed decision\/\S+ to "Use EPL for the label printer, not ZPL"/),
    });
    expect(await step('a revert', REVERT, 1, 2)).toMatchObject({ extra: 1 });
    await step('a compaction', '/compact', 9, 0);
    await shell.type('/exit');
    expect(await box.left()).toEqual([]);
    shell = await terminal();
    const morning = await step('the next morning', MORNING, 1, 1);
    const brief = box.model.talk()[0]?.text ?? '';
    await shell.type('/exit');
    await box.left();

    const table = `Claude Code ${client.version}\n\n${shown(rows)}`;
    console.log(table);
    const captures = path.resolve(import.meta.dirname, '../../node_modules/.cache/captures');
    mkdirSync(captures, { recursive: true });
    writeFileSync(path.join(captures, `day-${client.version}.md`), `${table}\n`);
    expect(rows.filter(({ seen }) => /hook error/i.test(seen))).toEqual([]);
    expect(morning.extra).toBe(0);
    expect(filesIn(box, 'decisions')).toHaveLength(5);
    expect(brief).toContain('EPL');
    expect(brief).not.toContain('UUIDs');
  });
});
