/** The short forms that some want beside `/memory:…`, and the agents that work for two of them. */
const SHORT_COMMANDS = ['summarize', 'recall', 'synthesize', 'workspace', 'user'] as const;
const AGENTS = ['summarize', 'synthesize'] as const;

/** Files of the plugin that do without it, below its folder as below the client's. */
export const SHORT_FILES: readonly string[] = [...SHORT_COMMANDS.map((name) => `commands/${name}.md`), ...AGENTS.map((name) => `agents/${name}.md`)];

/** What a shell would read into a path between double quotes. */
const quoted = (folder: string): string => folder.replace(/[\\"$`]/g, '\\$&');

/** The plugin's own text, with the place of the programs in it: only a plugin is told its folder. */
export const withoutPlugin = (text: string, dist: string): string => text.replaceAll('${CLAUDE_PLUGIN_ROOT}/dist', () => quoted(dist));
