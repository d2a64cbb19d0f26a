import { expect } from 'vitest';
import { attack } from './attack.ts';
import { CONVERSATION, FACTS, type Json, lines, MESSAGE, RECORD, refused, take } from './hostile-bundle.ts';

attack(
  'bundle',
  'a conversation that is none',
  [
    ...['../x', '..', '/etc/x', 'a/b', 'a\\b', '', 'a\u0000b', 'x'.repeat(5_000), '.'].map(
      (id) => [`session ${JSON.stringify(id).slice(0, 20)}`, lines({ session: { ...FACTS, sessionId: id } })] as const,
    ),
    ...['evil', '__proto__', 7, null].map((client) => [`client ${JSON.stringify(client)}`, lines({ session: { ...FACTS, client } })] as const),
    ['no session', lines(MESSAGE)],
    ['two sessions', lines({ session: FACTS }, { session: FACTS })],
    ['no JSON', lines({ session: FACTS }, '{')],
    ['a fact that is no text', lines({ session: { ...FACTS, cwd: { a: 1 } } })],
    ...[
      { sessionId: 'other' },
      { role: 'system' },
      { role: '__proto__' },
      { id: 7 },
      { id: 'x'.repeat(301) },
      { text: null },
      { text: ['a'] },
      { at: 7 },
      { failed: 'yes' },
      { toolCalls: {} },
      { toolCalls: [{ id: 'c' }] },
      { thinking: 7 },
    ].map((more) => [`an entry with ${JSON.stringify(more).slice(0, 40)}`, lines({ session: FACTS }, { ...MESSAGE, ...more })] as const),
  ],
  (text) => refused(({ texts }) => void (texts[CONVERSATION] = text)),
);

attack(
  'bundle',
  'settings that start programs, name endpoints, or are none',
  [
    ['model.command', { model: { command: ['sh', '-c', 'id'] } }],
    ['model.command as a text', { model: { command: 'sh' } }],
    ['model.drafting', { model: { drafting: 'command' } }],
    ['model.endpoint', { model: { endpoint: 'http://evil.example' } }],
    ['embed.endpoint', { embed: { endpoint: 'http://evil.example' } }],
    ['staging.dir', { staging: { dir: '/tmp' } }],
    ['hooks', { hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'id' }] }] } }],
    ['permissions', { permissions: { allow: ['Bash(*)'] } }],
    ['env', { env: { NODE_OPTIONS: '--require /tmp/x' } }],
    ['__proto__', JSON.parse('{"__proto__":{"polluted":1}}') as Json],
    ['constructor', { constructor: { prototype: { polluted: 1 } } }],
    ['a dotted name', { 'model.command': ['sh'] }],
    ['deep', { model: { command: { model: { command: ['sh'] } } } }],
  ] as const satisfies readonly (readonly [string, Json])[],
  async (settings) => {
    const { ok, files } = await take(({ texts }) => void (texts['user/settings.json'] = JSON.stringify(settings)));
    expect(ok).toBe(true);
    expect(files['settings.json'] ?? '{}').not.toMatch(/command|evil|hooks|polluted|allow|NODE_OPTIONS|drafting|tmp/);
  },
);

attack(
  'bundle',
  'settings that are no JSON object',
  ['', '[]', '7', 'null', '{', '"x"'].map((text) => [JSON.stringify(text), text] as const),
  (text) => refused(({ texts }) => void (texts['user/settings.json'] = text)),
);

const TOKEN = `gh${'p_'}aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD2fG5`;
const rows = (more: object): string => lines({ session: FACTS }, { ...MESSAGE, ...more });
attack(
  'bundle',
  'a secret that a bundle brings along',
  [
    ['in a title', { record: RECORD.replace('# Use', `# Use ${TOKEN}`) }],
    ['in a text', { record: `${RECORD}${TOKEN}\n` }],
    ['in a tag', { record: RECORD.replace('---\n#', `tags: ["${TOKEN}"]\n---\n#`) }],
    ['in a section of its own', { record: `${RECORD}\n## Mine\n${TOKEN}\n` }],
    ['in a comment', { record: `${RECORD}<!-- ${TOKEN} -->\n` }],
    ['in a related file', { record: RECORD.replace('---\n#', `related_files: ["src/${TOKEN}.ts"]\n---\n#`) }],
    ['in a field that is not known', { record: RECORD.replace('---\n#', `mine: "${TOKEN}"\n---\n#`) }],
    ['in a message', { conversation: rows({ text: TOKEN }) }],
    ['in a thought', { conversation: rows({ role: 'assistant', thinking: TOKEN }) }],
    [
      'in a tool call',
      { conversation: rows({ role: 'assistant', toolCalls: [{ id: 'c', name: 'Bash', input: TOKEN, files: [`/x/${TOKEN}`], command: TOKEN }] }) },
    ],
    ['in a fact of the session', { conversation: lines({ session: { ...FACTS, branch: TOKEN, cwd: `/x/${TOKEN}` } }, MESSAGE) }],
    ['in a compaction', { conversation: lines({ session: FACTS }, { id: 'k', compaction: TOKEN }) }],
  ] as readonly (readonly [string, { record?: string; conversation?: string }])[],
  async ({ record = RECORD, conversation }) => {
    const { ok, files } = await take(({ texts }) => {
      texts['projects/webshop/private/decisions/use-sqlite.md'] = record;
      if (conversation !== undefined) texts[CONVERSATION] = conversation;
    });
    expect(ok).toBe(true);
    expect(Object.entries(files).flatMap(([name, text]) => (`${name}${text}`.includes(TOKEN) ? [name] : []))).toEqual([]);
  },
);
