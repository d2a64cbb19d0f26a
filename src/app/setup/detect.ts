import { isObject } from '../../core/value.ts';
import { isOurGroup } from './plan.ts';

/** How Claude Code is set up: by the plugin, or by the hooks of `init`. */
export type SetupMethod = 'plugin' | 'hooks';

const PLUGIN = 'memory@holdfast';

/** The ways by which Claude Code knows of Holdfast, from the texts of its settings files. */
export function detectClaudeCode(settingsTexts: readonly (string | undefined)[]): readonly SetupMethod[] {
  const settings = settingsTexts.map(parseSettings);
  const plugin = settings.some(({ enabledPlugins }) => isObject(enabledPlugins) && enabledPlugins[PLUGIN] === true);
  const hooks = settings.some(
    (one) => isObject(one['hooks']) && Object.values(one['hooks']).some((groups) => Array.isArray(groups) && groups.some(isOurGroup)),
  );
  return [...(plugin ? (['plugin'] as const) : []), ...(hooks ? (['hooks'] as const) : [])];
}

function parseSettings(text = '{}'): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
