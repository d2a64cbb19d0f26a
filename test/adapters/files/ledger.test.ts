import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LedgerFile } from '../../../src/adapters/files/token-ledger.ts';
import { openDatabase } from '../../../src/adapters/sqlite/binding.ts';
import { bundleProgram } from '../../processes/program.ts';
import { scratch } from '../../scratch.ts';

const at = (file: string, now = () => Date.parse('2026-03-01T23:59:00Z')): LedgerFile => new LedgerFile({ file, openDatabase, now, newId: randomUUID });

describe('the daily token budget on disk', () => {
  it('is shared by all who open it, and knows what was spent today', async () => {
    const file = path.join(scratch(), 'holdfast', 'tokens');
    expect(at(file).spentToday()).toBe(0);
    expect(fs.existsSync(path.dirname(file))).toBe(false);
    const reserved = await at(file).reserve(600, 1000);
    expect(at(file).spentToday()).toBe(600);
    expect(await at(file).reserve(600, 1000)).toMatchObject({ ok: false, error: { code: 'BUDGET_EXHAUSTED' } });
    if (reserved.ok) await reserved.value.settle(100);
    expect(at(file).spentToday()).toBe(100);
    expect((await at(file).reserve(600, 1000)).ok).toBe(true);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  });

  it('begins anew at midnight', async () => {
    const file = path.join(scratch(), 'tokens');
    let now = Date.parse('2026-03-01T23:59:59Z');
    const ledger = at(file, () => now);
    await ledger.reserve(1000, 1000);
    now += 1000;
    expect(ledger.spentToday()).toBe(0);
    expect((await ledger.reserve(1000, 1000)).ok).toBe(true);
  });

  it('goes on with a damaged file', async () => {
    const file = path.join(scratch(), 'tokens');
    fs.writeFileSync(file, '{"day":"2026-03-01","spent":300,"held":[]}\n{"day":"2026-03-0\0\0');
    expect(at(file).spentToday()).toBe(300);
    expect((await at(file).reserve(700, 1000)).ok).toBe(true);
    expect(at(file).spentToday()).toBe(1000);
  });

  it('is kept by two processes at once', async () => {
    const program = await bundleProgram('spender');
    onTestFinished(() => fs.rmSync(program, { force: true }));
    const file = path.join(scratch(), 'tokens');
    const run = async (): Promise<number> => {
      const { stdout } = await promisify(execFile)(process.execPath, [program, file, '30', '10', '400']);
      return (JSON.parse(stdout) as { allowed: number }).allowed;
    };
    const allowed = await Promise.all([run(), run()]);
    expect(allowed[0] + allowed[1]).toBe(40);
    expect(at(file, Date.now).spentToday()).toBe(400);
  });
});
