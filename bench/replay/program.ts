import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export interface Spoken {
  readonly text: string;
  readonly tokens: number;
  readonly injected: readonly unknown[];
}

const SILENT: Spoken = { text: '', tokens: 0, injected: [] };

/** The built program over a home and a project of its own. */
export class BenchProgram {
  readonly folder: string;
  readonly #home: string;

  constructor(scratch: string, project = path.join(scratch, 'project')) {
    this.#home = path.join(scratch, 'home');
    this.folder = project;
    fs.mkdirSync(project, { recursive: true });
    spawnSync('git', ['-C', project, 'init', '-q']);
    this.run('start');
  }

  run(...words: readonly string[]): string {
    const { stdout } = spawnSync(process.execPath, [path.resolve('dist/cli.js'), '--home', this.#home, ...words], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      cwd: this.folder,
    });
    return stdout;
  }

  answer(...words: readonly string[]): Spoken {
    return { ...SILENT, ...(jsonOf(this.run(...words, '--json')) as Partial<Spoken>) };
  }

  /** The answers of `recall --batch` to rows, one a row. */
  batch(rows: readonly object[], ...words: readonly string[]): readonly Spoken[] {
    if (rows.length === 0) return [];
    const file = path.join(this.#home, 'rows.jsonl');
    fs.mkdirSync(this.#home, { recursive: true });
    fs.writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    return this.run('recall', '--batch', file, '--json', ...words)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ ...SILENT, ...(jsonOf(line) as Partial<Spoken>) }));
  }
}

function jsonOf(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}
