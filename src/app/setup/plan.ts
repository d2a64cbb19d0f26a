import { isObject } from '../../core/value.ts';
import { REGISTERED_EVENTS, SERVER, hookGroups } from '../hooks/registration.ts';
import { appendJsonItem, removeJsonItems } from '../../render/json/edit-list.ts';
import { setJsonValue, unsetJsonValue } from '../../render/json/edit.ts';
import { isFailure, isRefused } from '../../core/failure.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { changesInOrder, type TextChange, withoutServer, withServer } from './settings-edits.ts';

/** Optional short forms of the `/memory:…` commands, and the agents that two of them use. */
const SHORT_COMMANDS = ['summarize', 'recall', 'synthesize', 'workspace', 'user'] as const;
const AGENTS = ['summarize', 'synthesize'] as const;

/** Files that also work outside the plugin, with the same paths in the plugin's and the client's folder. */
export const SHORT_FILES: readonly string[] = [...SHORT_COMMANDS.map((name) => `commands/${name}.md`), ...AGENTS.map((name) => `agents/${name}.md`)];

/** Characters that a shell interprets between double quotes. */
const quoted = (folder: string): string => folder.replace(/[\\"$`]/g, '\\$&');

/** The plugin's text with the folder of the programs filled in: outside a plugin the client does not set the variable. */
const withoutPlugin = (text: string, dist: string): string => text.replaceAll('${CLAUDE_PLUGIN_ROOT}/dist', () => quoted(dist));

const OUR_PROGRAM = /[/\\]dist[/\\](?:hook\.js Session(?:Start|End)|slash\.js --typed)$/;

/** A hook that calls Holdfast's server or runs its program. */
function isOurHook(hook: unknown): boolean {
  if (!isObject(hook)) return false;
  if (hook['type'] === 'mcp_tool') return hook['server'] === SERVER && hook['tool'] === 'client_event';
  const args = hook['args'];
  return hook['type'] === 'command' && Array.isArray(args) && OUR_PROGRAM.test(args.join(' '));
}

/** A group of hooks that holds only Holdfast's. */
export const isOurGroup = (group: unknown): boolean =>
  isObject(group) && Array.isArray(group['hooks']) && group['hooks'].length > 0 && group['hooks'].every(isOurHook);

/** The settings files of a client, and the folder of Holdfast's programs. */
export interface SetupPlaces {
  /** The project's own folder. */
  readonly worktree: string;
  /** The user's settings for this project, which hold the hooks and approve the server. User-wide hooks would fail in every other project, where the server is missing. */
  readonly settings: string;
  /** The project's list of MCP servers. */
  readonly servers: string;
  /** The private settings of this project, which hold the switch. */
  readonly config: string;
  /** The client's folders for all projects and for this one, which take commands and agents. */
  readonly everywhere: string;
  readonly here: string;
  /** The plugin's texts. */
  readonly plugin: string;
  readonly node: string;
  readonly dist: string;
  /** The command of the server in the project's list. */
  readonly server: { readonly command: string; readonly args: readonly string[] };
}

/** The text of a file before and after a change; undefined if the file is missing. */
export interface FileEdit {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export type ReadSetupFile = (file: string) => string | undefined;

/** Reads a file; an unreadable file only blocks the setup of its own client. */
function readSafely(file: string, read: ReadSetupFile): Result<string | undefined> {
  try {
    return ok(read(file));
  } catch (cause) {
    if (isRefused(cause)) return { ok: false, error: cause.refusal };
    if (isFailure(cause)) return refuse('READ_ERROR', cause.message, { hint: cause.hint ?? 'repair the file; nothing was changed' });
    throw cause;
  }
}

export function editOf(file: string, read: ReadSetupFile, ...changes: readonly TextChange[]): Result<FileEdit> {
  const there = readSafely(file, read);
  if (!there.ok) return there;
  const before = there.value;
  const changed = changesInOrder(...changes)(before);
  return changed.ok ? ok({ file, before, after: changed.value }) : { ok: false, error: { ...changed.error, message: `${file}: ${changed.error.message}` } };
}

/** Removes Holdfast's earlier hooks, which may point to an older folder. */
const withoutOurHooks =
  (event: string): TextChange =>
  (text) =>
    text === undefined ? ok(text) : removeJsonItems(text, ['hooks', event], isOurGroup);

/** The list of a JSON text at these names; empty if there is none. */
function listed(text: string | undefined, ...names: readonly string[]): readonly unknown[] {
  try {
    let value: unknown = JSON.parse((text ?? '{}').replace(/^\uFEFF/, ''));
    for (const name of names) value = isObject(value) ? value[name] : undefined;
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Whether Holdfast's hooks are exactly the expected ones. */
const hasOurHooks = (text: string | undefined, event: string, groups: readonly object[]): boolean =>
  JSON.stringify(listed(text, 'hooks', event).filter(isOurGroup)) === JSON.stringify(groups);

const APPROVED = 'enabledMcpjsonServers';
const withoutApproval: TextChange = (text) => (text === undefined ? ok(text) : removeJsonItems(text, [APPROVED], (item) => item === SERVER));

/** The changes of files that set up Claude Code; leaves out files that need no change. */
export function planSetup(places: SetupPlaces, read: ReadSetupFile, commands?: 'everywhere' | 'here'): Result<readonly FileEdit[]> {
  const { settings, servers, node, dist, server } = places;
  const hooks = REGISTERED_EVENTS.flatMap((event): TextChange[] => {
    const groups = hookGroups(event, { node, script: `${dist}/hook.js`, form: 'settings' });
    if (hasOurHooks(read(settings), event, groups)) return [];
    return [
      withoutOurHooks(event),
      ...groups.map(
        (group): TextChange =>
          (text) =>
            appendJsonItem(text, ['hooks', event], group),
      ),
    ];
  });
  const withApproval: TextChange = (text) => (listed(text, APPROVED).includes(SERVER) ? ok(text) : appendJsonItem(text, [APPROVED], SERVER));
  const planned = [
    editOf(settings, read, ...hooks, withApproval),
    editOf(servers, read, withServer('mcpServers', server)),
    switchOn(places, read),
    ...(commands === undefined ? [] : SHORT_FILES.map((name) => commandFile(places, read, commands, name))),
  ];
  return changedEdits(planned);
}

/** An existing file of that name belongs to the user and stays. */
const commandFile = (places: SetupPlaces, read: ReadSetupFile, where: 'everywhere' | 'here', name: string): Result<FileEdit> =>
  editOf(`${places[where]}/${name}`, read, (there) => {
    const text = there === undefined ? read(`${places.plugin}/${name}`) : undefined;
    return ok(text === undefined ? there : withoutPlugin(text, places.dist));
  });

/** The change that the setup made to each file, and the topmost folder that it created for it. */
export type SetupBackup = Readonly<Record<string, { readonly before: string | null; readonly after: string; readonly made?: string }>>;

/** Restores an unedited file byte for byte; from an edited one, takes only Holdfast's entries. */
export function removalOf(file: string, read: ReadSetupFile, backup: SetupBackup, remove: TextChange): Result<FileEdit> {
  const known = backup[file];
  const there = readSafely(file, read);
  if (!there.ok) return there;
  const text = there.value;
  if (known && known.after === text) return ok({ file, before: text, after: known.before ?? undefined });
  return text === undefined ? ok({ file, before: text, after: text }) : editOf(file, read, remove);
}

/** The changes of files that remove the setup of Claude Code; `backup` holds only its files. */
export function planRemoval(places: SetupPlaces, read: ReadSetupFile, backup: SetupBackup): Result<readonly FileEdit[]> {
  const { settings, servers } = places;
  const planned = [...new Set([settings, servers, ...Object.keys(backup)])].map((file): Result<FileEdit> => {
    // An earlier version wrote into the user's settings of all projects.
    const isSettings = /[/\\]settings(?:\.local)?\.json$/.test(file);
    const changes = isSettings ? [...REGISTERED_EVENTS.map(withoutOurHooks), withoutApproval] : file === servers ? [withoutServer('mcpServers')] : [];
    return removalOf(file, read, backup, changesInOrder(...changes));
  });
  return changedEdits(planned);
}

/** Turns memory on in the project, and back to its earlier state. */
export const switchOn = ({ config }: SetupPlaces, read: ReadSetupFile): Result<FileEdit> => editOf(config, read, (text) => setJsonValue(text, ['on'], true));
export const switchBack = ({ config }: SetupPlaces, read: ReadSetupFile, backup: SetupBackup): Result<FileEdit> =>
  removalOf(config, read, backup, (text) => (text === undefined ? ok(text) : unsetJsonValue(text, ['on'])));

export function changedEdits(planned: readonly Result<FileEdit>[]): Result<readonly FileEdit[]> {
  const edits: FileEdit[] = [];
  for (const one of planned) {
    if (!one.ok) return one;
    if (one.value.before !== one.value.after) edits.push(one.value);
  }
  return ok(edits);
}
