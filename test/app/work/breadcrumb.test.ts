import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkBreadcrumb, leaveBreadcrumb } from '../../../src/app/work/breadcrumb.ts';
import { startWork } from '../../../src/app/work/begin.ts';
import { must, openMemory, type Opened } from '../memory.ts';

const by = { actor: 'test' } as const;
const check = async ({ memory }: Opened, context: string, sessionId?: string) => must(await checkBreadcrumb(memory, context, { ...by, sessionId }));

describe('a breadcrumb', () => {
  test('ends a reply while memory mode is active, and only then', async () => {
    const opened = openMemory();
    expect(must(await leaveBreadcrumb(opened.memory, by))).toBeUndefined();
    must(await startWork(opened.memory, by));
    expect(must(await leaveBreadcrumb(opened.memory, by))).toBe('<!-- MEMORY_BREADCRUMB: project 2026-03-01T12:00:00Z -->');
  });

  test('is not looked for outside memory mode, and nothing is written', async () => {
    const opened = openMemory();
    expect(await check(opened, 'anything')).toBe('inactive');
    expect(fs.existsSync(path.join(opened.root, '_session.json'))).toBe(false);
  });

  test('that is visible means that the context is intact; one that is gone, that it was compacted', async () => {
    const opened = openMemory();
    must(await startWork(opened.memory, by));
    expect(await check(opened, '')).toBe('first');
    const crumb = must(await leaveBreadcrumb(opened.memory, by)) ?? '';
    opened.at('2026-03-01T12:10:00Z');
    expect(await check(opened, `… talk …\n${crumb}\nnext question`)).toBe('intact');
    expect(await check(opened, 'a summary of the talk')).toBe('compacted');
    expect(await check(opened, 'a summary of the talk')).toBe('recovered');
    opened.at('2026-03-01T12:20:00Z');
    must(await leaveBreadcrumb(opened.memory, by));
    expect(await check(opened, `a summary that quotes ${crumb}`)).toBe('compacted');
  });

  test('is none when it belongs to another project or an older reply', async () => {
    const opened = openMemory();
    must(await startWork(opened.memory, by));
    must(await leaveBreadcrumb(opened.memory, by));
    expect(await check(opened, '<!-- MEMORY_BREADCRUMB: other 2026-03-01T12:00:00Z -->')).toBe('compacted');
  });

  test('may be written by the agent itself', async () => {
    const opened = openMemory();
    must(await startWork(opened.memory, by));
    expect(await check(opened, 'hello')).toBe('first');
    opened.at('2026-03-01T12:01:00Z');
    expect(await check(opened, 'hello <!-- MEMORY_BREADCRUMB: project 2026-03-01T12:00:40Z -->')).toBe('intact');
    expect(await check(opened, 'summary')).toBe('compacted');
  });

  test('is kept apart for each session', async () => {
    const opened = openMemory();
    must(await startWork(opened.memory, { ...by, sessionId: 'one' }));
    must(await startWork(opened.memory, { ...by, sessionId: 'two' }));
    must(await leaveBreadcrumb(opened.memory, { ...by, sessionId: 'one' }));
    expect(await check(opened, '', 'two')).toBe('first');
    expect(await check(opened, '', 'one')).toBe('compacted');
  });
});
