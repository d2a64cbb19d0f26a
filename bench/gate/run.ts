import fs from 'node:fs';
import path from 'node:path';
import { openDatabase } from '../../src/adapters/sqlite/binding.ts';
import { refresh } from '../../src/app/index/refresh.ts';
import { recall } from '../../src/app/recall/recall.ts';
import { newRecord } from '../../src/core/lifecycle/create.ts';
import { FOLDERS } from '../../src/core/record/category.ts';
import { draftFromText } from '../../src/core/record/from-text.ts';
import { weigh } from '../../src/recall/gate/gate.ts';
import { readPrompt } from '../../src/recall/gate/prompt.ts';
import { GATE } from '../../src/recall/gate/weights.ts';
import { renderRecordFile } from '../../src/render/record-file.ts';
import { openProject, recallContextFor } from '../../test/open.ts';
import { askingModel } from './meaning.ts';
import type { GateProject, GatePrompt } from './sets.ts';

/** A record scored for a prompt: the strength of its evidence, and whether it answers. */
export interface ScoredRecord {
  readonly strength: number;
  readonly right: boolean;
  /** Named with its deciding sentence. */
  readonly showsSentence?: boolean;
}

/** The result of one prompt. */
export interface Judged {
  readonly project: string;
  readonly prompt: GatePrompt;
  readonly injected: number;
  /** Only titles were injected. */
  readonly named: boolean;
  readonly right: boolean;
  /** The right record with its content. */
  readonly shown: boolean;
  readonly tokens: number;
  readonly text: string;
  readonly ms: number;
  /** Strongest first, without records that cannot be injected at any strength. */
  readonly weighed: readonly ScoredRecord[];
  readonly plain: readonly ScoredRecord[];
}

const nameOf = (nth: number): string => `record-${nth}`;

function writeRecords(root: string, { records }: GateProject): void {
  for (const [nth, { category, title, body, tags, related_files: files, trust = 'confirmed', retired }] of records.entries()) {
    if (retired === true) continue;
    const draft = {
      ...draftFromText(category, body),
      ...(title !== '' && { title }),
      tags: tags.length === 0 ? ['untagged'] : [...tags],
      related_files: [...files],
      trust,
    };
    const made = newRecord(draft, category, nameOf(nth), Date.UTC(2026, 0, 1) + nth * 60_000);
    if (!made.ok) throw new Error(`${title}: ${made.error.message}`);
    fs.mkdirSync(path.join(root, FOLDERS[category]), { recursive: true });
    fs.writeFileSync(path.join(root, FOLDERS[category], `${nameOf(nth)}.md`), renderRecordFile('x.md', made.value));
  }
}

/** Plain FTS5: a row a record, all words of the prompt joined by OR, BM25. */
function plainSearch({ records }: GateProject): (prompt: GatePrompt) => readonly ScoredRecord[] {
  const database = openDatabase(':memory:');
  database.exec("CREATE VIRTUAL TABLE r USING fts5(nth UNINDEXED, text, tokenize = 'porter unicode61')");
  const insert = database.prepare('INSERT INTO r (nth, text) VALUES (?, ?)');
  for (const [nth, { title, body, tags, related_files: files, retired }] of records.entries())
    if (retired !== true) insert.run(nth, [title, body, ...tags, ...files].join('\n'));
  return ({ prompt, records: gold }) => {
    const words = [...new Set(prompt.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
    // Prepared for each search: a database that only a statement refers to is closed when memory is short.
    const search = database.prepare('SELECT nth, bm25(r) AS score FROM r WHERE r MATCH ? ORDER BY rank LIMIT 5');
    const rows = words.length === 0 ? [] : search.all(words.map((word) => `"${word}"`).join(' OR '));
    return rows.map((row) => ({ strength: -Number(row['score']), right: gold.includes(Number(row['nth'])) }));
  };
}

/** Runs every prompt of a project through recall, with the sentence model of a folder if one is named. */
export async function judgeProject(folder: string, project: GateProject, model?: string): Promise<readonly Judged[]> {
  const [home, cwd] = [path.join(folder, project.name, 'home'), path.join(folder, project.name, 'project')];
  fs.mkdirSync(cwd, { recursive: true });
  writeRecords(path.join(home, 'projects', 'project'), project);
  if (model !== undefined) fs.writeFileSync(path.join(home, 'settings.json'), JSON.stringify({ memory: { embed: { provider: 'minilm' } } }));
  const opened = openProject({ home, cwd, now: Date.now });
  if (!opened.ok) throw new Error(opened.error.message);
  const { memory } = opened.value;
  await refresh(memory, 'everything');
  const { recallContext: words, close } = recallContextFor(opened.value, { home, now: Date.now });
  const asking = model === undefined ? undefined : await askingModel(model, home, memory, words);
  const recallContext = asking?.context ?? words;
  const plain = plainSearch(project);
  const judged: Judged[] = [];
  for (const prompt of project.prompts) {
    const answers = (id: string): boolean => prompt.records.some((nth) => id.endsWith(`/${nameOf(nth)}`));
    const started = performance.now();
    const { injected, tokens, text } = await recall(memory, recallContext, { prompt: prompt.prompt });
    const ms = performance.now() - started;
    const parsed = readPrompt(prompt.prompt);
    const hits = parsed.asks ? weigh(parsed.text, await recallContext.ranking(parsed.text, GATE.looked)) : [];
    judged.push({
      project: project.name,
      prompt,
      injected: injected.length,
      named: injected.every(({ named }) => named === true),
      right: injected.some(({ id }) => answers(id)),
      shown: injected.some(({ id, named }) => answers(id) && named !== true),
      tokens,
      text,
      ms,
      weighed: hits
        .filter(({ hit, isMatch }) => hit.kind === 'record' && isMatch)
        .map(({ strength, hit, showsSentence }) => ({ strength, right: answers(hit.id), showsSentence })),
      plain: plain(prompt),
    });
  }
  asking?.close();
  await close();
  await opened.value.close();
  return judged;
}
