import { once } from '../value.ts';
import { CATEGORIES } from '../record/category.ts';
import { CATEGORY_KEYS, THRESHOLD_KEYS } from './categories.ts';
import { bool, byPerson, globs, int, type KeySpec, map, oneOf, text, type ValueOf } from './spec.ts';

/** The one table of settings: defaults, checks, `config list` and docs/configuration.md all come from it; docs.ts says what each does. */

const SWITCHES = once(
  () =>
    ({
      on: bool(false, 'nothing'),
      enabled: bool(true, 'tighten'),
      mode: oneOf(['auto', 'session', 'manual'], 'auto', 'tighten'),
      identity: oneOf(['repository', 'worktree', 'remote'], 'repository', 'nothing'),
      breadcrumb: oneOf(['auto', true, false], 'auto', 'nothing'),
    }) as const,
);

const STORAGE = once(
  () =>
    ({
      'storage.root': oneOf(['private', 'shared'], 'private', 'nothing'),
      'storage.memoryFolder': oneOf(['use', 'ignore'], 'use', 'nothing'),
      'storage.format': oneOf(['markdown', 'json'], 'markdown', 'nothing'),
      ...byPerson({ 'staging.dir': text('', 'nothing') }),
      'staging.keepDays': int(14, 'nothing', { max: 3650 }),
      'archive.maxBytes': int(1_073_741_824, 'nothing'),
    }) as const,
);

const MEMORY_FILE = once(
  () =>
    ({
      autoLoad: bool(true, 'tighten'),
      autoUpdate: bool(true, 'tighten'),
      updateThreshold: int(3, 'nothing', { max: 10_000 }),
      maxMemorySize: int(50_000, 'nothing', { min: 1000, max: 10_000_000 }),
      backupEnabled: bool(true, 'nothing'),
      compressionThreshold: int(30_000, 'nothing', { min: 1000, max: 10_000_000 }),
    }) as const,
);

const INJECTION = once(
  () =>
    ({
      'retrieval.max_inject': int(5, 'tighten', { max: 20 }),
      'inject.startTokens': int(600, 'tighten', { max: 20_000 }),
      'inject.promptTokens': int(500, 'tighten', { max: 20_000 }),
      'inject.subagents': oneOf(['full', 'brief', 'pointer', 'off'], 'brief', 'tighten'),
      'inject.subagentTokens': int(600, 'tighten', { max: 20_000 }),
      'inject.sessionTokens': int(12_000, 'tighten', { max: 1_000_000 }),
    }) as const,
);

const CAPTURE = once(
  () =>
    ({
      'capture.flow': oneOf(['auto', 'inline', 'agents', 'end', 'off'], 'auto', 'nothing'),
      'capture.exclude': globs('tighten'),
      'triage.parallel.enabled': bool(true, 'nothing'),
      'triage.parallel.category_models': map(CATEGORIES, { decision: 'sonnet', constraint: 'sonnet' }, 'harmless'),
      'triage.parallel.default_model': text('haiku', 'nothing'),
      'triage.parallel.verification_model': text('sonnet', 'nothing'),
    }) as const,
);

const MODEL = once(
  () =>
    ({
      ...byPerson({
        'model.drafting': oneOf(['host', 'command', 'api', 'none'], 'host', 'nothing'),
        'model.command': text('', 'nothing'),
        'model.protocol': oneOf(['anthropic', 'openai', 'ollama'], 'anthropic', 'nothing'),
        'model.endpoint': text('', 'nothing'),
        'model.name': text('', 'nothing'),
        'model.keyVariable': text('', 'nothing'),
      }),
      'model.dailyTokens': int(200_000, 'tighten'),
      'model.timeoutSeconds': int(120, 'nothing', { min: 1, max: 3600 }),
    }) as const,
);

const EMBEDDING = once(() =>
  byPerson({
    'embed.provider': oneOf(['none', 'minilm', 'ollama', 'openai'], 'none', 'nothing'),
    'embed.endpoint': text('', 'nothing'),
    'embed.model': text('', 'nothing'),
    'embed.keyVariable': text('', 'nothing'),
  }),
);

const LIFECYCLE = once(
  () =>
    ({
      max_memories_per_category: int(100, 'nothing', { min: 1, max: 1_000_000 }),
      'delete.grace_period_days': int(30, 'nothing', { max: 36_500 }),
      'delete.archive_retired': bool(true, 'nothing'),
      'synthesis.autoAfter': int(0, 'nothing', { max: 10_000 }),
      'synthesis.structure': oneOf(['fixed', 'dynamic'], 'fixed', 'nothing'),
      'synthesis.maxChars': int(20_000, 'nothing', { min: 1000, max: 1_000_000 }),
      'synthesis.warnAfterDays': int(14, 'nothing', { min: 1, max: 36_500 }),
    }) as const,
);

type Table = Readonly<Record<string, KeySpec>>;

const TABLES = [
  SWITCHES,
  STORAGE,
  MEMORY_FILE,
  INJECTION,
  CAPTURE,
  THRESHOLD_KEYS,
  MODEL,
  EMBEDDING,
  LIFECYCLE,
  CATEGORY_KEYS,
] as const satisfies readonly (() => Table)[];
/** The keys that a search needs come first, so that it need not build the other tables. */
const TABLES_IN_ORDER: readonly (() => Table)[] = [...new Set<() => Table>([SWITCHES, EMBEDDING, STORAGE, ...TABLES])];

type Merged<T> = (T extends unknown ? (table: T) => void : never) extends (table: infer M) => void ? M : never;
type ConfigKeys = Merged<ReturnType<(typeof TABLES)[number]>>;

export type ConfigKey = keyof ConfigKeys;
export type ConfigValue<K extends ConfigKey> = ValueOf<ConfigKeys[K]>;

const tableWith = (key: string): Table | undefined => TABLES_IN_ORDER.find((table) => Object.hasOwn(table(), key))?.();

export const isConfigKey = (key: string): key is ConfigKey => tableWith(key) !== undefined;
export const specOf = (key: ConfigKey): KeySpec => tableWith(key)?.[key] as KeySpec;
export const configKeys = (): readonly ConfigKey[] => TABLES.flatMap((table) => Object.keys(table()) as ConfigKey[]);

/** The keys under the headings for display. */
export const sections = (): readonly { readonly title: string; readonly keys: readonly ConfigKey[] }[] =>
  [
    { title: 'Switches', table: SWITCHES() },
    { title: 'Storage', table: STORAGE() },
    { title: 'MEMORY.md', table: MEMORY_FILE() },
    { title: 'Injection', table: INJECTION() },
    { title: 'Capture and triage', table: { ...CAPTURE(), ...THRESHOLD_KEYS() } },
    { title: 'Models', table: MODEL() },
    { title: 'Embedding', table: EMBEDDING() },
    { title: 'Lifecycle', table: LIFECYCLE() },
    { title: 'Categories', table: CATEGORY_KEYS() },
  ].map(({ title, table }) => ({ title, keys: Object.keys(table) as ConfigKey[] }));
