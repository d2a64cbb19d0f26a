import { aboutOf } from './about.ts';
import { expected } from './check.ts';
import { type ConfigKey, sections, specOf } from './keys.ts';
import type { AnyValue, KeySpec, SharedRule } from './spec.ts';

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

A shared config comes with every clone, so it is not trusted. It can turn things down (less captured from now on, less injected, less spent) and
describe categories. It can never switch memory on, widen what is captured, name a command, a folder or an endpoint, or delete, shorten or drop what
you have. Your own setting for the project wins over it. The column *Shared* says what it may do to a key:`;

const SHARED_WORDS: Readonly<Record<SharedRule, string>> = { nothing: 'no', tighten: 'tighten', harmless: 'yes' };

const LEGEND = `- *no*: it is ignored there;
- *tighten*: fewer, smaller, less, off; for a threshold, higher; for \`capture.exclude\`, more globs, which count for what is captured from then on;
- *yes*: it counts.

Keys marked † start a program, or name a folder, an endpoint or a key. Only a person at a terminal sets them: \`holdfast config set\` refuses them in an
agent's shell, a script adds \`--yes\`, and \`import --settings\` leaves them out.`;

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

/** One row a key, and one a family: its members differ in their defaults only. */
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
    const shown = defaults.size === 1 ? [...defaults][0] : 'see below';
    return `| \`${name}\`${spec.byPerson ? ' †' : ''} | ${cell(takes(spec))} | ${shown} | ${SHARED_WORDS[spec.shared]} | ${cell(aboutOf(first))} |`;
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
