/** The output of one command. */
export interface TourOutput {
  readonly code: number;
  readonly out: string;
}

export interface SampleRecord {
  readonly category: string;
  readonly [field: string]: unknown;
}

export interface TourGuide {
  say(line: string): void;
  /** Runs the program as a visitor would. */
  run(argv: readonly string[], input?: string): Promise<TourOutput>;
  /** The folder with the sample conversations. */
  readonly samples: string;
  /** The folder of the project that they are about. */
  readonly project: string;
  /** The records that an agent saved from them. */
  readonly records: readonly SampleRecord[];
  /** The next question of the visitor; undefined ends the tour. */
  ask(): Promise<string | undefined>;
}

const PROJECT = ['--project', 'tidewatch'];
const SEARCHED = 'database is locked';
const HELPED_PROMPT = 'CI is red again: database is locked while the import runs';
const UNRELATED_PROMPT = 'write a haiku about spring rain';
const WIDTH = 108;
const MOST_LINES = 8;
const MOST_ROWS = 4;
const INJECTED = '<holdfast-memory';

/** Wraps long lines, and cuts very long ones after a few rows. */
function rowsOf(line: string): readonly string[] {
  const indent = `     ${/^ */.exec(line)?.[0] ?? ''}`;
  const rows: string[] = [];
  let row = indent;
  for (const word of line.trim().split(' ')) {
    if (row.length + word.length >= WIDTH && row.trim() !== '') {
      rows.push(row);
      row = `${indent}  `;
    }
    row += row.trim() === '' ? word : ` ${word}`;
  }
  const all = [...rows, row].map((text) => text.trimEnd());
  return all.length > MOST_ROWS ? [...all.slice(0, MOST_ROWS - 1), `${all[MOST_ROWS - 1] ?? ''} …`] : all;
}
const quoted = (word: string): string => (/\s/.test(word) ? `"${word}"` : word);

/** Shows the main use with the program itself: imports conversations, saves records, finds both, and injects what helps a prompt. */
export async function tour(guide: TourGuide): Promise<boolean> {
  const { say, run, samples, project, records, ask } = guide;
  let isFine = true;
  const check = (passed: boolean): void => {
    isFine &&= passed;
  };
  const show = async (argv: readonly string[], hidden: readonly string[] = []): Promise<TourOutput> => {
    say(`   $ holdfast ${argv.map(quoted).join(' ')}`);
    const output = await run([...argv, ...hidden]);
    const lines = output.out.trimEnd().split('\n');
    for (const row of lines.slice(0, MOST_LINES).flatMap(rowsOf)) say(row);
    if (lines.length > MOST_LINES) say(`     … ${lines.length - MOST_LINES} more lines`);
    check(output.code === 0);
    return output;
  };

  say('1. Three conversations of a coding agent come in');
  await show(['import', samples], ['--project', project]);

  say('\n2. What is worth keeping becomes records: a Markdown file each');
  for (const { category, ...draft } of records) {
    const { code, out } = await run(['save', category, '--input', '-', '--quiet', ...PROJECT], JSON.stringify(draft));
    const line = out.split('\n').find((one) => one.startsWith('created')) ?? out;
    for (const row of rowsOf(line)) say(row);
    check(code === 0);
  }

  say('\n3. A search finds the record, and the message it came from');
  const hits = await show(['search', SEARCHED], ['--limit', '2', ...PROJECT]);
  check(/\brunbook\b/.test(hits.out) && hits.out.includes(', 2026-03-'));

  say('\n4. A prompt gets what helps it');
  const injection = await show(['recall', HELPED_PROMPT], PROJECT);
  check(injection.out.includes(INJECTED));

  say('\n5. And nothing when nothing would');
  const withoutInjection = await show(['recall', UNRELATED_PROMPT], PROJECT);
  check(!withoutInjection.out.includes(INJECTED));

  for (let question = await ask(); question !== undefined; question = await ask()) {
    say('');
    await show(['search', question], ['--limit', '4', ...PROJECT]);
    await show(['recall', question], PROJECT);
  }
  return isFine;
}
