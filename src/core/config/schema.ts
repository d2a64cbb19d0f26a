import { aboutOf } from './docs.ts';
import { LIST_LIMIT, TEXT_LIMIT } from './check.ts';
import { configKeys, specOf } from './keys.ts';
import type { KeySpec } from './spec.ts';

/** JSON Schemas of the settings, generated from their table, for completion and checks in editors. */

export type JsonSchema = { readonly [name: string]: unknown };

/** One line, without control characters. */
const LINE = String.raw`^[^\u0000-\u001f\u007f\u2028\u2029]*$`;

function valueSchema(spec: KeySpec): JsonSchema {
  switch (spec.type) {
    case 'bool':
      return { type: 'boolean' };
    case 'int':
      return { type: 'integer', minimum: spec.min, maximum: spec.max };
    case 'number':
      return { type: 'number', minimum: spec.min, maximum: spec.max };
    case 'enum':
      return { enum: spec.values };
    case 'string':
      return { type: 'string', maxLength: spec.limit, pattern: LINE };
    case 'list':
      return { type: 'array', maxItems: LIST_LIMIT, items: { type: 'string', minLength: 1, maxLength: TEXT_LIMIT, pattern: LINE } };
    case 'map': {
      const entry = { type: 'string', minLength: 1, maxLength: TEXT_LIMIT, pattern: LINE };
      return { type: 'object', additionalProperties: false, properties: Object.fromEntries(spec.names.map((name) => [name, entry])) };
    }
  }
}

interface Branch {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly properties: Record<string, JsonSchema | Branch>;
}

const branch = (): Branch => ({ type: 'object', additionalProperties: false, properties: {} });

/** Nests the keys: a dot in a key is an object in the file. */
function settings(): Branch {
  const top = branch();
  for (const key of configKeys()) {
    const names = key.split('.');
    let at = top;
    for (const name of names.slice(0, -1)) at = (at.properties[name] ??= branch()) as Branch;
    const spec = specOf(key);
    at.properties[names.at(-1) ?? ''] = { description: aboutOf(key), default: spec.default, ...valueSchema(spec) };
  }
  return top;
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** The schema of a project's memory-config.json. */
export function memoryConfigSchema(): JsonSchema {
  const { properties, ...rest } = settings();
  const head = { $schema: DRAFT, $id: 'urn:holdfast:config:1.0', title: 'memory-config.json', description: 'Settings of Holdfast for one project.' };
  return { ...head, ...rest, properties: { $schema: { type: 'string' }, ...properties } };
}

/** The schema of the object `memory` in the user's settings.json, which also accepts other programs' keys. */
export const settingsSchema = (): JsonSchema => ({
  $schema: DRAFT,
  $id: 'urn:holdfast:settings:1.0',
  title: 'settings.json',
  description: 'The object `memory` holds the settings of Holdfast for all projects.',
  type: 'object',
  properties: { memory: settings() },
});
