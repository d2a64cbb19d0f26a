import { draftFromText } from '../../../core/record/from-text.ts';
import type { Category } from '../../../core/record/category.ts';
import type { SourceFile } from '../../../core/ports/foreign-memories.ts';
import type { SkippedItem, SourceItem, SourceContents } from '../source.ts';
import { draftOf } from './note.ts';

interface Entity {
  readonly name: string;
  readonly type: string;
  readonly observations: readonly string[];
}

interface Relation {
  readonly from: string;
  readonly to: string;
  readonly type: string;
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** A graph of entities and relations, one JSON object a line: an entity becomes a record, with the relations it has part in. */
export function readKnowledgeGraph(file: SourceFile): SourceContents {
  const left: SkippedItem[] = [];
  const entities = new Map<string, Entity>();
  const relations: Relation[] = [];
  for (const [number, line] of file.text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const item = readItem(line);
    if (item === undefined) left.push({ what: `line ${number + 1}`, why: 'is neither an entity nor a relation' });
    else if ('from' in item) relations.push(item);
    else entities.set(item.name, merged(entities.get(item.name), item));
  }
  for (const name of relations.flatMap(({ from, to }) => [from, to])) {
    if (!entities.has(name)) entities.set(name, { name, type: 'entity', observations: [] });
  }
  return { items: [...entities.values()].map((entity) => sourceItem(entity, relations, file.mtimeMs)), left };
}

export const isKnowledgeGraph = (source: string): boolean => {
  const [first = ''] = source.trimStart().split('\n', 1);
  return readItem(first) !== undefined;
};

const merged = (known: Entity | undefined, more: Entity): Entity =>
  known ? { ...more, observations: [...new Set([...known.observations, ...more.observations])] } : more;

function readItem(line: string): Entity | Relation | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (value === null || typeof value !== 'object') return undefined;
  const item = value as Record<string, unknown>;
  if (item['type'] === 'entity' && text(item['name']) !== '') {
    const observations = Array.isArray(item['observations']) ? item['observations'].map((one) => (typeof one === 'string' ? one : JSON.stringify(one))) : [];
    return { name: text(item['name']), type: text(item['entityType']) || 'entity', observations };
  }
  if (item['type'] !== 'relation' || text(item['from']) === '' || text(item['to']) === '') return undefined;
  return { from: text(item['from']), to: text(item['to']), type: text(item['relationType']) || 'relates to' };
}

const CATEGORY_OF: readonly (readonly [RegExp, Category])[] = [
  [/preference|convention|coding.?style/i, 'preference'],
  [/decision/i, 'decision'],
  [/constraint|limitation|policy/i, 'constraint'],
];

function sourceItem({ name, type, observations }: Entity, relations: readonly Relation[], at: number): SourceItem {
  const links = relations.filter(({ from, to }) => from === name || to === name).map(({ from, to, type: how }) => `${from} ${how} ${to}`);
  const category = CATEGORY_OF.find(([pattern]) => pattern.test(type))?.[1] ?? 'analysis';
  const body = [...observations, ...links].join('\n') || name;
  const content =
    category === 'analysis'
      ? { path: name, type: 'component', summary: `${name} (${type})`, key_findings: [...observations, ...links] }
      : (draftFromText(category, body, name)['content'] as object);
  return { from: `entity ${name}`, category, draft: draftOf({ kind: 'knowledge-graph', title: name, at, tags: [type], content }) };
}
