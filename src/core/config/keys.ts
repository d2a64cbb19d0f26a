import { once } from '../once.ts';
import { CATEGORIES } from '../record/category.ts';
import { CATEGORY_KEYS, THRESHOLD_KEYS } from './categories.ts';
import { bool, int, type KeySpec, list, map, oneOf, text, type ValueOf } from './spec.ts';

/** The one table of settings: defaults, checks, `config list` and docs/configuration.md all come from it; what each does stands in about.ts. */

const SWITCHES = once(
  () =>
    ({
      on: bool(false, 'never'),
      enabled: bool(true, 'lower'),
      mode: oneOf(['auto', 'session', 'manual'], 'auto', 'lower'),
      identity: oneOf(['repository', 'worktree', 'remote'], 'repository', 'never'),
      breadcrumb: oneOf(['auto', true, false], 'auto', 'never'),
    }) as const,
);

const STORAGE = once(
  () =>
    ({
      'storage.root': oneOf(['private', 'shared'], 'private', 'never'),
      'storage.memoryFolder': oneOf(['use', 'ignore'], 'use', 'never'),
      'storage.format': oneOf(['markdown', 'json'], 'markdown', 'never'),
      'staging.dir': text('', 'never'),
      'staging.keepDays': int(14, 'never', { max: 3650 }),
      'archive.maxBytes': int(1_073_741_824, 'lower'),
    }) as const,
);

const MEMORY_FILE = once(
  () =>
    ({
      autoLoad: bool(true, 'lower'),
      autoUpdate: bool(true, 'lower'),
      updateThreshold: int(3, 'lower', { max: 10_000, narrower: 'more' }),
      maxMemorySize: int(50_000, 'lower', { min: 1000, max: 10_000_000 }),
      backupEnabled: bool(true, 'never'),
      compressionThreshold: int(30_000, 'never', { min: 1000, max: 10_000_000 }),
    }) as const,
);

const INJECTION = once(
  () =>
    ({
      'retrieval.max_inject': int(5, 'lower', { max: 20 }),
      'inject.startTokens': int(1500, 'lower', { max: 20_000 }),
      'inject.promptTokens': int(800, 'lower', { max: 20_000 }),
      'inject.subagents': oneOf(['full', 'brief', 'pointer', 'off'], 'brief', 'lower'),
      'inject.subagentTokens': int(600, 'lower', { max: 20_000 }),
      'inject.sessionTokens': int(12_000, 'lower', { max: 1_000_000 }),
    }) as const,
);

const CAPTURE = once(
  () =>
    ({
      'capture.exclude': list('lower'),
      'triage.parallel.enabled': bool(true, 'never'),
      'triage.parallel.category_models': map(CATEGORIES, { decision: 'sonnet', constraint: 'sonnet' }, 'never'),
      'triage.parallel.default_model': text('haiku', 'never'),
      'triage.parallel.verification_model': text('sonnet', 'never'),
    }) as const,
);

const MODEL = once(
  () =>
    ({
      'model.drafting': oneOf(['host', 'command', 'api', 'none'], 'host', 'never'),
      'model.command': text('', 'never'),
      'model.protocol': oneOf(['anthropic', 'openai', 'ollama'], 'anthropic', 'never'),
      'model.endpoint': text('', 'never'),
      'model.name': text('', 'never'),
      'model.keyVariable': text('', 'never'),
      'model.dailyTokens': int(200_000, 'lower'),
      'model.timeoutSeconds': int(120, 'never', { min: 1, max: 3600 }),
    }) as const,
);

const EMBEDDING = once(
  () =>
    ({
      'embed.provider': oneOf(['none', 'ollama', 'openai', 'transformers'], 'none', 'never'),
      'embed.endpoint': text('', 'never'),
      'embed.model': text('', 'never'),
      'embed.keyVariable': text('', 'never'),
    }) as const,
);

const LIFECYCLE = once(
  () =>
    ({
      max_memories_per_category: int(100, 'lower', { min: 1, max: 1_000_000 }),
      'delete.grace_period_days': int(30, 'never', { max: 36_500 }),
      'delete.archive_retired': bool(true, 'never'),
      'synthesis.autoAfter': int(0, 'never', { max: 10_000 }),
      'synthesis.structure': oneOf(['fixed', 'dynamic'], 'fixed', 'never'),
      'synthesis.maxChars': int(20_000, 'never', { min: 1000, max: 1_000_000 }),
      'synthesis.warnAfterDays': int(14, 'never', { min: 1, max: 36_500 }),
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
/** What a search asks for comes first: the tables after it are never made. */
const ASKED_FIRST: readonly (() => Table)[] = [...new Set<() => Table>([SWITCHES, EMBEDDING, STORAGE, ...TABLES])];

type Merged<T> = (T extends unknown ? (table: T) => void : never) extends (table: infer M) => void ? M : never;
type ConfigKeys = Merged<ReturnType<(typeof TABLES)[number]>>;

export type ConfigKey = keyof ConfigKeys;
export type ConfigValue<K extends ConfigKey> = ValueOf<ConfigKeys[K]>;

const tableWith = (key: string): Table | undefined => ASKED_FIRST.find((table) => Object.hasOwn(table(), key))?.();

export const isConfigKey = (key: string): key is ConfigKey => tableWith(key) !== undefined;
export const specOf = (key: ConfigKey): KeySpec => tableWith(key)?.[key] as KeySpec;
export const configKeys = (): readonly ConfigKey[] => TABLES.flatMap((table) => Object.keys(table()) as ConfigKey[]);

/** The keys under the headings that people are shown them by. */
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
