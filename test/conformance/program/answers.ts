import { createInterface } from 'node:readline';
import { isFailure } from '../../../src/core/failure.ts';
import type { Bench } from './bench.ts';
import type { Case } from './case.ts';
import { work } from './steps.ts';

async function answer(bench: Bench, { id, given, steps }: Case): Promise<object> {
  try {
    await bench.lay(given);
    const names = new Map<string, string>();
    const outcomes: object[] = [];
    for (const step of steps) {
      await bench.takeIn();
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

/** Reads one lifecycle case a line, works it on a bench of its own, prints one answer a line, in order. `atOnce` cases wait for their store side by side. */
export async function answerAll(open: () => Promise<Bench>, atOnce = 1): Promise<void> {
  const running: Promise<object>[] = [];
  const printNext = async (): Promise<void> => void process.stdout.write(`${JSON.stringify(await running.shift())}\n`);
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    running.push(open().then((bench) => answer(bench, JSON.parse(line) as Case)));
    if (running.length >= atOnce) await printNext();
  }
  while (running.length > 0) await printNext();
}
