import fs from 'node:fs';

/** Rounds of each task in each way. With three ways, each runs first once, while its data is not in memory yet. */
const ROUNDS = 3;

export interface Way {
  readonly name: string;
  readonly run: (nth: number) => Promise<unknown>;
}

/** What a way takes, in milliseconds: by the clock, and of processors, which other programs on the machine do not stretch. */
export interface Taken {
  readonly clock: number;
  /** Of this process and PostgreSQL's; NaN where the system does not tell. */
  readonly processor: number;
}

const schedule = (pid: string): string => fs.readFileSync(`/proc/${pid}/schedstat`, 'utf8');

/** Processor time of the server's processes: each is one thread. */
function processorOfServer(postmaster: number): number {
  try {
    const pids = fs.readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ');
    return pids.reduce((sum, pid) => sum + Number(schedule(pid).split(' ')[0]), 0) / 1e6;
  } catch {
    // Only Linux has /proc.
    return Number.NaN;
  }
}

async function takenBy(work: () => Promise<unknown>, postmaster: number): Promise<Taken> {
  const server = processorOfServer(postmaster);
  const own = process.cpuUsage();
  const began = performance.now();
  await work();
  const clock = performance.now() - began;
  const { user, system } = process.cpuUsage(own);
  return { clock, processor: (user + system) / 1e3 + processorOfServer(postmaster) - server };
}

const median = (values: readonly number[]): number => values.toSorted((x, y) => x - y)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Runs the same tasks in several ways, in turn, so that a busy machine slows all alike. For each task the least time of all rounds counts. */
export async function compared(ways: readonly Way[], tasks: number, postmaster: number): Promise<readonly Taken[]> {
  const least = ways.map(() => Array.from({ length: tasks }, (): Taken => ({ clock: Infinity, processor: Infinity })));
  for (let round = 0; round < ROUNDS; round++) {
    for (let nth = 0; nth < tasks; nth++) {
      for (const first of ways.keys()) {
        const way = (first + round) % ways.length;
        const { run } = ways[way] as Way;
        const [before, now] = [least[way]?.[nth] as Taken, await takenBy(() => run(nth), postmaster)];
        (least[way] as Taken[])[nth] = { clock: Math.min(before.clock, now.clock), processor: Math.min(before.processor, now.processor) };
      }
    }
  }
  return ways.map(({ name }, way) => {
    const all = least[way] ?? [];
    const taken = { clock: median(all.map(({ clock }) => clock)), processor: median(all.map(({ processor }) => processor)) };
    const milliseconds = (ms: number): string => `${ms.toFixed(2).padStart(8)} ms`;
    console.log(
      `  ${name.padEnd(46)} ${milliseconds(taken.clock)} by the clock, ${milliseconds(taken.processor)} of processors (medians of the least of ${ROUNDS})`,
    );
    return taken;
  });
}

/** How many times as long one takes as another. */
export const ratioOf = (one: Taken | undefined, other: Taken | undefined): string => {
  const ratio = (of: keyof Taken): string => ((one?.[of] ?? Number.NaN) / (other?.[of] ?? Number.NaN)).toFixed(2);
  return `${ratio('clock')} by the clock, ${ratio('processor')} of processors`;
};
