import { isObject } from '../../core/value.ts';
import { REGISTERED_EVENTS, SERVER, hookGroups } from '../hooks/registration.ts';
import { appendJsonItem, removeJsonItems } from '../../render/json/edit-list.ts';
import { setJsonValue, unsetJsonValue } from '../../render/json/edit.ts';
import { isFailure, isRefused } from '../../core/failure.ts';
import { ok, refuse, type Result } from '../../core/result.ts';
import { changesInOrder, type TextChange, withoutServer, withServer } from './settings-edits.ts';

/** The short forms that some want beside `/memory:…`, and the agents that work for two of them. */
const SHORT_COMMANDS = ['summarize', 'recall', 'synthesize', 'workspace', 'user'] as const;
const AGENTS = ['summarize', 'synthesize'] as const;

/** Files of the plugin that do without it, below its folder as below the client's. */
export const SHORT_FILES: readonly string[] = [...SHORT_COMMANDS.map((name) => `commands/${name}.md`), ...AGENTS.map((name) => `agents/${name}.md`)];

/** Characters that a shell interprets between double quotes. */
const quoted = (folder: string): string => folder.replace(/[\\"$`]/g, '\\$&');

/** The plugin's own text, with the place of the programs in it: only a plugin is told its folder. */
const withoutPlugin = (text: string, dist: string): string => text.replaceAll('${CLAUDE_PLUGIN_ROOT}/dist', () => quoted(dist));

const OUR_PROGRAM = /[/\\]dist[/\\](?:hook\.js Session(?:Start|End)|slash\.js --typed)$/;

/** A hook that asks Holdfast's server, or runs its program. */
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
  /** The user's own settings of this project, which hold the hooks and approve the server: in any other project the client would miss it at every event. */
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
  /** How the project's list starts the server. */
  readonly server: { readonly command: string; readonly args: readonly string[] };
}

/** One file as it is and as it will be; undefined if there is none. */
export interface FileEdit {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export type ReadSetupFile = (file: string) => string | undefined;

/** A file that cannot be read stands in the way of its own client alone. */
function readSafely(file: string, read: ReadSetupFile): Result<string | undefined> {
  try {
    return ok(read(file));
  } catch (cause) {
    if (isRefused(cause)) return { ok: false, error: cause.refusal };
    if (isFailure(cause)) return refuse('READ_ERROR', cause.message, { hint: cause.hint ?? 'mend the file; nothing was changed' });
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

/** Removes first what Holdfast wrote there before, perhaps for an older folder of its programs. */
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

/** Whether Holdfast's entries there are exactly as they should be. */
const hasOurHooks = (text: string | undefined, event: string, groups: readonly object[]): boolean =>
  JSON.stringify(listed(text, 'hooks', event).filter(isOurGroup)) === JSON.stringify(groups);

const APPROVED = 'enabledMcpjsonServers';
const withoutApproval: TextChange = (text) => (text === undefined ? ok(text) : removeJsonItems(text, [APPROVED], (item) => item === SERVER));

/** Every file that has to change so that a client finds Holdfast; those that are as they should be are left out. */
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

/** The change that the setup made to each file, and the uppermost folder made for it: enough to revert it. */
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

/** What removing the setup of Claude Code changes; `kept` holds its files and not those of other clients. */
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

/** Turns memory in the project on, and back to what it was. */
export const switchOn = ({ config }: SetupPlaces, read: ReadSetupFile): Result<FileEdit> => editOf(config, read, (text) => setJsonValue(text, ['on'], true));
export const switchBack = ({ config }: SetupPlaces, read: ReadSetupFile, backup: SetupBackup): Result<FileEdit> =>
  removalOf(config, read, backup, unsetValue(['on']));

const unsetValue =
  (names: readonly string[]): TextChange =>
  (text) =>
    text === undefined ? ok(text) : unsetJsonValue(text, names);

export function changedEdits(planned: readonly Result<FileEdit>[]): Result<readonly FileEdit[]> {
  const edits: FileEdit[] = [];
  for (const one of planned) {
    if (!one.ok) return one;
    if (one.value.before !== one.value.after) edits.push(one.value);
  }
  return ok(edits);
}
