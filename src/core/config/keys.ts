import { once } from '../once.ts';
import { CATEGORIES } from '../record/category.ts';
import { CATEGORY_KEYS, THRESHOLD_KEYS } from './categories.ts';
import { bool, int, type KeySpec, list, map, oneOf, text, type ValueOf } from './spec.ts';

/** The one table of settings: defaults, checks, `config list` and docs/configuration.md all come from it. */

const SWITCHES = once(
  () =>
    ({
      on: bool(false, 'never', 'Whether its user has said yes to memory: here for one project (`init`, `/memory:start`), at the user level for all of them.'),
      enabled: bool(true, 'lower', 'The main switch: false means that nothing is loaded, injected or updated, whatever else is set.'),
      mode: oneOf(
        ['auto', 'session', 'manual'],
        'auto',
        'lower',
        'When hooks act: always, between start and stop, or only when asked. A single switch that is set wins over it.',
      ),
      identity: oneOf(
        ['repository', 'worktree', 'remote'],
        'repository',
        'never',
        'What makes two folders one project: the repository, each worktree by itself, or the remote URL.',
      ),
      breadcrumb: oneOf(
        ['auto', true, false],
        'auto',
        'never',
        'Whether replies end with the marker that shows a compaction; auto only where the client does not report compactions.',
      ),
    }) as const,
);

const STORAGE = once(
  () =>
    ({
      'storage.root': oneOf(
        ['private', 'shared'],
        'private',
        'never',
        'Where new records go: the private folder of the project, or the one committed with the code.',
      ),
      'storage.memoryFolder': oneOf(
        ['use', 'ignore'],
        'use',
        'never',
        'Whether a `_memory/` in the project is read and kept up where it is; `migrate` folds it into the memory and ignores it from then on.',
      ),
      'storage.format': oneOf(['markdown', 'json'], 'markdown', 'never', 'The form of new record files; existing ones keep theirs.'),
      'staging.dir': text('', 'never', 'Folder for drafts and triage context files; empty means a private one.'),
      'staging.keepDays': int(14, 'never', 'Days that drafts stay which were staged and never saved, before `gc` clears them; 0 keeps them.', { max: 3650 }),
      'archive.maxBytes': int(1_073_741_824, 'lower', 'Bytes that archived conversations may take; the oldest go first, and 0 archives none.'),
    }) as const,
);

const MEMORY_FILE = once(
  () =>
    ({
      autoLoad: bool(true, 'lower', 'Whether memory is loaded when a session starts; loading by hand always works.'),
      autoUpdate: bool(true, 'lower', 'Whether MEMORY.md is updated when a session ends; updating by hand always works.'),
      updateThreshold: int(3, 'lower', 'Finished tasks from which the end of a session updates MEMORY.md.', { max: 10_000, narrower: 'more' }),
      maxMemorySize: int(50_000, 'lower', 'Characters a memory file may have.', { min: 1000, max: 10_000_000 }),
      backupEnabled: bool(true, 'never', 'Whether the previous MEMORY.md is kept as MEMORY.md.bak.'),
      compressionThreshold: int(30_000, 'never', 'Characters from which a memory file is compressed.', { min: 1000, max: 10_000_000 }),
    }) as const,
);

const INJECTION = once(
  () =>
    ({
      'retrieval.max_inject': int(5, 'lower', 'Records that one prompt can bring in; 0 brings in none.', { max: 20 }),
      'inject.startTokens': int(1500, 'lower', 'Tokens for the brief at the start of a session; 0 leaves it out.', { max: 20_000 }),
      'inject.promptTokens': int(800, 'lower', 'Tokens for what one prompt recalls.', { max: 20_000 }),
      'inject.subagents': oneOf(
        ['full', 'brief', 'pointer', 'off'],
        'brief',
        'lower',
        'What a subagent is given: all of the memory with the whole instructions for reports, what fits its task, a pointer to it, or nothing.',
      ),
      'inject.subagentTokens': int(600, 'lower', 'Tokens for the brief of one subagent.', { max: 20_000 }),
      'inject.sessionTokens': int(12_000, 'lower', 'Tokens for everything that is injected into one session.', { max: 1_000_000 }),
    }) as const,
);

