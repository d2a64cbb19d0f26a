import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { CATEGORIES } from '../../src/core/record/category.ts';
import { RECORD_SCHEMAS } from '../../src/core/record/schema.ts';
import { SCHEMA_FOLDER, schemaFiles } from '../../scripts/schemas.js';

const folder = path.join(import.meta.dirname, '../..', SCHEMA_FOLDER);
const generated = schemaFiles(RECORD_SCHEMAS);

describe('the JSON Schemas that ship', () => {
  test('are one a category and nothing else', () => {
    expect(readdirSync(folder).toSorted()).toEqual(CATEGORIES.map((category) => `${category}.schema.json`).toSorted());
  });

  test.each([...generated])('%s is what the source generates (else run `node scripts/schemas.js`)', (name, text) => {
    expect(readFileSync(path.join(folder, name), 'utf8')).toBe(text);
  });

  test.each(CATEGORIES)('%s names its draft, itself and its required fields', (category) => {
    const schema = JSON.parse(generated.get(`${category}.schema.json`) ?? '{}') as Record<string, never>;
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `urn:holdfast:record:${category}:1.0`,
      title: category,
      additionalProperties: false,
    });
    expect(schema['required']).toEqual(expect.arrayContaining(['schema_version', 'category', 'id', 'title', 'created_at', 'updated_at', 'tags', 'content']));
    expect(schema['properties']).toMatchObject({
      title: { maxLength: 120 },
      tags: { minItems: 1, maxItems: 12 },
      category: { const: category },
      content: { additionalProperties: false },
    });
  });
});
