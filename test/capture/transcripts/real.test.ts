import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { detectFormat, readerFor } from '../../../src/capture/transcripts/detect.ts';
import type { Message } from '../../../src/core/episode/episode.ts';
import { drain, type Reading, said, sorted } from './reading.ts';

const BENCH = fileURLToPath(new URL('../../../../shared/bench/', import.meta.url));
const LAYOUTS = path.join(BENCH, 'transcript-layouts.tar.xz');
const SESSIONS = path.join(BENCH, 'coding-sessions-dev', 'transcripts.tar.xz');
const isThere = fs.existsSync(LAYOUTS) && fs.existsSync(SESSIONS);
if (!isThere) console.warn('real transcripts skipped: no benchmark data beside the repository');

const MARKERS =
  /<(?:command-|local-command-|bash-|task-notification|system-reminder|ide_|teammate-message|holdfast-memory)|\[Request interrupted|^Caveat: The messages below|^This session is being continued/;

interface Read extends Reading {
  readonly file: string;
  readonly lines: readonly string[];
}

function readUnder(folder: string): readonly Read[] {
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name));
  return files.flatMap((file) => {
    if (!fs.statSync(file).isFile()) return [];
    const lines = fs.readFileSync(file, 'utf8').split('\n');
    const client = detectFormat(lines.slice(0, 50), file);
    return client === undefined ? [] : [{ file, lines, ...sorted(drain(readerFor(client, { path: file }), lines)) }];
  });
}

const key = ({ sessionId, id }: Message): string => `${sessionId} ${id}`;

describe.skipIf(!isThere)('real transcripts', () => {
  const folder = isThere ? fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-real-')) : '';
  let layouts: readonly Read[] = [];
  let sessions: readonly Read[] = [];

  beforeAll(() => {
    for (const archive of [LAYOUTS, SESSIONS]) execFileSync('tar', ['xJf', archive, '-C', folder]);
    layouts = readUnder(path.join(folder, 'transcript-layouts'));
    sessions = readUnder(path.join(folder, 'transcripts'));
  }, 120_000);
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('are known for what they are', () => {
    expect(sessions).toHaveLength(98);
    expect(layouts.length).toBeGreaterThan(140);
    const unread = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl') && fs.statSync(path.join(folder, name)).size > 0);
    const readFiles = new Set([...layouts, ...sessions].map(({ file }) => path.relative(folder, file)));
    expect(
      unread
        .filter((name) => !readFiles.has(name))
        .map((name) => path.basename(name))
        .toSorted(),
    ).toEqual(['empty_session.jsonl', 'journal.jsonl', 'sample_pi_session.jsonl']);
  });

  it('count no message of a file twice', () => {
    for (const { file, messages } of [...layouts, ...sessions]) expect(new Set(messages.map(key)).size, file).toBe(messages.length);
    const all = sessions.flatMap(({ messages }) => messages.map(key));
    expect(new Set(all).size).toBe(all.length);
  });

  it('give no prompt that the client wrote', () => {
    const prompts = [...layouts, ...sessions].flatMap((reading) => reading.prompts);
    expect(prompts.length).toBeGreaterThan(900);
    expect(prompts.filter((prompt) => MARKERS.test(prompt))).toEqual([]);
  });

  it('give every plain prompt', () => {
    for (const { file, lines, prompts } of sessions) {
      for (const line of lines.filter(
        (one) => /"type":"user","message":\{"role":"user","content":"[A-Za-z ]/.test(one) && !/"is(?:Meta|CompactSummary)":true/.test(one),
      )) {
        const { content } = (JSON.parse(line) as { message: { content: string } }).message;
        expect(
          prompts.some((prompt) => content.includes(prompt.slice(0, 200))),
          `${file}: ${content.slice(0, 80)}`,
        ).toBe(true);
      }
    }
  });

  it('give every tool call and every answer once', () => {
    const found = (lines: readonly string[], type: string, pattern: RegExp): number =>
      lines
        .filter((line) => line.includes(`"type":"${type}"`) && !line.includes('"type":"progress"'))
        .reduce((sum, line) => sum + (line.match(pattern)?.length ?? 0), 0);
    for (const { file, lines, messages } of sessions) {
      expect(messages.flatMap(({ toolCalls }) => toolCalls ?? []).length, file).toBe(found(lines, 'assistant', /\{"type":"tool_use","id":"/g));
      expect(messages.filter(({ role }) => role === 'tool').length, file).toBe(found(lines, 'user', /"type":"tool_result"(?=,"content":|[},])/g));
    }
  });

  it('lose no line in the coding sessions, and little in the malformed ones', () => {
    expect(sessions.flatMap(({ skipped }) => skipped)).toEqual([]);
    const reasons = layouts.flatMap(({ skipped }) => skipped.map((entry) => entry.split(' ')[1]));
    expect(reasons.length).toBeLessThan(20);
  });

  it('lose no good line beside mutated ones', () => {
    const lines = sessions.slice(0, 3).flatMap((session) => session.lines.filter((line) => line.length < 20_000).slice(0, 40));
    const mutated = fc.tuple(
      fc.constantFrom(...lines),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.string({ maxLength: 5 }),
      fc.integer({ min: 0, max: 9 }),
    );
    fc.assert(
      fc.property(fc.array(mutated, { minLength: 1, maxLength: 8 }), (changes) => {
        const mixed = changes.flatMap(([line, at, put, drop], nth) => {
          const from = Math.floor(at * line.length);
          return [`${line.slice(0, from)}${put}${line.slice(from + drop)}`.replaceAll('\n', ' '), said(`good ${nth}`, { uuid: `g${nth}`, sessionId: 'good' })];
        });
        const { messages } = sorted(drain(readerFor('claude-code'), mixed));
        expect(messages.filter(({ sessionId }) => sessionId === 'good').map(({ text }) => text)).toEqual(changes.map((_, nth) => `good ${nth}`));
      }),
      { numRuns: 100 },
    );
  });
});
