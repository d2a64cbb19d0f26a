import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { dataIn } from './measure.ts';

/**
 * `master.md` of real projects, to be read as a newcomer would: the sessions are imported and summarised without a model, and put together.
 * Checks that can fail: no statement stands in it twice, every section that has material has content, no line is endless, no statement is cut off.
 * `npm run bench -- master [PART OF A NAME]`
 */
const PROJECTS = ['coding-cipher-box', 'coding-oh-my-posh', 'coding-git-sync', 'coding-sessions-dev'];
const LONGEST_LINE = 520;
/** So many words in a row in two lines are one statement twice. */
const SAME_WORDS = 9;
const SECTIONS = ['Current Status', 'Key Decisions', 'Learnings & Discoveries', 'Evolution & Changes', 'Active Questions'];

interface Made {
  readonly text: string;
  readonly found: Readonly<Record<string, number>>;
}

function run(home: string, cwd: string, ...argv: readonly string[]): Record<string, unknown> {
  const program = path.resolve('dist/cli.js');
  const answer = spawnSync(process.execPath, [program, '--home', home, ...argv, '--json'], { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (answer.status !== 0) throw new Error(`holdfast ${argv.join(' ')}: ${answer.stdout}${answer.stderr}`);
  return JSON.parse(answer.stdout) as Record<string, unknown>;
}

const wordsIn = (line: string): string[] =>
  line
    .replace(/ \*\([^()]*\)\*$/, '')
    .replace(/\(\d{4}-\d{2}-\d{2}[^)]*\)/, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** The problems of a master, in words. */
function faultsOf({ text, found }: Made): string[] {
  const lines = text.split('\n').filter((line) => line.startsWith('- '));
  const seen = new Map<string, string>();
  const faults: string[] = [];
  for (const line of lines) {
    const words = wordsIn(line);
    const runs = words.length < SAME_WORDS ? [words.join(' ')] : words.slice(SAME_WORDS - 1).map((_, at) => words.slice(at, at + SAME_WORDS).join(' '));
    const twice = runs.find((one) => one !== 'nothing yet' && seen.has(one));
    if (twice !== undefined) faults.push(`twice: "${twice}"\n    ${seen.get(twice) ?? ''}\n    ${line}`);
    for (const one of runs) seen.set(one, line);
    if (line.length > LONGEST_LINE) faults.push(`endless: ${line.slice(0, 80)}…`);
  }
  for (const section of SECTIONS) {
    const body = text.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
    if ((found[section] ?? 0) > 0 && /^- Nothing yet$/m.test(body)) faults.push(`${section} is empty, though ${found[section] ?? 0} things were found for it`);
  }
  return faults;
}

function masterOf(archive: string, scratch: string): Made & { readonly project: string; readonly sessions: number } {
  const [home, cwd] = [path.join(scratch, 'home'), path.join(scratch, 'work')];
  fs.mkdirSync(cwd, { recursive: true });
  spawnSync('tar', ['xJf', archive, '-C', scratch], { stdio: 'inherit' });
  const imported = run(home, cwd, 'import', path.join(scratch, 'transcripts')) as { projects: readonly { key: string; sessions: number }[] };
  const [largest] = imported.projects.toSorted((a, b) => b.sessions - a.sessions);
  if (largest === undefined) throw new Error(`${archive} holds no session`);
  run(home, cwd, '--project', largest.key, 'summarize', '--all');
  const made = run(home, cwd, '--project', largest.key, 'synthesize', '--full') as unknown as Made;
  return { ...made, project: largest.key, sessions: largest.sessions };
}

const [part = ''] = process.argv.slice(2).filter((word, at, all) => word !== '--data' && all[at - 1] !== '--data');
const data = dataIn(process.argv.slice(2));
let wrong = 0;
for (const name of PROJECTS.filter((one) => one.includes(part))) {
  const archive = path.join(data, name, 'transcripts.tar.xz');
  if (!fs.existsSync(archive)) {
    console.log(`skipped: there is no ${archive}; --data names the folder with the data`);
    continue;
  }
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
  try {
    const made = masterOf(archive, scratch);
    const faults = faultsOf(made);
    wrong += faults.length;
    console.log(`══ ${name}: ${made.project}, ${made.sessions} sessions, ${made.text.length} characters\n\n${made.text}`);
    console.log(faults.length === 0 ? 'No fault found.\n' : `${faults.length} faults:\n${faults.map((fault) => `  ${fault}`).join('\n')}\n`);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}
process.exitCode = wrong === 0 ? 0 : 1;
