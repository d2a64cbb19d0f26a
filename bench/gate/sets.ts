import fs from 'node:fs';
import path from 'node:path';
import type { Category } from '../../src/core/record/category.ts';

/** A record as a set of prompts gives it. */
export interface GateRecord {
  readonly category: Category;
  readonly title: string;
  readonly body: string;
  readonly tags: readonly string[];
  readonly related_files: readonly string[];
  readonly trust?: 'confirmed' | 'observed';
  readonly retired?: boolean;
}

/** A prompt with the records that answer it: `how` says in which way, `why` why none does. */
export interface GatePrompt {
  readonly prompt: string;
  readonly records: readonly number[];
  readonly how?: string;
  readonly why?: string;
}

export interface GateProject {
  readonly name: string;
  readonly records: readonly GateRecord[];
  readonly prompts: readonly GatePrompt[];
}

/** Projects of a file in the form of `gate-dev.json`. */
export const projectsIn = (file: string): readonly GateProject[] =>
  (JSON.parse(fs.readFileSync(file, 'utf8')) as { readonly projects: readonly GateProject[] }).projects;

interface Label {
  readonly kind: 'own' | 'row' | 'none' | 'near';
  readonly prompt?: string;
  readonly row?: number;
  readonly group?: string;
  readonly gold?: readonly number[];
  readonly like?: string;
}

interface Query {
  readonly kind: string;
  readonly query: string;
  readonly gold_possibly_cut_short: boolean;
}

const CATEGORY: Readonly<Record<string, Category>> = {
  'learning.repo': 'constraint',
  'learning.workflow': 'preference',
  'learning.code': 'decision',
  friction: 'runbook',
  open_item: 'tech_debt',
};
/** Most records without a prompt in each category. */
const MOST = 100;

const rowsOf = <T>(file: string): T[] =>
  fs
    .readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

/**
 * What was learned in the sessions of coding-sessions-dev, a record a row, and prompts about it (`gate-prompts.jsonl`): `own` were written for rows of that
 * data, `row` are other rows about the same fact, which are no records; `none` are everyday prompts, `near` are about the project with nothing stored.
 */
export function sessionsProject(data: string, labelled: string): GateProject | undefined {
  const file = path.join(data, 'coding-sessions-dev', 'queries.jsonl');
  if (!fs.existsSync(file)) return undefined;
  const [rows, labels] = [rowsOf<Query>(file), rowsOf<Label>(labelled)];
  const [promptRows, gold] = [new Set(labels.map(({ row }) => row)), new Set(labels.flatMap((label) => label.gold ?? []))];
  const counts = new Map<Category, number>();
  const stored = [...rows.entries()].flatMap(([at, { kind, query, gold_possibly_cut_short: isCut }]) => {
    const category = CATEGORY[kind];
    if (category === undefined || isCut || promptRows.has(at)) return [];
    const count = (counts.get(category) ?? 0) + (gold.has(at) ? 0 : 1);
    if (count > MOST && !gold.has(at)) return [];
    counts.set(category, count);
    return [{ at, category, query }];
  });
  const answering = ({ gold: numbers = [], like }: Label): number[] => {
    const pattern = like === undefined ? undefined : new RegExp(like, 'i');
    return stored.flatMap(({ at, query }, nth) => (numbers.includes(at) || pattern?.test(query) === true ? [nth] : []));
  };
  return {
    name: 'coding-sessions-dev',
    records: stored.map(({ category, query }) => ({ category, title: '', body: query, tags: [], related_files: [], trust: 'observed' })),
    prompts: labels.map((label) => ({
      prompt: label.prompt ?? rows[label.row ?? -1]?.query ?? '',
      records: answering(label),
      ...(label.kind === 'own' || label.kind === 'row' ? { how: label.kind } : { why: label.kind === 'near' ? 'same project' : (label.group ?? 'none') }),
    })),
  };
}
