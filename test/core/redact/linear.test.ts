import { expect, test } from 'vitest';
import { redact } from '../../../src/core/redact/text.ts';
import { rounds } from '../../rounds.ts';

/** Texts that make careless patterns slow: every opener repeated without its end, and runs of what tokens are made of. */
const HOSTILE = [
  ...['a', 'aB3/', ' ', '\n', '\\', '\\"', 'password=', 'password: "', 'auth=', 'API_KEY=a1', 'token is ', 'passphrase for ', 'secret,\n '],
  ...[
    'machine x login y password ',
    '| key | ',
    'sk-ant-',
    'gh' + 'p_a1',
    'ey' + 'JhbGciOiJI.',
    '://',
    'a://b:c',
    'postgres://a:',
    'Authorization: ',
    'bearer ',
    'curl -u a:',
  ],
  ...['-----BEGIN PRIVATE KEY-----\nAb: c\n', 'private-lines: 1\n', '<private>', '<private></private>', 'AK' + 'IA', '1234567890:', '0Q~', 'sig=%2B', 'MTA'],
  ...[
    'cookie: a=',
    'cookie: abcdefghij=a1B2c3D4;',
    'Passwort ',
    'passwort für den ',
    'пароль от ',
    '密码是',
    'root password ',
    'seed phrase: ',
    'mnemonic abandon ',
  ],
  ...[
    'recovery phrase:\n1. ',
    'private key ',
    'xprv9',
    'htpasswd -b ',
    'net use \\\\',
    'ldapsearch -x ',
    'sqlplus a/',
    'LS0tLS1CRUdJTiBQUklWQVRFIEtFWS',
    'phpsessid=',
  ],
  ...['password=[redacted:x]', 'data:image/png;base64,iVBORw0KGgo', 'token=a1B2c3D4e5F6 '],
];

/** Small ones first, so that a pattern gone wrong fails before it takes minutes. */
const SIZES = [62_500, 250_000, 1_000_000].slice(0, rounds(2, 3));
const SLACK = 100;
const fill = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** Processor time, since other processes share the machine. */
const millis = (text: string): number => {
  const started = process.cpuUsage();
  redact(text);
  const used = process.cpuUsage(started);
  return (used.user + used.system) / 1000;
};

test('hostile text costs time in proportion to its length', () => {
  let worst = { piece: '', ms: 0 };
  for (const piece of HOSTILE) {
    let before = SIZES[0] ?? 0;
    let short = millis(fill(piece, before));
    for (const size of SIZES.slice(1)) {
      const text = fill(piece, size);
      const bound = (): number => 1.5 * (size / before) * short + SLACK;
      let long = millis(text);
      // A slow result is measured again, because garbage collection and compilation can fall into one run.
      for (let again = 0; again < 3 && long > bound(); again++) {
        short = Math.min(short, millis(fill(piece, before)));
        long = Math.min(long, millis(text));
      }
      expect(long, `${JSON.stringify(piece)}: ${short.toFixed(0)} ms for ${before} characters, ${long.toFixed(0)} ms for ${size}`).toBeLessThanOrEqual(bound());
      [short, before] = [long, size];
    }
    if (short > worst.ms) worst = { piece, ms: short };
  }
  console.log(`hostile text: ${HOSTILE.length} kinds, slowest ${worst.ms.toFixed(0)} ms for ${SIZES.at(-1)} characters (${JSON.stringify(worst.piece)})`);
}, 600_000);