const CAPTURE = once(
  () =>
    ({
      'capture.exclude': list('lower', 'Globs of project files whose content is never captured; a shared config adds to the list.'),
      'triage.parallel.enabled': bool(
        true,
        'never',
        'Whether drafts are made by parallel subagents; false drafts one category after the other, without subagents.',
      ),
      'triage.parallel.category_models': map(CATEGORIES, { decision: 'sonnet', constraint: 'sonnet' }, 'never', 'Model that drafts a category, by category.'),
      'triage.parallel.default_model': text('haiku', 'never', 'Model for the categories that `triage.parallel.category_models` does not name.'),
      'triage.parallel.verification_model': text('sonnet', 'never', 'Model that verifies drafts.'),
    }) as const,
);

const MODEL = once(
  () =>
    ({
      'model.drafting': oneOf(
        ['host', 'command', 'api', 'none'],
        'host',
        'never',
        'Who drafts: the agent itself, a headless client, an API, or no model at all.',
      ),
      'model.command': text(
        '',
        'never',
        'Command line of the headless client, for `command`, run without a shell; `{model}` stands for the model. The prompt comes on standard input.',
      ),
      'model.protocol': oneOf(['anthropic', 'openai', 'ollama'], 'anthropic', 'never', 'What the endpoint speaks, for `api`.'),
      'model.endpoint': text('', 'never', "URL of the API; empty means the protocol's own."),
      'model.name': text('', 'never', 'Model asked for; empty means the one each step names.'),
      'model.keyVariable': text('', 'never', 'Environment variable that holds the API key; the key itself is never stored.'),
      'model.dailyTokens': int(200_000, 'lower', 'Tokens that model calls may use in a day; 0 allows none.'),
      'model.timeoutSeconds': int(120, 'never', 'Seconds after which a model call is given up.', { min: 1, max: 3600 }),
    }) as const,
);

const EMBEDDING = once(
  () =>
    ({
      'embed.provider': oneOf(
        ['none', 'ollama', 'openai', 'transformers'],
        'none',
        'never',
        'Who turns texts into vectors for the search: nobody, an Ollama, an OpenAI-compatible endpoint, or transformers.js in this process.',
      ),
      'embed.endpoint': text('', 'never', "URL of the embedder; empty means the provider's own."),
      'embed.model': text('', 'never', "Embedding model; empty means the provider's usual one. Another model embeds everything again."),
      'embed.keyVariable': text('', 'never', 'Environment variable that holds the API key of the embedder; the key itself is never stored.'),
    }) as const,
);

const LIFECYCLE = once(
  () =>
    ({
      max_memories_per_category: int(100, 'lower', 'Active records a category may have.', { min: 1, max: 1_000_000 }),
      'delete.grace_period_days': int(30, 'never', 'Days that a retired record can still be restored before gc removes it.', { max: 36_500 }),
      'delete.archive_retired': bool(true, 'never', 'Whether gc archives retired session summaries instead of removing them.'),
      'synthesis.autoAfter': int(0, 'never', 'New summaries after which a synthesis starts by itself; 0 means only when asked.', { max: 10_000 }),
      'synthesis.structure': oneOf(['fixed', 'dynamic'], 'fixed', 'never', 'Whether master.md keeps its fixed sections or takes them from the themes found.'),
      'synthesis.maxChars': int(20_000, 'never', 'Characters that master.md is pruned to.', { min: 1000, max: 1_000_000 }),
      'synthesis.warnAfterDays': int(14, 'never', 'Age of master.md from which a recall says that it is old.', { min: 1, max: 36_500 }),
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
