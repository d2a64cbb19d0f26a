import type { Category } from '../record/category.ts';
import { type ConfigKey, specOf, sections } from './keys.ts';
import { expected } from './check.ts';
import type { AnyValue, KeySpec, SharedRule } from './spec.ts';

type Generated = `categories.${Category}.${'enabled' | 'description' | 'auto_capture' | 'retention_days'}` | `triage.thresholds.${string}`;
type Family = `categories.<name>.${'enabled' | 'description' | 'auto_capture' | 'retention_days'}` | 'triage.thresholds.<name>';
type Named = Exclude<ConfigKey, Generated> | Family;

/** Descriptions of the settings, apart from their values: every program reads settings, and few explain them. */
const ABOUT: Readonly<Record<Named, string>> = {
  on: 'Whether memory is on: here for one project (`init`, `/memory:start`), at the user level for all projects.',
  enabled: 'The main switch: false means that nothing is loaded, injected or updated, whatever else is set.',
  mode: 'When hooks act: always, between start and stop, or only when asked. A single switch that is set wins over it.',
  identity: 'What makes two folders one project: the repository, each worktree by itself, or the remote URL.',
  breadcrumb: 'Whether replies end with the marker that shows a compaction; auto only where the client does not report compactions.',
  'storage.root': 'Where new records go: the private folder of the project, or the one committed with the code.',
  'storage.memoryFolder':
    'Whether Holdfast reads and updates a `_memory/` folder of the project in place; after `migrate` has imported it, Holdfast ignores it.',
  'storage.format': 'The form of new record files; existing ones keep theirs.',
  'staging.dir': 'Folder for drafts and triage context files; empty means a private one.',
  'staging.keepDays': 'Days after which `gc` deletes staged drafts that were never saved; 0 keeps them.',
  'archive.maxBytes': 'Bytes that archived conversations may take; the oldest go first, and 0 archives none.',
  autoLoad: 'Whether memory is loaded when a session starts; loading by hand always works.',
  autoUpdate: 'Whether MEMORY.md is updated when a session ends; updating by hand always works.',
  updateThreshold: 'Finished tasks from which the end of a session updates MEMORY.md.',
  maxMemorySize: 'Characters a memory file may have.',
  backupEnabled: 'Whether the previous MEMORY.md is kept as MEMORY.md.bak.',
  compressionThreshold: 'Characters from which a memory file is compressed.',
  'retrieval.max_inject': 'Records that one prompt can bring in; 0 brings in none.',
  'inject.startTokens': 'Tokens for the brief at the start of a session; 0 leaves it out.',
  'inject.promptTokens': 'Tokens for what one prompt recalls.',
  'inject.subagents':
    'Text that a subagent gets: the brief with full instructions for reports, the records that fit its task, a pointer to the memory, or nothing.',
  'inject.subagentTokens': 'Tokens for the brief of one subagent.',
  'inject.sessionTokens': 'Tokens for all that is injected into one session.',
  'capture.flow':
    'How the decisions of a turn are saved: `inline`, the agent saves them in one call; `agents`, one agent drafts and another verifies; `end`, records are drafted when the session ends, and the agent is asked for nothing; `off`, only what you ask for is saved. `auto` is `inline` for few, `agents` for many, and `end` in a headless run.',
  'capture.exclude':
    'Globs of project files whose content is never captured. A shared config can add to the list; `gc` removes archived messages only by your own globs.',
  'triage.parallel.enabled': 'Whether drafts are made by parallel subagents; false drafts one category after the other, without subagents.',
  'triage.parallel.category_models': 'Model that drafts a category, by category.',
  'triage.parallel.default_model': 'Model for the categories that `triage.parallel.category_models` does not name.',
  'triage.parallel.verification_model': 'Model that verifies drafts.',
  'triage.thresholds.<name>': 'Score from which triage proposes the category.',
  'model.drafting': 'Who drafts: the agent itself, a headless client, an API, or no model at all.',
  'model.command':
    'Command line of the headless client, for `command`, run without a shell; `{model}` stands for the model. The prompt comes on standard input.',
  'model.protocol': 'What the endpoint speaks, for `api`.',
  'model.endpoint': "URL of the API; empty means the protocol's own.",
  'model.name': 'Name of the model; empty means the model that each step names.',
  'model.keyVariable': 'Environment variable that holds the API key; the key itself is never stored.',
  'model.dailyTokens': 'Tokens that model calls may use in a day; 0 allows none.',
  'model.timeoutSeconds': 'Seconds after which a model call is given up.',
  'embed.provider':
    'What turns texts into vectors for search and recall: nothing, the sentence model that `holdfast embed setup` installs, Ollama, or an OpenAI-compatible endpoint.',
  'embed.endpoint': "URL of the embedder; empty means the provider's own.",
  'embed.model': "Embedding model; empty means the provider's usual one. Another model embeds everything again.",
  'embed.keyVariable': 'Environment variable that holds the API key of the embedder; the key itself is never stored.',
  max_memories_per_category: 'Active records a category may have.',
  'delete.grace_period_days': 'Days that a retired record can still be restored before gc removes it.',
  'delete.archive_retired':
    'Whether gc archives retired records instead of removing them: set to true, those of every category; by default only session summaries; set to false, none.',
  'synthesis.autoAfter': 'New summaries after which a synthesis starts by itself; 0 means only when asked.',
  'synthesis.structure': 'Whether master.md keeps its fixed sections or takes them from the themes found.',
  'synthesis.maxChars': 'Characters that master.md is pruned to.',
  'synthesis.warnAfterDays': 'Age of master.md from which a recall says that it is old.',
  'categories.<name>.enabled': 'Whether records of this category can be created.',
  'categories.<name>.description': 'What belongs in the category, in a sentence; shown to the model that drafts, and in what is recalled.',
  'categories.<name>.auto_capture': 'Whether triage may propose records of this category.',
  'categories.<name>.retention_days': 'Days after which an untouched record is retired; 0 keeps it for good.',
  'categories.session_summary.max_retained': 'How many session summaries stay active; older ones are retired.',
};

