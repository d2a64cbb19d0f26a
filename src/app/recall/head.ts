import { isObject } from '../../core/value.ts';
import type { Evidence } from '../../core/record/schema.ts';
import { readPlain } from '../../render/front-matter/plain.ts';
import { frameOf } from '../../render/markdown/layout.ts';

/** The facts about a record that recall needs and the index does not keep. */
export interface RecordHead {
  /** The session that wrote it. */
  readonly session?: string;
  readonly supersedes: readonly string[];
  readonly evidence: readonly Evidence[];
}

const strings = (value: unknown): string[] => (Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []);

/**
 * Reads single fields of a record's file without a YAML parser, which would cost a hook more than all else. Holdfast writes these fields itself, so each can be
 * read even where a person has edited the rest.
 */
export function headOf(path: string, text: string): RecordHead {
  const fields = path.endsWith('.json') ? jsonReader(text) : frontMatterReader(text);
  const origin = fields('origin');
  const session = isObject(origin) ? origin['session_id'] : undefined;
  const evidence = fields('evidence');
  return {
    ...(typeof session === 'string' && { session }),
    supersedes: strings(fields('supersedes')),
    evidence: Array.isArray(evidence) ? evidence.filter((item): item is Evidence => isObject(item) && typeof item['path'] === 'string') : [],
  };
}

type FieldReader = (name: string) => unknown;

function jsonReader(text: string): FieldReader {
  try {
    const value: unknown = JSON.parse(text);
    return (name) => (isObject(value) ? value[name] : undefined);
  } catch {
    return () => undefined;
  }
}

function frontMatterReader(text: string): FieldReader {
  const yaml = (frameOf(text)?.yaml ?? '').replaceAll('\r\n', '\n');
  return (name) => {
    const start = yaml.startsWith(`${name}:`) ? 0 : yaml.indexOf(`\n${name}:`) + 1;
    if (start === 0 && !yaml.startsWith(`${name}:`)) return undefined;
    const end = /\n(?=\S)/.exec(yaml.slice(start));
    return readPlain(yaml.slice(start, end ? start + end.index : undefined))?.get(name);
  };
}
