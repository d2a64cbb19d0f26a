import { randomUUID } from 'node:crypto';
import { LedgerFile } from '../../src/adapters/files/token-ledger.ts';
import { openDatabase } from '../../src/adapters/sqlite/binding.ts';

/** Sets tokens aside again and again, settles every second call, and says how often it was allowed to. */
async function spend([file = '', count = '0', tokens = '0', limit = '0']: readonly string[]): Promise<void> {
  const ledger = new LedgerFile({ file, openDatabase, now: Date.now, newId: randomUUID });
  let allowed = 0;
  for (let n = 0; n < Number(count); n++) {
    const reserved = await ledger.reserve(Number(tokens), Number(limit));
    if (!reserved.ok) continue;
    allowed++;
    if (n % 2 === 0) await reserved.value.settle(Number(tokens));
  }
  process.stdout.write(JSON.stringify({ allowed }));
}

void spend(process.argv.slice(2)).catch((cause: unknown) => {
  process.stderr.write(`${String(cause)}\n`);
  process.exitCode = 1;
});
