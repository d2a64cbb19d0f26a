import { generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { answered, called, replied, said, text } from '../../capture/transcripts/reading.ts';
import { lookalikes } from '../../core/redact/lookalikes.ts';
import { plant } from '../../core/redact/planted.ts';
import { importHome } from './importing.ts';

/** Made up from parts, so that no scanner takes this file for a leak. */
const PLANTED = {
  github: ['ghp_', 'x7Kq2mVt9Lw4Zr8Nc3Yb6Hd1Jf5Gs0Pa2Qe4'].join(''),
  anthropic: ['sk-ant-', 'api03-Vn3kQ8wLr2Xz7Tm5Yc9Bd4Hf6Jg1Ks0PaQeWuIoRtYzXcVbNmAsDfGhJkLq'].join(''),
  aws: ['AKIA', 'Q7RLM2VX9ZT4KWNB'].join(''),
  slack: ['xoxb-', '284710395821-591827364501-Kq8Vn3LwZr2Xt7Tm5Yc9Bd4H'].join(''),
  password: ['postgres://app:', 'Zk3vQ9wLr2Xt', '@db.internal/prod'].join(''),
} as const;
const SECRET_PARTS = [
  'x7Kq2mVt9Lw4Zr8Nc3Yb6Hd1Jf5Gs0Pa2Qe4',
  'Vn3kQ8wLr2Xz7Tm5Yc9Bd4Hf6Jg1Ks0PaQeWuIoRtYzXcVbNmAsDfGhJkLq',
  'Q7RLM2VX9ZT4KWNB',
  'Kq8Vn3LwZr2Xt7Tm5Yc9Bd4H',
  'Zk3vQ9wLr2Xt',
];

describe('what must not be kept', () => {
  it.each(Object.keys(PLANTED) as (keyof typeof PLANTED)[])('a planted %s is nowhere under the home, wherever it stood', async (kind) => {
    const home = importHome();
    const secret = PLANTED[kind];
    home.write('s1.jsonl', [
      said(`My key is ${secret} keep it`, { uuid: 'u1', sessionId: 's1', gitBranch: `fix-${secret}` }),
      replied(
        'm1',
        [
          { type: 'thinking', thinking: `They gave me ${secret}` },
          text(`I will use ${secret}`),
          called('c1', 'Bash', { command: `curl -H "Authorization: Bearer ${secret}" https://api.example.org` }),
        ],
        {
          uuid: 'a1',
          sessionId: 's1',
        },
      ),
      answered('c1', `${'line of output\n'.repeat(400)}token=${secret}\n${'more output\n'.repeat(400)}`),
      JSON.stringify({ type: 'custom-title', customTitle: `About ${secret}`, sessionId: 's1' }),
    ]);
    expect((await home.run()).messages).toBe(3);
    const kept = home.everything();
    for (const part of SECRET_PARTS) expect(kept.includes(part)).toBe(false);
    expect(kept).toContain('My key is');
  });

  it('every planted secret of every kind is gone, and lookalikes stay', async () => {
    const home = importHome();
    const planted = plant(7);
    const lines = planted.flatMap(({ text: words }, n) => [
      said(words, { uuid: `u${n}`, sessionId: 's1' }),
      replied(`m${n}`, [{ type: 'thinking', thinking: words }, text(words), called(`c${n}`, 'Write', { file_path: 'notes.txt', content: words })], {
        uuid: `a${n}`,
        sessionId: 's1',
      }),
      answered(`c${n}`, `${'output '.repeat(500)}\n${words}\n${'output '.repeat(500)}`),
    ]);
    home.write('s1.jsonl', [...lines, ...lookalikes.map((words, n) => said(words, { uuid: `l${n}`, sessionId: 's2' }))]);
    await home.run();
    const kept = home.everything();
    expect(planted.length).toBeGreaterThanOrEqual(60);
    expect(
      planted
        .filter(({ needles }) => needles.some((needle) => kept.includes(needle) || kept.includes(JSON.stringify(needle).slice(1, -1))))
        .map(({ kind }) => kind),
    ).toEqual([]);
    const messages = new Map((await home.read('s2')).map(({ id, text: words }) => [id, words]));
    expect(lookalikes.filter((words, n) => messages.get(`l${n}`) !== words.trim()).length).toBeLessThanOrEqual(5);
  });

  it('a secret at either place where a long output is cut leaves no piece', async () => {
    const home = importHome();
    const filler = 'abcdefgh '.repeat(2_000);
    const secret = PLANTED.github.slice(4);
    const head = Math.floor(4_000 * (2 / 3));
    const tail = filler.length - (4_000 - head);
    const outputs = [head, tail].flatMap((cut) =>
      Array.from({ length: 12 }, (_, n) => `${filler.slice(0, cut - n * 4)} ${PLANTED.github} ${filler.slice(cut - n * 4 + 42)}`),
    );
    home.write(
      's1.jsonl',
      outputs.flatMap((output, n) => [
        replied(`m${n}`, [called(`c${n}`, 'Read', { file_path: 'a.txt' })], { uuid: `a${n}`, sessionId: 's1' }),
        answered(`c${n}`, output),
      ]),
    );
    await home.run();
    const kept = home.everything();
    expect(kept).toContain('characters cut');
    for (let at = 0; at + 12 <= secret.length; at++) expect(kept.includes(secret.slice(at, at + 12)), `piece ${at}`).toBe(false);
  });

  it('a private key whose beginning was cut away goes to its end', async () => {
    const home = importHome();
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 4096,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const output = `${'first lines of it\n'.repeat(1_500)}${privateKey}the end`;
    const inInput = `${'x '.repeat(9_000)}${privateKey}`;
    home.write('s1.jsonl', [
      replied('m1', [called('c1', 'Write', { file_path: 'key.pem', content: inInput })], { uuid: 'a1', sessionId: 's1' }),
      answered('c1', output),
    ]);
    await home.run();
    const kept = home.everything();
    for (const line of privateKey.split('\n').slice(1, -2)) expect(kept.includes(line)).toBe(false);
    expect(kept).toContain('the end');
  });

  it('private spans are dropped, nested, open or cut', async () => {
    const home = importHome();
    home.write('s1.jsonl', [
      said('Look at <private>my diary <private>very</private> secret</private> and go on', { uuid: 'u1', sessionId: 's1' }),
      replied('m1', [called('c1', 'Bash', { command: 'cat notes' })], { uuid: 'a1', sessionId: 's1' }),
      answered('c1', `start <private>${'hidden words '.repeat(3_000)}</private> visible end`),
      said('and <private>never closed diary', { uuid: 'u2', sessionId: 's1' }),
    ]);
    await home.run();
    const kept = home.everything();
    for (const word of ['diary', 'hidden words', 'never closed']) expect(kept.includes(word)).toBe(false);
    expect(kept).toContain('visible end');
    expect((await home.read('s1'))[0]?.text).toBe('Look at [private] and go on');
  });

  it('files that capture.exclude names leave neither input nor output', async () => {
    const home = importHome();
    const config = path.join(home.home, 'projects', 'kiosk', 'memory-config.json');
    fs.mkdirSync(path.dirname(config), { recursive: true });
    fs.writeFileSync(config, JSON.stringify({ capture: { exclude: ['secrets/**', '*.env', 'legal/*.txt'] } }));
    const turn = (n: number, name: string, input: object, output: string): string[] => [
      replied(`m${n}`, [text(`step ${n}`), called(`c${n}`, name, input)], { uuid: `a${n}`, sessionId: 's1' }),
      answered(`c${n}`, output),
    ];
    home.write('s1.jsonl', [
      said('Go', { uuid: 'u1', sessionId: 's1' }),
      ...turn(1, 'Read', { file_path: '/home/dev/kiosk/secrets/deep/plan.md' }, 'UNSEEN-1'),
      ...turn(2, 'Edit', { file_path: '/home/dev/kiosk/config/prod.env', new_string: 'UNSEEN-2' }, 'UNSEEN-3'),
      ...turn(3, 'Bash', { command: 'cat ./secrets/a.txt | head' }, 'UNSEEN-4'),
      ...turn(4, 'Grep', { pattern: 'key' }, 'src/a.ts:1:fine\nlegal/contract.txt:3:UNSEEN-5\nsrc/b.ts:2:also fine'),
      ...turn(5, 'Read', { file_path: '/home/dev/kiosk/src/open.ts' }, 'SEEN-1'),
    ]);
    await home.run();
    const kept = home.everything();
    expect(kept.match(/UNSEEN-\d/g)).toBeNull();
    for (const word of ['SEEN-1', 'also fine', 'step 3']) expect(kept).toContain(word);
  });

  it('what Holdfast itself put into a conversation is not captured again', async () => {
    const home = importHome();
    home.write('s1.jsonl', [
      said('Fix it <holdfast-memory>REMEMBERED decision: use blue</holdfast-memory> please', { uuid: 'u1', sessionId: 's1' }),
      replied('m1', [called('c1', 'Bash', { command: 'holdfast recall blue' })], { uuid: 'a1', sessionId: 's1' }),
      answered('c1', 'REMEMBERED decision'),
    ]);
    await home.run();
    expect(home.everything().includes('REMEMBERED')).toBe(false);
  });
});
