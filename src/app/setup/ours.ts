import { SERVER } from '../hooks/registration.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A hook that asks our server, or that runs our program. */
function isOurHook(hook: unknown): boolean {
  if (!isObject(hook)) return false;
  if (hook['type'] === 'mcp_tool') return hook['server'] === SERVER && hook['tool'] === 'client_event';
  const args = hook['args'];
  return hook['type'] === 'command' && Array.isArray(args) && /[/\\]dist[/\\]hook\.js$/.test(String(args[0])) && /^Session(?:Start|End)$/.test(String(args[1]));
}

/** A group of hooks that holds nothing but ours. */
export const isOurGroup = (group: unknown): boolean =>
  isObject(group) && Array.isArray(group['hooks']) && group['hooks'].length > 0 && group['hooks'].every(isOurHook);
