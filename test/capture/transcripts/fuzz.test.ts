import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';
import vm from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReadEvent } from '../../../src/capture/transcripts/event.ts';
import { detectFormat, readerFor } from '../../../src/capture/transcripts/detect.ts';
import { CLIENTS, type Client } from '../../../src/core/episode/episode.ts';
import { drain, fixture, read, said, sorted } from './reading.ts';
import { spent } from '../../processor.ts';
import { rounds } from '../../rounds.ts';

const FILES: readonly (readonly [Client, string])[] = [
  ['claude-code', 'claude-code-1.0.jsonl'],
  ['claude-code', 'claude-code-2.0.jsonl'],
  ['claude-code', 'claude-code-2.1.jsonl'],
  ['codex', 'rollout-2025-07-01T10-00-00-019b64e5-0000-7000-8000-000000000004.jsonl'],
  ['gemini', 'session-2025-07-01T10-00-7d0c1f00.jsonl'],
  ['gemini', 'session-2025-07-01T10-00-7d0c1f00.json'],
  ['opencode', 'opencode-export.json'],
  ['copilot', 'copilot-events.jsonl'],
  ['qwen', 'qwen-chat.jsonl'],
  ['chat', 'chat.jsonl'],
];

const wellFormed = (events: readonly ReadEvent[]): void => {
  for (const event of events) {
    if (event.kind !== 'message') continue;
    const { id, sessionId, role, text, at } = event.message;
    expect([typeof id, typeof sessionId, typeof text]).toEqual(['string', 'string', 'string']);
    expect(['user', 'assistant', 'tool']).toContain(role);
    if (at !== undefined) expect(Date.parse(at)).not.toBeNaN();
  }
};

/** Cuts between line ends that `npm test` skips. */
const EVERY = rounds(5, 1);

describe('a file that ends at any byte', () => {
  it.each(FILES)('%s %s', (client, name) => {
    const bytes = Buffer.from(fixture(name));
    const path = `/x/projects/-p/${name}`;
    const whole = read(client, bytes.toString(), { path });
    const prompts = new Set(whole.prompts);
    const invented: string[] = [];
    const lost: string[] = [];
    const doubled: number[] = [];
    let before: readonly string[] = [];
    for (let cut = 0; cut <= bytes.length; cut++) {
      if (cut % EVERY !== 0 && bytes[cut - 1] !== 10 && cut < bytes.length) continue;
      const reading = read(client, bytes.subarray(0, cut).toString(), { path });
      const ids = new Set(reading.messages.map(({ sessionId, id }) => `${sessionId} ${id}`));
      invented.push(...reading.prompts.filter((prompt) => !prompts.has(prompt)));
      lost.push(...before.filter((id) => !ids.has(id)).map((id) => `${id} at byte ${cut}`));
      if (ids.size !== reading.messages.length) doubled.push(cut);
      if (bytes[cut - 1] === 10) before = [...ids];
    }
    expect({ invented, lost, doubled }).toEqual({ invented: [], lost: [], doubled: [] });
    expect(before.length).toBeGreaterThanOrEqual(whole.messages.length - 1);
  });
});

const BYTES = ['"', '\\', '{', '}', '[', ']', ',', ':', '\u0000', '\t', '\uD800', 'é', '<', '</', '\\u12', '}{"', '<holdfast-memory', '{"type":"user"'];

interface Change {
  readonly kind: 'drop' | 'put' | 'double' | 'cut' | 'glue';
  readonly at: number;
  readonly length: number;
  readonly put: string;
}

const change = fc.record<Change>({
  kind: fc.constantFrom('drop', 'put', 'double', 'cut', 'glue'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 40 }),
  put: fc.oneof(fc.constantFrom(...BYTES), fc.string({ maxLength: 8 })),
});

function changed(line: string, { kind, at, length, put }: Change): string {
  const from = Math.floor(at * line.length);
  if (kind === 'drop') return line.slice(0, from) + line.slice(from + length);
  if (kind === 'put') return line.slice(0, from) + put + line.slice(from);
  if (kind === 'double') return line.slice(0, from + length) + line.slice(from);
  return kind === 'cut' ? line.slice(0, from) : line + line.slice(0, from);
}

describe('mutated lines', () => {
  const jsonl = FILES.filter(([client, name]) => client === 'claude-code' && name.endsWith('.jsonl')).flatMap(([, name]) =>
    fixture(name).trimEnd().split('\n'),
  );

  it('never cost a good line beside them', () => {
    const line = fc.tuple(fc.constantFrom(...jsonl), fc.array(change, { minLength: 1, maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), (lines) => {
        const good = lines.map((_, nth) => said(`good line ${nth}`, { uuid: `good-${nth}`, sessionId: 'good' }));
        const mixed = lines.flatMap(([text, changes], nth) => [changes.reduce(changed, text).replaceAll('\n', ' '), good[nth] ?? '']);
        const { messages, events } = sorted(drain(readerFor('claude-code'), mixed));
        wellFormed(events);
        const met = messages.filter(({ sessionId }) => sessionId === 'good').map(({ text }) => text);
        expect(met).toEqual(lines.map((_, nth) => `good line ${nth}`));
      }),
      { numRuns: rounds(100, 300) },
    );
  });

  it.each(FILES)('are read without a throw: %s %s', (client, name) => {
    const text = fixture(name);
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        const mutated = changes.reduce(changed, text);
        wellFormed(drain(readerFor(client), mutated.split('\n')));
        detectFormat(mutated.split('\n').slice(0, 50), name);
      }),
      { numRuns: 60 },
    );
  });
});

