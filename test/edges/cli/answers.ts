import { expect } from 'vitest';
import { draftFile, type Program } from './program.ts';

const MD5 = expect.stringMatching(/^[0-9a-f]{32}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
const WRITTEN = {
  ok: true,
  status: expect.any(String),
  id: expect.any(String),
  category: expect.any(String),
  title: expect.any(String),
  target: expect.stringMatching(/^[a-z-]+\/\S+\.md$/),
  root: expect.any(String),
  file: expect.stringMatching(/^\//),
  hash: MD5,
  times_updated: expect.any(Number),
};
const HIT = {
  kind: 'record',
  id: 'decision/use-sqlite',
  project: 'webshop',
  session_id: null,
  message_id: null,
  title: 'Use SQLite',
  snippet: expect.stringMatching(/SQLite/),
  score: expect.any(Number),
  file: expect.stringMatching(/use-sqlite\.md$/),
};

/** A command line that works in the memory of commands.test.ts, and what it answers. */
export interface Answered {
  readonly name: string;
  readonly argv: readonly string[] | ((cli: Program) => readonly string[]);
  /** One document, or one a row. */
  readonly json: object | readonly object[];
  readonly people: RegExp;
  readonly input?: string;
}

const update = (cli: Program): readonly string[] => {
  const { record, hash } = cli.ask('show', 'use-sqlite') as { record: Record<string, unknown>; hash: string };
  const changes = [...(record['changes'] as object[]), { date: '2026-01-01T00:00:00Z', summary: 'Tagged' }];
  const draft = draftFile(cli, 'update.json', { ...record, tags: ['storage', 'sql'], changes });
  return ['write', '--action', 'update', '--target', 'decisions/use-sqlite.md', '--input', draft, '--hash', hash];
};

/** Every command, for scripts and for people. */
export const ANSWERS: readonly Answered[] = [
  {
    name: 'save',
    argv: ['save', 'decision', 'Use Node because we know it', '--tag', 'Runtime', '--tag', 'js'],
    json: { ...WRITTEN, status: 'created', id: 'decision/use-node-because-we-know-it', category: 'decision', root: 'private' },
    people: /^created decision\/use-node-because-we-know-it \(d\w{3}\) {2}Use Node because we know it\n {2}\/.*\.md\n$/,
  },
  {
    name: 'save from standard input',
    argv: ['save', 'runbook', '--input', '-'],
    input: '```json\n{"title":"Restart","tags":["ops"],"content":{"trigger":"down","steps":["restart"],"verification":"up"}}\n```',
    json: { ...WRITTEN, status: 'created', id: 'runbook/restart', category: 'runbook', target: 'runbooks/restart.md' },
    people: /^created runbook\/restart \(r\w{3}\) {2}Restart\n/,
  },
  {
    name: 'save for the user',
    argv: ['save', 'preference', 'Short functions', '--user'],
    json: { ...WRITTEN, root: 'user', file: expect.stringMatching(/\/home\/user\/preferences\/short-functions\.md$/) },
    people: /^📝 Noted: Short functions\ncreated preference\/short-functions/,
  },
  {
    name: 'write update',
    argv: update,
    json: { ...WRITTEN, status: 'updated', id: 'decision/use-sqlite', times_updated: 1 },
    people: /^updated decision\/use-sqlite \(d90y\) {2}Use SQLite\n/,
  },
  {
    name: 'write delete',
    argv: ['write', '--action', 'delete', '--target', 'decisions/use-sqlite.md', '--reason', 'gone'],
    json: { ...WRITTEN, status: 'retired', reason: 'gone' },
    people: /^retired decision\/use-sqlite/,
  },
  {
    name: 'candidate',
    argv: ['candidate', '--category', 'decision', '--new-info', 'SQLite storage was replaced'],
    json: {
      candidate: { path: 'decisions/use-sqlite.md', title: 'Use SQLite', tags: ['storage'] },
      score: expect.any(Number),
      lifecycle_event: null,
      delete_allowed: false,
      pre_action: null,
      structural_cud: 'UPDATE',
      vetoes: [],
      hints: [expect.any(String)],
    },
    people: /^UPDATE {2}decisions\/use-sqlite\.md {2}Use SQLite\n/,
  },
  {
    name: 'show',
    argv: ['show', 'use-sqlite'],
    json: {
      ok: true,
      kind: 'record',
      id: 'decision/use-sqlite',
      title: 'Use SQLite',
      file: expect.stringMatching(/use-sqlite\.md$/),
      hash: MD5,
      record: expect.objectContaining({
        schema_version: '1.0',
        category: 'decision',
        id: 'use-sqlite',
        record_status: 'active',
        created_at: TIME,
        content: expect.objectContaining({ decision: 'SQLite with FTS5' }),
      }),
    },
    people: /^---\nschema_version: [\s\S]*\n# Use SQLite\n[\s\S]*## Decision\nSQLite with FTS5\n/,
  },
  {
    name: 'get',
    argv: ['get', 'decision/use-sqlite', 'rate-limit'],
    json: { ok: true, records: [expect.objectContaining({ id: 'decision/use-sqlite' }), expect.objectContaining({ id: 'constraint/rate-limit' })] },
    people: /# Use SQLite[\s\S]*# Rate limit/,
  },
  {
    name: 'edit from standard input',
    argv: ['edit', 'rate-limit', '--input', '-'],
    input: '---\ntags: [api]\n---\n# Rate limit\n\n**Type**: limitation\n\n## Rule\nAt most 50 requests a minute\n\n## Impact\n- slow imports\n',
    json: { ok: true, status: 'updated', id: 'constraint/rate-limit', file: expect.any(String), hash: MD5 },
    people: /^updated constraint\/rate-limit\n/,
  },
  {
    name: 'retire',
    argv: ['retire', 'use-sqlite', '--reason', 'moved on'],
    json: { ...WRITTEN, status: 'retired', reason: 'moved on' },
    people: /^retired decision\/use-sqlite/,
  },
  {
    name: 'retire two at once',
    argv: ['retire', 'use-sqlite', 'rate-limit'],
    json: {
      ok: true,
      records: [
        expect.objectContaining({ status: 'retired', id: 'decision/use-sqlite' }),
        expect.objectContaining({ status: 'retired', id: 'constraint/rate-limit' }),
      ],
    },
    people: /^retired decision\/use-sqlite[\s\S]*retired constraint\/rate-limit/,
  },
  { name: 'restore', argv: ['restore', 'old-habit'], json: { ...WRITTEN, status: 'restored' }, people: /^restored preference\/old-habit/ },
  {
    name: 'archive',
    argv: ['archive', 'use-sqlite'],
    json: { ...WRITTEN, status: 'archived', reason: expect.any(String) },
    people: /^archived decision\/use-sqlite/,
  },
  {
    name: 'unarchive',
    argv: ['unarchive', 'old-debt'],
    json: { ...WRITTEN, status: 'unarchived', id: 'tech_debt/old-debt' },
    people: /^unarchived tech_debt\/old-debt/,
  },
  {
    name: 'confirm',
    argv: ['confirm', 'rate-limit'],
    json: { ...WRITTEN, status: 'confirmed', id: 'constraint/rate-limit' },
    people: /^confirmed constraint\/rate-limit/,
  },
  {
    name: 'gc',
    argv: ['gc'],
    json: { ok: true, deleted: [], archived: [], expired: [], skipped: [], forgotten_versions: 0, grace_period_days: 30, dry_run: false },
    people: /^Nothing to delete \(grace period: 30 days\)\.\n$/,
  },
  {
    name: 'log',
    argv: ['log', 'old-debt'],
    json: [
      { seq: 6, op: 'archive', id: 'tech_debt/old-debt', at: TIME, actor: 'command', group: '6', undone: false },
      { seq: 5, op: 'create', id: 'tech_debt/old-debt' },
    ],
    people: /^ {4}#6 \S+ \S+ archive {3}t\w{3} {2}Old debt.*\n {4}#5 \S+ \S+ create/,
  },
  {
    name: 'diff',
    argv: ['diff', 'old-debt'],
    json: {
      ok: true,
      path: expect.stringMatching(/old-debt\.md$/),
      from: expect.any(String),
      to: expect.any(String),
      text: expect.stringMatching(/^-record_status: active\n\+record_status: archived$/m),
    },
    people: /^-record_status: active\n\+record_status: archived$/m,
  },
  {
    name: 'undo',
    argv: ['undo'],
    json: { ok: true, undone: [{ group: '6', entries: [{ path: expect.stringMatching(/old-debt\.md$/), op: 'archive', outcome: 'restored' }] }] },
    people: /^undone #6 archive t\w{3} {2}Old debt\n {2}restored \S+old-debt\.md \(archive\)\n$/,
  },
  {
    name: 'search',
    argv: ['search', 'why', 'sqlite'],
    json: { query: 'why sqlite', hits: [expect.objectContaining(HIT)] },
    people: /^d90y {2}decision {2}Use SQLite\n {2}\S.*\n$/,
  },
  { name: 'search that finds nothing', argv: ['search', 'xylophone'], json: { query: 'xylophone', hits: [] }, people: /^No hits\.\n$/ },
  {
    name: 'search of what was retired',
    argv: ['search', 'tabs', '--include-retired'],
    json: { query: 'tabs', hits: [expect.objectContaining({ id: 'preference/old-habit', status: 'retired' })] },
    people: /^p\w{3} {2}preference {2}Old habit \(retired\)/,
  },
  {
    name: 'search of a batch',
    argv: ['search', '--batch', '-'],
    input: '{"query":"sqlite","id":7}\n\n{"query":"rate limit"}\n',
    json: [
      { query: 'sqlite', id: 7, hits: [expect.objectContaining(HIT)] },
      { query: 'rate limit', hits: [expect.objectContaining({ id: 'constraint/rate-limit' })] },
    ],
    people: /^\{"query":"sqlite","id":7,"hits":\[.*\n\{"query":"rate limit".*\n$/,
  },
  {
    name: 'status',
    argv: ['status'],
    json: {
      ok: true,
      key: 'webshop',
      categories: expect.arrayContaining([
        { category: 'decision', active: 1, retired: 0, archived: 0 },
        { category: 'preference', active: 0, retired: 1, archived: 0 },
        { category: 'tech_debt', active: 0, retired: 0, archived: 1 },
      ]),
      documents: 0,
      unreadable: 0,
      quarantined: 0,
      lastActivity: TIME,
      writes: 6,
      enabled: true,
      mode: 'auto',
      project: expect.objectContaining({ key: 'webshop', hash: expect.stringMatching(/^[0-9a-f]{12}$/) }),
    },
    people: /^webshop {2}[0-9a-f]{12} {2}\/[\s\S]* {2}decision +1 active\n[\s\S]*preference +0 active, 1 retired\n/,
  },
  {
    name: 'status of the user',
    argv: ['status', '--user'],
    json: { ok: true, key: 'user', categories: expect.arrayContaining([{ category: 'preference', active: 1, retired: 0, archived: 0 }]), writes: 1 },
    people: /^user\n/,
  },
  {
    name: 'rebuild',
    argv: ['rebuild'],
    json: { ok: true, entries: 4, decisions: 1, analyses: 0, context_files: 0, subagent_outputs: 0, unreadable: [] },
    people: /^Index rebuilt\. Found 1 decisions, 0 analyses, 0 context files, 0 subagent outputs\.\n4 records in total\.\n$/,
  },
  {
    name: 'config',
    argv: ['config'],
    json: { ok: true, settings: expect.arrayContaining([{ key: 'mode', value: 'auto', source: 'default' }]) },
    people: /^mode +"auto"$/m,
  },
  {
    name: 'config get',
    argv: ['config', 'get', 'delete.grace_period_days'],
    json: { ok: true, key: 'delete.grace_period_days', value: 30, source: 'default', about: expect.any(String), takes: expect.any(String) },
    people: /^30\n$/,
  },
  {
    name: 'config set',
    argv: ['config', 'set', 'mode', 'manual'],
    json: { ok: true, key: 'mode', value: 'manual', file: expect.stringMatching(/projects\/webshop\/memory-config\.json$/) },
    people: /^mode = "manual"\n/,
  },
  {
    name: 'config set for the user',
    argv: ['config', 'set', 'mode', 'session', '--user'],
    json: { ok: true, key: 'mode', value: 'session', file: expect.stringMatching(/home\/settings\.json$/) },
    people: /^mode = "session"\n/,
  },
  {
    name: 'config unset',
    argv: ['config', 'unset', 'mode'],
    json: { ok: true, key: 'mode', value: 'auto', file: expect.any(String) },
    people: /^mode is reset to its default\n/,
  },
  {
    name: 'doctor',
    argv: ['doctor'],
    json: { ok: true, project: expect.objectContaining({ key: 'webshop' }), findings: [] },
    people: /^project webshop \([0-9a-f]{12}\) at \/[\s\S]*no problems found\n$/,
  },
  {
    name: 'completion',
    argv: ['completion', 'fish'],
    json: { ok: true, shell: 'fish', script: expect.stringContaining('complete -c holdfast') },
    people: /^complete -c holdfast/,
  },
];
