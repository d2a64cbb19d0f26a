import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { analyze } from '../src/recall/text/analyze.ts';
import { isObject } from '../src/core/value.ts';
import { REQUESTS, SOFTWARE } from './gate/everyday-words.ts';

/**
 * Counts how common terms are in developers' talk, and writes the table that the gate weighs terms by (`src/recall/gate/term-weight.ts`). It counts the
 * prompts and replies of the coding sessions in `--data`, project by project, and the Markdown of the packages in node_modules. A term that one project alone uses often is that
 * project's own word: a term counts as common by the median of the projects, and only if three of them use it. Four projects do not use all words of the trade:
 * those of `gate/everyday-words.ts` are common at least to the step given there.
 */
const OUT = 'src/recall/gate/term-weight.ts';
const [SHORTEST, LONGEST, DOCUMENT] = [20, 4_000, 30_000];
/** A text of a session is about this many times shorter than a document. */
const SHORTER = 6;
const FEWEST = { projects: 3, documents: 5 };
/** A term in one of so many texts, or fewer, gets the highest weight. */
const RARE = 150;
const STEPS = 4;
const LINE = 140;
const HEADING = "/** Terms by how common they are in developers' talk, the commonest first: `npm run bench -- common-words` writes all that follows. */";
/** The highest step that the words of each list can have. */
const LISTED: ReadonlyMap<string, number> = new Map([
  ...analyze(SOFTWARE).map((term) => [term, 2] as const),
  ...analyze(REQUESTS).map((term) => [term, 1] as const),
]);

interface Counts {
  texts: number;
  readonly terms: Map<string, number>;
}

const counter = (): Counts => ({ texts: 0, terms: new Map() });

function count(counts: Counts, text: string): void {
  counts.texts++;
  for (const term of new Set(analyze(text))) counts.terms.set(term, (counts.terms.get(term) ?? 0) + 1);
}

const filesIn = (folder: string, ending: string): string[] =>
  fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => (name.toLowerCase().endsWith(ending) ? [path.join(folder, name)] : []));

/** Some transcripts end in the middle of a line. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The texts of users and agents in a line of a transcript. */
function textsIn(line: string): readonly string[] {
  const row = parsed(line);
  const message = isObject(row) && (row['type'] === 'user' || row['type'] === 'assistant') ? row['message'] : undefined;
  const content = isObject(message) ? message['content'] : undefined;
  const parts: readonly unknown[] = typeof content === 'string' ? [content] : Array.isArray(content) ? content : [];
  const texts = parts.map((part) => (isObject(part) ? (part['type'] === 'text' ? part['text'] : undefined) : part));
  return texts.filter((text): text is string => typeof text === 'string' && text.length > SHORTEST && !text.startsWith('<'));
}

function talkOf(transcripts: string): Counts {
  const [counts, seen] = [counter(), new Set<string>()];
  for (const file of filesIn(transcripts, '.jsonl').toSorted())
    for (const line of fs.readFileSync(file, 'utf8').split('\n'))
      for (const text of textsIn(line)) {
        if (seen.has(text.slice(0, 300))) continue;
        seen.add(text.slice(0, 300));
        count(counts, text.slice(0, LONGEST));
      }
  return counts;
}

function documents(): Counts {
  const counts = counter();
  for (const file of filesIn('node_modules', '.md').toSorted())
    if (!/changelog|history|licen[cs]e/i.test(path.basename(file))) count(counts, fs.readFileSync(file, 'utf8').slice(0, DOCUMENT));
  return counts;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
}

/** The step of a term: 0 for the commonest, STEPS for the rarest. */
function stepOf(term: string, talk: readonly Counts[], docs: Counts): number {
  const most = LISTED.get(term) ?? STEPS;
  const used = talk.filter(({ terms }) => terms.has(term)).length;
  const spokenShare = used < FEWEST.projects ? 0 : SHORTER * median(talk.map(({ texts, terms }) => ((terms.get(term) ?? 0) + 0.3) / (texts + 30)));
  const inDocuments = docs.terms.get(term) ?? 0;
  const writtenShare = inDocuments < FEWEST.documents ? 0 : inDocuments / (docs.texts + 20);
  const share = Math.max(spokenShare, writtenShare);
  return share === 0 ? most : Math.max(0, Math.min(most, Math.round((STEPS * Math.log(1 / share)) / Math.log(RARE))));
}

function quoted(terms: readonly string[]): string {
  const lines: string[] = [];
  for (const term of terms) {
    const last = lines.at(-1);
    if (last === undefined || last.length + term.length >= LINE) lines.push(term);
    else lines[lines.length - 1] = `${last} ${term}`;
  }
  return lines.map((line, at) => `    '${line}${at === lines.length - 1 ? '' : ' '}'`).join(' +\n');
}

function main(): void {
  const at = process.argv.indexOf('--data');
  const data = path.resolve(at < 0 ? '.' : (process.argv[at + 1] ?? '.'));
  const projects = fs.existsSync(data) ? fs.readdirSync(data).filter((name) => fs.existsSync(path.join(data, name, 'transcripts.tar.xz'))) : [];
  if (projects.length < FEWEST.projects)
    return console.log(`skipped: fewer than ${FEWEST.projects} projects with transcripts.tar.xz in ${data}; give the folder with --data`);
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
  const talk = projects.map((name) => {
    const folder = path.join(scratch, name);
    fs.mkdirSync(folder);
    spawnSync('tar', ['xJf', path.join(data, name, 'transcripts.tar.xz'), '-C', folder], { stdio: 'inherit' });
    return talkOf(folder);
  });
  fs.rmSync(scratch, { recursive: true, force: true });
  const docs = documents();
  const terms = [...new Set([...LISTED.keys(), ...[...talk, docs].flatMap((counts) => [...counts.terms.keys()])])]
    .filter((term) => /^[a-z]{2,}\d*$/.test(term))
    .toSorted();
  const steps = Array.from({ length: STEPS }, (_, step) => terms.filter((term) => stepOf(term, talk, docs) === step));
  const table = steps.map((some) => `  (\n${quoted(some)}\n  ).split(' '),`).join('\n');
  const source = fs.readFileSync(OUT, 'utf8');
  fs.writeFileSync(OUT, `${source.slice(0, source.indexOf(HEADING))}${HEADING}\nexport const COMMON_TERMS: readonly (readonly string[])[] = [\n${table}\n];\n`);
  console.log(
    `${OUT}: ${steps.map((some) => some.length).join(' + ')} terms, from ${talk.map(({ texts }) => texts).join(' + ')} texts and ${docs.texts} documents`,
  );
}

main();
