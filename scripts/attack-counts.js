/** A vitest reporter that counts hostile inputs, and those that did no harm, by entry point. */
export default class AttackCounts {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    /** @type {Map<string, { tried: number, held: number }>} */
    const doors = new Map();
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { door } = test.meta();
        if (door === undefined || test.result().state === 'skipped') continue;
        const count = doors.get(door) ?? { tried: 0, held: 0 };
        doors.set(door, { tried: count.tried + 1, held: count.held + (test.result().state === 'passed' ? 1 : 0) });
      }
    }
    const rows = [...doors].toSorted(([one], [other]) => (one < other ? -1 : 1));
    console.log('\nHostile inputs, by the door they came through:');
    for (const [door, { tried, held }] of rows) console.log(`  ${door.padEnd(12)} ${String(held).padStart(4)} of ${tried} held`);
    const sum = (/** @type {'tried' | 'held'} */ key) => rows.reduce((total, [, count]) => total + count[key], 0);
    console.log(`  ${'all'.padEnd(12)} ${String(sum('held')).padStart(4)} of ${sum('tried')} held`);
  }
}
