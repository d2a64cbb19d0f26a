import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll } from 'vitest';
import { root } from '../../scripts/bundle.js';
import { SqliteInjectionLog } from '../../src/adapters/sqlite/injections.ts';
import { type Program, programAt } from '../edges/cli/program.ts';
import { temporaryFolder } from '../scratch.ts';
import { plant, waiting } from './page.ts';

/** A session of assets/samples, and two messages in it. */
export const SESSION = '4e43b41b-ce72-54a1-a042-50f350f4d109';
export const PROMPT = 'cc267567-21ad-5b18-ad41-26d3326a1ac9';

/** Everything that may run, in every place where a memory has text. */
const HOSTILE = [
  '<script>window.hit = 1</script>',
  '<img src=x onerror="window.hit = 2">',
  '<svg onload="window.hit = 3"><script>window.hit = 4</script></svg>',
  '<style>body { display: none !important }</style>',
  '<a href="javascript:window.hit = 5">one</a>',
  '[two](javascript:window.hit=6)',
  '[three](data:text/html,<script>window.hit=7</script>)',
  '![four](x" onerror="window.hit=8)',
  '<iframe srcdoc="<script>parent.hit = 9</script>"></iframe>',
  '<form action="https://example.org"><input name="attributes"><button>send</button></form>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.hit=10&gt;">',
  '<p style="position:fixed;inset:0;background:red">over everything</p>',
  '<base href="https://example.org/"><meta http-equiv="refresh" content="0;url=https://example.org">',
].join('\n\n');

const CAPTURED = ['origin:', '  channel: capture', '  client: claude-code', `  session_id: ${SESSION}`, `  message_ids: [${PROMPT}]`];

/** A project with conversations, records, waiting ones, changed code and injections. */
export function exampleMemory(): Program & { readonly log: SqliteInjectionLog } {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(temporaryFolder(), 'holdfast-page-')));
  const project = path.join(folder, 'webshop');
  fs.mkdirSync(path.join(project, 'src'), { recursive: true });
  const git = (...words: string[]): void => void execFileSync('git', ['-C', project, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words]);
  fs.writeFileSync(path.join(project, 'src/storage.ts'), 'export const file = "tide.db";\n');
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'Open the tide file once', '-m', 'Opening it for each request kept the lighthouse waiting.');
  const cli = programAt(folder, path.join(folder, 'home'), project);
  cli.ask('import', path.join(root, 'assets/samples'), '--project', project);
  cli.ask('import', '--git');
  const samples = JSON.parse(fs.readFileSync(path.join(root, 'assets/sample-records.json'), 'utf8')) as Record<string, unknown>[];
  for (const { category, ...draft } of samples.slice(0, 3)) cli.askIn({ input: JSON.stringify(draft) }, 'save', String(category), '--input', '-');
  fs.writeFileSync(path.join(project, 'src/storage.ts'), 'export const file = "tide.db";\nexport const mode = "wal";\n');
  cli.ask('task', 'Make the import survive a full hour');
  cli.ask('block', 'The harbour office does not answer');
  plant(cli.records, { ...waiting('tabs', 'Tabs for indentation', 'Use tabs in Makefiles', CAPTURED), at: '2026-03-09T13:05:07Z' });
  plant(cli.records, waiting('short-names', 'Short names', 'Names of one word'));
  plant(cli.records, waiting('brief-names', 'Brief names', 'Names without prefixes'));
  plant(cli.records, { ...waiting('hostile', 'Hostile <img src=x onerror="window.hit = 11">', HOSTILE), more: ['trust: quarantined'] });
  const first = plant(cli.records, { ...waiting('first-way', 'The first way', 'Anything'), more: ['trust: confirmed', 'superseded_by: preference/old-way'] });
  fs.writeFileSync(first, fs.readFileSync(first, 'utf8').replace('record_status: active', 'record_status: retired'));
  plant(cli.records, {
    ...waiting('old-way', 'The old way', 'Spaces'),
    more: ['trust: confirmed', 'supersedes: [preference/first-way]', 'superseded_by: preference/new-way'],
  });
  plant(cli.records, { ...waiting('new-way', 'The new way', 'Tabs'), more: ['trust: confirmed', 'supersedes: [preference/old-way]'] });
  const log = new SqliteInjectionLog(path.join(cli.home, 'holdfast/projects/webshop/injections.db'));
  log.note({
    at: '2026-03-09T13:05:06Z',
    session: SESSION,
    event: 'prompt',
    tokens: 120,
    items: [
      {
        id: 'runbook/database-is-locked-while-the-import-runs',
        title: 'Database is locked while the import runs',
        updatedAt: '2026-03-01T00:00:00Z',
        score: 1.75,
        reasons: ['covers 91 % of the prompt (+1.56)', 'names a file that is open (+0.19)'],
      },
      {
        id: PROMPT,
        title: 'CI is red since this morning',
        text: 'The `import` holds **the lock** for a minute, says src/**/*.ts since 2026-03-09T13:05:06Z.\n| 1 | one row |',
        source: SESSION,
        updatedAt: '2026-03-01T00:00:00Z',
        score: 4.5,
        reasons: ['an earlier exchange shares CI, red (+4.5)'],
      },
    ],
  });
  afterAll(() => {
    log.close();
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 15, retryDelay: 100 });
  });
  return { ...cli, log };
}