export const aboutOf = (key: ConfigKey): string => ABOUT[(specOf(key).family ?? key) as Named];

/** docs/configuration.md, written from the table of settings. */

const INTRO = `# Configuration

Every setting has a default that works; nothing needs to be set. A value comes from the last of these that has one:

1. the default in the tables below;
2. the user: the object \`memory\` in \`~/.claude/settings.json\`, for all projects (\`holdfast config set --user KEY VALUE\`);
3. the shared config: \`.claude/memory/memory-config.json\` in the project, committed with the code;
4. the project: \`memory-config.json\` in the project's private folder (\`holdfast config set KEY VALUE\`).

\`holdfast config list\` shows each value with the level it comes from, \`holdfast config get KEY\` explains one, \`holdfast config unset KEY\`
takes one back. A dot in a key is an object in the file: \`delete.grace_period_days\` is \`{"delete": {"grace_period_days": 30}}\`. A key that does not
exist or a value that does not fit is reported by \`config list\` and \`doctor\`, and the value below it counts. Editors complete and check a config whose
\`"$schema"\` names [memory-config.schema.json](../assets/config/memory-config.schema.json); that of the user's file is
[settings.schema.json](../assets/config/settings.schema.json).

A shared config comes with every clone, so it is not trusted. It can reduce what is captured from now on, what is injected and what is spent,
and describe categories. It can never switch memory on, widen what is captured, name a command, a folder or an endpoint, or delete or shorten what
you have. Your own setting for the project wins over it. The column *Shared* says what it may do to a key:`;

const SHARED_WORDS: Readonly<Record<SharedRule, string>> = { nothing: 'no', tighten: 'tighten', harmless: 'yes' };

const LEGEND = `- *no*: it is ignored there;
- *tighten*: fewer, smaller, less, off; for \`capture.exclude\`, more globs, which count for what is captured from then on;
- *yes*: it counts: a description, a threshold from 0.3 to 0.9, the name of a model.

\`holdfast config adopt\` shows the settings in the project's own file and which of them are in force, and adopts those that you agree to.

Keys marked † start a program, or name a folder, an endpoint or a key. Only a person at a terminal sets them: \`holdfast config set\` refuses them in an
agent's shell and in a script, whatever its options, and \`import --settings\` leaves them out. A script that sets up a machine writes the settings file itself.`;

const cell = (words: string): string => words.replaceAll('|', '\\|');
const code = (value: AnyValue): string => {
  const words = typeof value === 'string' ? value : JSON.stringify(value);
  return words === '' ? 'empty' : `\`${cell(words)}\``;
};

const takes = (spec: KeySpec): string => {
  if (spec.type === 'enum') return spec.values.map((value) => `\`${String(value)}\``).join(', ');
  if (spec.type === 'map') return 'an object of texts by category';
  if (spec.type === 'list') return 'a list of globs';
  return expected(spec);
};

/** One row for a key, and one for a family of keys, whose members differ only in their defaults. */
function rows(keys: readonly ConfigKey[]): string[] {
  const families = new Map<string, ConfigKey[]>();
  for (const key of keys) {
    const name = specOf(key).family ?? key;
    families.set(name, [...(families.get(name) ?? []), key]);
  }
  return [...families].map(([name, members]) => {
    const first = members[0] as ConfigKey;
    const spec = specOf(first);
    const defaults = new Set(members.map((key) => code(specOf(key).default)));
    const defaultCell = defaults.size === 1 ? [...defaults][0] : 'see below';
    return `| \`${name}\`${spec.byPerson ? ' †' : ''} | ${cell(takes(spec))} | ${defaultCell} | ${SHARED_WORDS[spec.shared]} | ${cell(aboutOf(first))} |`;
  });
}

function defaultsBelow(keys: readonly ConfigKey[]): string[] {
  const families = [...new Set(keys.flatMap((key) => specOf(key).family ?? []))];
  const varied = families.filter((family) => new Set(keys.filter((key) => specOf(key).family === family).map((key) => code(specOf(key).default))).size > 1);
  return varied.flatMap((family) => [
    '',
    `Defaults of \`${family}\`:`,
    '',
    '| Key | Default |',
    '| --- | --- |',
    ...keys.filter((key) => specOf(key).family === family).map((key) => `| \`${key}\` | ${code(specOf(key).default)} |`),
  ]);
}

export function configurationMarkdown(): string {
  const parts = sections().flatMap(({ title, keys }) => [
    '',
    `## ${title}`,
    '',
    '| Key | Takes | Default | Shared | What it does |',
    '| --- | --- | --- | --- | --- |',
    ...rows(keys),
    ...defaultsBelow(keys),
  ]);
  return `${[INTRO, '', LEGEND, ...parts].join('\n')}\n`;
}
