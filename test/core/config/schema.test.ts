import { describe, expect, it } from 'vitest';
import { aboutOf } from '../../../src/core/config/docs.ts';
import { check } from '../../../src/core/config/check.ts';
import { configKeys, specOf } from '../../../src/core/config/keys.ts';
import { type JsonSchema, memoryConfigSchema, settingsSchema } from '../../../src/core/config/schema.ts';

const text = (schema: JsonSchema): string => `${JSON.stringify(schema, null, 2)}\n`;
const object = (value: unknown): Record<string, JsonSchema> => value as Record<string, JsonSchema>;

/** As much of JSON Schema as these schemas use. */
function fits(schema: JsonSchema, value: unknown): boolean {
  const is: Record<string, (given: unknown) => boolean> = {
    boolean: (given) => typeof given === 'boolean',
    integer: Number.isSafeInteger,
    number: (given) => typeof given === 'number',
    string: (given) => typeof given === 'string',
    array: Array.isArray,
    object: (given) => typeof given === 'object' && given !== null && !Array.isArray(given),
  };
  const { type, enum: values, minimum, maximum, minLength, maxLength, pattern, maxItems, items, properties, additionalProperties } = schema;
  if (type !== undefined && !is[type as string]?.(value)) return false;
  if (values !== undefined && !(values as unknown[]).includes(value)) return false;
  if (typeof value === 'number' && (value < (minimum as number) || value > (maximum as number))) return false;
  if (typeof value === 'string' && type === 'string') {
    const [least, most] = [(minLength as number | undefined) ?? 0, (maxLength as number | undefined) ?? Infinity];
    if (value.length < least || value.length > most || !new RegExp((pattern as string | undefined) ?? '').test(value)) return false;
  }
  if (Array.isArray(value) && type === 'array') return value.length <= (maxItems as number) && value.every((item) => fits(items as JsonSchema, item));
  if (type !== 'object') return true;
  return Object.entries(value as object).every(([name, inner]) => {
    const known = object(properties)[name];
    return known === undefined ? additionalProperties !== false : fits(known, inner);
  });
}

const schemaAt = (schema: JsonSchema, key: string): JsonSchema | undefined =>
  key.split('.').reduce<JsonSchema | undefined>((at, name) => object(at?.['properties'] ?? {})[name], schema);

const SAMPLES: readonly unknown[] = [
  true,
  false,
  0,
  1,
  -1,
  3,
  0.5,
  1_000,
  50_000,
  1e9,
  1e15,
  '',
  'auto',
  'private',
  'two\nlines',
  'x'.repeat(501),
  null,
  [],
  ['a'],
  [''],
  ['a\u0000'],
  [1],
  Array.from({ length: 201 }, () => 'a'),
  {},
  { decision: 'sonnet' },
  { decision: '' },
  { nobody: 'x' },
  { decision: 1 },
];

describe('the schemas of the settings', () => {
  it('are what the table says; `npx vitest run test/core/config/schema.test.ts -u` writes them anew', async () => {
    await expect(text(memoryConfigSchema())).toMatchFileSnapshot('../../../assets/config/memory-config.schema.json');
    await expect(text(settingsSchema())).toMatchFileSnapshot('../../../assets/config/settings.schema.json');
  });

  it.each(configKeys())('%s takes what the check takes, and nothing else', (key) => {
    const schema = schemaAt(memoryConfigSchema(), key);
    const spec = specOf(key);
    expect(schema).toMatchObject({ description: aboutOf(key), default: spec.default });
    for (const value of [...SAMPLES, spec.default]) expect([value, fits(schema ?? {}, value)]).toEqual([value, check(spec, value).ok]);
    expect(schemaAt(object(settingsSchema()['properties'])['memory'] ?? {}, key)).toEqual(schema);
  });

  it('know no key that is no setting', () => {
    expect(fits(memoryConfigSchema(), { delete: { grace_period_days: 3 }, $schema: 'x' })).toBe(true);
    expect(fits(memoryConfigSchema(), { delete: { grace: 3 } })).toBe(false);
    expect(fits(memoryConfigSchema(), { enabld: true })).toBe(false);
    expect(fits(settingsSchema(), { theme: 'dark', memory: { enabled: true } })).toBe(true);
    expect(fits(settingsSchema(), { memory: { enabled: 'yes' } })).toBe(false);
  });
});
