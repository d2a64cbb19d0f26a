import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../scratch.ts';
import { PROGRAM } from '../edges/cli/program.ts';

const START = path.join(path.dirname(PROGRAM), 'start.js');

describe('npm start -- --once', () => {
  it('imports, keeps, finds, recalls what helps, stays silent otherwise, and leaves its files where it says', () => {
    const temporary = scratch();
    const { status, stdout, stderr } = spawnSync(process.execPath, [START, '--once'], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', HOME: temporary, TMPDIR: temporary },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [, imported = '', saved = '', searched = '', injection = '', withoutInjection = ''] = stdout.split(/\n?^\d\. /m);
    expect(imported).toMatch(/\d+ new messages in 3 sessions/);
    expect(saved.match(/created \w+\/[\w-]+/g)).toHaveLength(5);
    expect(searched).toMatch(/r\d\w\w {2}runbook {2}Database is locked while the import runs/);
    expect(searched).toMatch(/session 4e43b41b,\s+2026-03-09/);
    expect(injection).toMatch(/<holdfast-memory[\s\S]*journal_mode/);
    expect(withoutInjection).toContain('Nothing is injected');
    expect(withoutInjection).not.toContain('<holdfast-memory');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
    const folder = /Every record is a file: (\S+)/.exec(stdout)?.[1] ?? '';
    expect(fs.readdirSync(path.join(folder, 'runbooks'))).toContain('database-is-locked-while-the-import-runs.md');
    fs.rmSync(path.join(temporary, fs.readdirSync(temporary)[0] ?? ''), { recursive: true });
    expect(fs.readdirSync(temporary)).toEqual([]);
  });
});