/** Lines of real sessions, where they lie beside the repository: the longest, the oddest and some from everywhere. */
function realLines(): readonly string[] {
  const archive = fileURLToPath(new URL('../../../../shared/bench/transcript-layouts.tar.xz', import.meta.url));
  if (!fs.existsSync(archive)) return [];
  const text = execFileSync('tar', ['-xJOf', archive, '--wildcards', '*real_projects*.jsonl'], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const lines = text.split('\n').filter((line) => line !== '' && line.length < 20_000);
  const kinds = new Map(lines.map((line) => [/"type":"[^"]+"/.exec(line)?.[0] ?? line.slice(0, 12), line]));
  return [...kinds.values(), ...lines.filter((_, nth) => nth % 97 === 0)];
}

const real = realLines();
if (real.length === 0) console.warn('mutated real lines skipped: no benchmark data beside the repository');

describe.skipIf(real.length === 0)('mutated lines of real sessions', () => {
  it('never throw and never cost the good line behind them', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...real), fc.array(change, { maxLength: 4 })), { minLength: 1, maxLength: 10 }), (lines) => {
        const mixed = lines.flatMap(([text, changes], nth) => [
          changes.reduce(changed, text).replaceAll('\n', ' '),
          said(`good line ${nth}`, { uuid: `good-${nth}`, sessionId: 'good' }),
        ]);
        const { messages, events } = sorted(drain(readerFor('claude-code'), mixed));
        wellFormed(events);
        const met = messages.filter(({ sessionId }) => sessionId === 'good').map(({ text }) => text);
        expect(met).toEqual(lines.map((_, nth) => `good line ${nth}`));
      }),
      { numRuns: rounds(100, 400) },
    );
  });
});

describe('records of any shape', () => {
  const KEYS = [
    'type',
    'message',
    'content',
    'uuid',
    'sessionId',
    'timestamp',
    'isMeta',
    'toolUseResult',
    'attachment',
    'operation',
    'origin',
    'payload',
    'id',
    'role',
    'text',
  ];
  const MORE = [
    '$set',
    'messages',
    'info',
    'parts',
    'session_id',
    'message_id',
    'toolCalls',
    'result',
    'state',
    'call_id',
    'output',
    'arguments',
    'projectHash',
    'thoughts',
    'leafUuid',
  ];
  const WORDS = [
    'user',
    'assistant',
    'tool',
    'tool_result',
    'tool_use',
    'text',
    'thinking',
    'response_item',
    'event_msg',
    'session_meta',
    'message',
    'gemini',
    'queue-operation',
    'remove',
    'enqueue',
  ];
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<unknown>(...WORDS, null, true, 0, 1e300, -1, '', '<command-name>', '2026-01-02T03:04:05Z'),
      fc.string(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...KEYS, ...MORE), tie('value'), { maxKeys: 7 }),
    ),
  }));

  it.each(CLIENTS)('are taken by the reader of %s', (client) => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 8 }), (values) => {
        wellFormed(
          drain(
            readerFor(client, { path: 'p.jsonl' }),
            values.map((one) => JSON.stringify(one)),
          ),
        );
        wellFormed(drain(readerFor(client, { path: 'p.json' }), JSON.stringify({ info: {}, sessionId: 's', messages: values }, null, 1).split('\n')));
      }),
      { numRuns: rounds(50, 150) },
    );
  });
});

describe('what could take for ever', () => {
  const many = 60_000;
  it.each<[string, string]>([
    ['openings without an end', said('<system-reminder>'.repeat(many))],
    ['openings of many tags', said(Array.from({ length: many }, (_, nth) => `<ide_${nth.toString(36).replaceAll(/\d/g, 'x')}>`).join('') + '</')],
    ['newlines', said(`x${'\n'.repeat(many)}y`)],
    ['command arguments', said(`<command-name>/x</command-name>${'<command-args>'.repeat(many)}`)],
    ['fences', said('<holdfast-memory>'.repeat(many))],
    ['record starts', '{"type":"user",'.repeat(many)],
    ['record starts in a string', `{"a":"${'x{"type":'.repeat(many)}`],
    ['opening braces', '{'.repeat(many * 4)],
    ['nested lists', `{"type":"user","message":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
    ['backslashes', `{"type":"${'\\'.repeat(many * 4 + 1)}`],
    ['white space', ' '.repeat(many * 10)],
  ])('%s', (_, line) => {
    for (const client of CLIENTS) {
      const started = spent();
      drain(readerFor(client), [line, line]);
      expect(spent() - started, client).toBeLessThan(3_000);
    }
    detectFormat([line]);
  });
});

describe('a transcript without end', () => {
  it('is read in a small, flat memory', () => {
    v8.setFlagsFromString('--expose-gc');
    const collect = vm.runInNewContext('gc') as () => void;
    const reader = readerFor('claude-code');
    const padding = 'a line of output that is like many others\n'.repeat(10);
    let nth = 0;
    const heapAfter = (lines: number): number => {
      for (const until = nth + lines; nth < until; nth++) {
        reader.push(said([{ type: 'tool_result', tool_use_id: `t${nth}`, content: `${nth} ${padding}` }], { sessionId: `s${nth >> 4}`, uuid: `u${nth}` }));
      }
      collect();
      return process.memoryUsage().heapUsed;
    };
    const full = heapAfter(20_000);
    expect(heapAfter(20_000) - full).toBeLessThan(1_000_000);
  });
});
