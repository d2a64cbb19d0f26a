import { createInterface } from 'node:readline';
import { isFailure } from '../../../src/core/failure.ts';
import { Bench } from './bench.ts';
import type { Case } from './case.ts';
import { work } from './steps.ts';

/** Reads one lifecycle case a line, works it on real files in a folder of its own, prints one answer a line. */
async function answer({ id, given, steps }: Case): Promise<object> {
  const bench = new Bench();
  try {
    await bench.lay(given);
    const names = new Map<string, string>();
    const outcomes: object[] = [];
    for (const step of steps) {
      outcomes.push(
        await work(bench, step, names).catch((cause: unknown) => {
          if (isFailure(cause)) return { ok: false, error: cause.code, message: cause.message };
          throw cause;
        }),
      );
      await bench.settle();
    }
    return { id, steps: outcomes, final: bench.final() };
  } finally {
    await bench.clear();
  }
}

async function answerAll(): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() !== '') process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line) as Case))}\n`);
  }
}

void answerAll();
