import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { transformSync } from 'esbuild';
import { root } from './bundle.js';

/**
 * Lists the source files that run, with the calls into `bin`, for one prompt in a warm server, or for one saved decision, by V8's precise coverage:
 *   node scripts/walk.js prompt
 *   node scripts/walk.js save
 */
const OUT = path.join(root, 'node_modules/.cache/walk');
const COVERED = path.join(OUT, 'covered.json');

/** Each source file as one JavaScript module, so that coverage names files. */
const transpile = () => {
  rmSync(OUT, { recursive: true, force: true });
  for (const file of readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))) {
    const { code } = transformSync(readFileSync(path.join(root, 'src', file), 'utf8'), { loader: 'ts', format: 'esm', target: 'node20' });
    const out = path.join(OUT, 'src', file.replace(/\.ts$/, '.js'));
    mkdirSync(path.dirname(out), { recursive: true });
    writeFileSync(out, code.replaceAll(/(from |import\(|import )(["']\.[^"']+)\.ts(["'])/g, '$1$2.js$3'));
  }
  writeFileSync(path.join(OUT, 'package.json'), '{"type":"module"}');
  writeFileSync(path.join(OUT, 'run.js'), RUN);
};

/** Counts calls from the start or the last SIGUSR2. Writes the files with a called function at the end or at SIGUSR2. */
const RUN = `
import { Session } from 'node:inspector';
import { writeFileSync } from 'node:fs';
const [, , program, ...words] = process.argv;
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
const take = () => session.post('Profiler.takePreciseCoverage', (_, { result }) => {
  const ran = result.filter(({ url, functions }) => url.includes('/walk/src/') && functions.some(({ functionName, ranges, isBlockCoverage }) => ranges[0].count > 0 && !(functionName === '' && ranges[0].startOffset === 0)));
  const rows = ran.map(({ url, functions }) => ({
    file: url.replace(/.*\\/walk\\//, '').replace(/\\.js$/, '.ts'),
    calls: functions.filter(({ ranges }) => ranges[0].count > 0).map(({ functionName, ranges }) => (functionName || 'callback') + ' ' + ranges[0].count),
  }));
  writeFileSync(${JSON.stringify(COVERED)}, JSON.stringify(rows.sort((one, other) => (one.file < other.file ? -1 : 1))));
});
process.on('SIGUSR2', () => { take(); console.error('taken'); });
if (program === 'cli') process.on('exit', take);
process.argv = [process.argv[0], program, ...words];
await (await import('./src/bin/' + program + '.js')).run();
`;

const scratch = mkdtempSync(path.join(tmpdir(), 'holdfast-walk-'));
const project = path.join(scratch, 'shop');
mkdirSync(project);
const env = { ...process.env, HOME: scratch, HOLDFAST_HOME: path.join(scratch, '.claude') };
const TEXT = 'Use SQLite for the order queue because Redis would need a server on every till';

/** @param {string[]} words */
const cli = (...words) => spawnSync(process.execPath, [path.join(OUT, 'run.js'), 'cli', ...words], { cwd: project, env, encoding: 'utf8' });

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const walkPrompt = async () => {
  cli('config', 'set', 'on', 'true');
  cli('save', 'decision', TEXT);
  const child = spawn(process.execPath, [path.join(OUT, 'run.js'), 'mcp'], { cwd: project, env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdout.on('data', (text) => console.error(String(text).slice(0, 300)));
  const ask = (/** @type {string} */ method, /** @type {object} */ params) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
  const prompt = (/** @type {string} */ words) =>
    ask('tools/call', {
      name: 'client_event',
      arguments: { event: 'UserPromptSubmit', session_id: 'walk', cwd: project, transcript_path: path.join(project, 'none.jsonl'), prompt: words },
    });
  ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'claude-code', version: '1' } });
  await pause(4000);
  prompt('Good morning');
  await pause(2000);
  child.kill('SIGUSR2');
  await pause(500);
  prompt('Why SQLite for the order queue and not Redis?');
  await pause(1000);
  child.kill('SIGUSR2');
  await pause(500);
  child.stdin.end();
};

const walkSave = () => {
  cli('config', 'set', 'on', 'true');
  console.error(cli('save', 'decision', TEXT).stdout);
};

transpile();
await (process.argv[2] === 'save' ? walkSave() : walkPrompt());
const rows = /** @type {{ file: string, calls: string[] }[]} */ (JSON.parse(readFileSync(COVERED, 'utf8')));
// A walk must keep the number of calls into `bin` low.
for (const { file, calls } of rows) console.log(file.startsWith('src/bin/') ? `${file}: ${calls.join(', ')}` : file);
const files = rows.map(({ file }) => file);
console.log(
  `${files.length} files: ${[...new Set(files.map((file) => file.split('/')[1]))].map((layer) => `${layer} ${files.filter((file) => file.startsWith(`src/${layer}/`)).length}`).join(', ')}`,
);
rmSync(scratch, { recursive: true, force: true });
