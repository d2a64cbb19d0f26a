import { expect, test } from 'vitest';
import { redact } from '../../../src/core/redact/redact.ts';

/** Texts that make careless patterns slow: every opener repeated without its end, and runs of what tokens are made of. */
const HOSTILE = [
  'a', 'A1', 'aB3/', ' ', '\n', '\\', '"', '\\"', '😀', 'password=', 'password: "', 'password="', "pass='", 'pass:', 'auth=', 'api_key=', 'API_KEY=a1', 'token is ', 'password for a is ',
  'passphrase for ', 'secret,\n ', 'machine x login y password ', 'key: >-\n ', '| key | ', 'sk-', 'sk-ant-', 'gh' + 'p_', 'gh' + 'p_a1', 'ey' + 'J', 'ey' + 'JhbGciOiJI.', '://', 'a://b:', 'a://b:c', 'postgres://a:',
  '-----BEGIN PRIVATE KEY-----', '-----BEGIN PRIVATE KEY-----\nAb: c\n', 'private-lines: 1\n', '<private>', '<private></private>', 'Authorization: ', 'bearer ', 'curl ', 'curl -u a:', 'echo a ', 'AK' + 'IA',
  '12:', '1234567890:', '0Q~', '.atlasv1.', '-us', 'sig=%2B', 'MTA', 'S' + 'G.a', '[redacted:x]', 'password=[redacted:x]', 'data:image/png;base64,iVBORw0KGgo', 'identified by ', "token=a1B2c3D4e5F6 ",
];

const MEGABYTE = 1_000_000;
const fill = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

const millis = (text: string): number => {
  const started = performance.now();
  redact(text);
  return performance.now() - started;
};

test('hostile text costs time in proportion to its length', () => {
  let worst = { piece: '', ms: 0 };
  for (const piece of HOSTILE) {
    const half = fill(piece, MEGABYTE / 2);
    const whole = fill(piece, MEGABYTE);
    let [short, long] = [millis(half), millis(whole)];
    // Other processes share the machine: what looks slow is measured again before it is believed.
    for (let again = 0; again < 4 && long > 3 * short + 100; again++) [short, long] = [Math.min(short, millis(half)), Math.min(long, millis(whole))];
    expect(long, `${JSON.stringify(piece)}: ${short.toFixed(0)} ms for 0.5 MB, ${long.toFixed(0)} ms for 1 MB`).toBeLessThanOrEqual(3 * short + 100);
    if (long > worst.ms) worst = { piece, ms: long };
  }
  console.log(`hostile text: ${HOSTILE.length} kinds, slowest megabyte ${worst.ms.toFixed(0)} ms (${JSON.stringify(worst.piece)})`);
});
