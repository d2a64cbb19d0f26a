import fs from 'node:fs';
import path from 'node:path';
import { refresh } from '../../src/app/index/refresh.ts';
import { openProject } from '../../test/open.ts';
import type { MemoryRecord } from '../../src/core/record/schema.ts';
import { renderRecordFile } from '../../src/render/record-file.ts';
import { rng } from '../measure.ts';

const WORDS = 30_000;
/** Stop words, which no index keeps, take the first ranks of any language. */
const FIRST_RANK = 150;

const random = rng(7);
/** Words by Zipf's law: the commonest is in seven records of a hundred, most are rare. */
const word = (): string => spelled(Math.floor(FIRST_RANK * ((WORDS + FIRST_RANK) / FIRST_RANK) ** random()));
const spelled = (rank: number): string => `q${[...rank.toString(9)].map((digit) => 'bcdfghjkl'[Number(digit)]).join('')}a`;
const words = (n: number): string => Array.from({ length: n }, word).join(' ');

function record(n: number): MemoryRecord {
  const at = new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString().slice(0, 19);
  return {
    schema_version: '1.0',
    category: 'decision',
    id: `record-${n}`,
    title: words(6),
    record_status: 'active',
    created_at: `${at}Z`,
    updated_at: `${at}Z`,
    tags: [word(), word()],
    content: { status: 'accepted', context: words(20), decision: words(25), rationale: [words(10)] },
    changes: [{ date: `${at}Z`, summary: 'Initial creation' }],
    times_updated: 0,
    trust: 'confirmed',
  };
}

/** Eight words of one of the records, like a user's query for it. */
export function queryForRecord(size: number): string {
  const { title, content } = record(Math.floor(random() * size)) as { title: string; content: { decision: string } };
  return [...title.split(' ').slice(0, 3), ...content.decision.split(' ').slice(0, 5)].join(' ');
}

/** Creates a project with so many indexed records, with memory on. */
export async function layOutProject(folder: string, size: number): Promise<{ readonly home: string; readonly project: string }> {
  const [home, project] = [path.join(folder, 'home'), path.join(folder, 'project')];
  const root = path.join(home, 'projects', 'project');
  const decisions = path.join(root, 'decisions');
  fs.mkdirSync(project, { recursive: true });
  fs.mkdirSync(decisions, { recursive: true });
  fs.writeFileSync(path.join(root, 'memory-config.json'), '{"on": true, "max_memories_per_category": 1000000}');
  for (let n = 0; n < size; n++) fs.writeFileSync(path.join(decisions, `record-${n}.md`), renderRecordFile('decisions/x.md', record(n)));
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const opened = openProject({ home, cwd: project, now: Date.now });
  if (!opened.ok) throw new Error(opened.error.message);
  await refresh(opened.value.memory, 'everything');
  await opened.value.close();
  return { home, project };
}
