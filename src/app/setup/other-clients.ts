import { ok } from '../../core/result.ts';
import { isObject } from '../../core/value.ts';
import { editCommented } from '../../render/json/comments.ts';
import { appendJsonItem, removeJsonItems } from '../../render/json/edit-list.ts';
import { setJsonValue, unsetJsonValue } from '../../render/json/edit.ts';
import { SERVER } from '../hooks/registration.ts';
import { changesInOrder, type ReadSetupFile, type TextChange } from './plan.ts';

/** Clients that are set up in the user's own settings, for all projects. Each does nothing where memory is off. */
export const OTHER_CLIENTS = ['codex', 'gemini', 'opencode'] as const;
export type OtherClient = (typeof OTHER_CLIENTS)[number];

export interface OtherPlaces {
  /** The folder of each client's settings. */
  readonly folders: Readonly<Record<OtherClient, string>>;
  /** The program and its first words: `holdfast`, or node and our script. */
  readonly program: readonly string[];
  /** The file of opencode's plugin, which asks the program. */
  readonly opencodePlugin: string;
}

/** A file of a client, with what adds Holdfast to it and what takes it out again. */
export interface ClientFile {
  readonly file: string;
  readonly add: TextChange;
  readonly remove: TextChange;
}

/** What the user still has to do or should know. */
export const NOTES: Readonly<Record<OtherClient, string>> = {
  codex: 'Codex asks once whether to trust the new hooks: choose "Review" or "Trust all" when its terminal opens. Until then it runs none of them.',
  gemini: 'Gemini CLI offers tools of MCP servers in `gemini -p` only when the server is trusted; in its terminal it asks.',
  opencode: 'opencode loads the plugin when it starts the next time.',
};

const quoted = (word: string): string => (/^[\w./:@%+=-]+$/.test(word) ? word : `"${word.replace(/[\\"$`]/g, '\\$&')}"`);

const hookCommand = ({ program }: OtherPlaces, event: string, client: OtherClient): string =>
  [...program, 'hook', event, '--client', client].map(quoted).join(' ');

/** Whether a hook's command asks for our program on behalf of the client, wherever the program lies. */
const isOurs =
  (client: OtherClient) =>
  (group: unknown): boolean =>
    isObject(group) &&
    Array.isArray(group['hooks']) &&
    group['hooks'].length > 0 &&
    group['hooks'].every((hook) => isObject(hook) && new RegExp(`\\bhook \\w+ --client ${client}$`).test(String(hook['command'])));

interface ClientHook {
  readonly event: string;
  readonly timeout: number;
  readonly matcher?: string;
}

/** Context before a tool call reaches the model, but only the shell's calls are worth a process each. */
const CODEX_HOOKS: readonly ClientHook[] = [
  { event: 'SessionStart', timeout: 10 },
  { event: 'UserPromptSubmit', timeout: 5 },
  { event: 'PreToolUse', timeout: 5, matcher: 'Bash' },
  { event: 'PreCompact', timeout: 10 },
  { event: 'SessionEnd', timeout: 3 },
];

/** In milliseconds. PreCompress would print to the user before every call, and context before a tool call is dropped. */
const GEMINI_HOOKS: readonly ClientHook[] = [
  { event: 'SessionStart', timeout: 10_000 },
  { event: 'BeforeAgent', timeout: 5_000 },
  { event: 'SessionEnd', timeout: 3_000 },
];

const withHooks = (places: OtherPlaces, client: OtherClient, hooks: readonly ClientHook[]): TextChange =>
  changesInOrder(
    ...hooks.map(({ event, timeout, matcher }): TextChange => {
      const group = { ...(matcher !== undefined && { matcher }), hooks: [{ type: 'command', command: hookCommand(places, event, client), timeout }] };
      const append: TextChange = (text) => editCommented(text, (json) => appendJsonItem(json, ['hooks', event], group));
      return (text) => {
        const ours = groupsIn(text, event).filter(isOurs(client));
        return JSON.stringify(ours) === JSON.stringify([group]) ? ok(text) : changesInOrder(withoutHooks(client, [{ event, timeout }]), append)(text);
      };
    }),
  );

const withoutHooks = (client: OtherClient, hooks: readonly ClientHook[]): TextChange =>
  changesInOrder(
    ...hooks.map(
      ({ event }): TextChange =>
        (text) =>
          text === undefined ? ok(text) : editCommented(text, (json) => removeJsonItems(json ?? '', ['hooks', event], isOurs(client))),
    ),
  );

/** The groups of an event; none where the text is not read. */
function groupsIn(text: string | undefined, event: string): readonly unknown[] {
  const found: unknown[] = [];
  if (text !== undefined) {
    editCommented(text, (json) => removeJsonItems(json ?? '', ['hooks', event], (group) => (found.push(group), false)));
  }
  return found;
}

const set =
  (names: readonly string[], value: unknown): TextChange =>
  (text) =>
    editCommented(text, (json) => setJsonValue(json, names, value));

const unset =
  (names: readonly string[]): TextChange =>
  (text) =>
    text === undefined ? ok(text) : editCommented(text, (json) => unsetJsonValue(json ?? '', names));

const BEGIN = '# holdfast: begin (written by `holdfast init`)';
const END = '# holdfast: end';
const BLOCK = /# holdfast: begin[^\n]*\n[^]*?# holdfast: end(?:\n|$)/;
const OWN_TABLE = new RegExp(`^\\s*\\[mcp_servers\\.(?:${SERVER}|"${SERVER}")\\]`, 'm');

/** A table at the end of a TOML file, between two comments. A table of that name that the user wrote stays as it is. */
function withBlock(program: readonly string[]): TextChange {
  const [command, ...args] = [...program, 'mcp'];
  // TOML's basic strings are escaped as JSON's are.
  const lines = [BEGIN, `[mcp_servers.${SERVER}]`, `command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`];
  const block = [...lines, 'env_vars = ["HOLDFAST_HOME", "CLAUDE_CONFIG_DIR"]', END, ''].join('\n');
  return (text = '') => {
    if (BLOCK.test(text)) return ok(text.replace(BLOCK, () => block));
    return ok(OWN_TABLE.test(text) ? text : `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${block}`);
  };
}

const withoutBlock: TextChange = (text) => ok(text?.replace(BLOCK, ''));

/** Every file by which a client finds Holdfast. */
export function clientFiles(client: OtherClient, places: OtherPlaces, read: ReadSetupFile): readonly ClientFile[] {
  const folder = places.folders[client];
  const [command, ...args] = [...places.program, 'mcp'];
  if (client === 'codex')
    return [
      { file: `${folder}/config.toml`, add: withBlock(places.program), remove: withoutBlock },
      { file: `${folder}/hooks.json`, add: withHooks(places, client, CODEX_HOOKS), remove: withoutHooks(client, CODEX_HOOKS) },
    ];
  if (client === 'gemini')
    return [
      {
        file: `${folder}/settings.json`,
        add: changesInOrder(set(['mcpServers', SERVER], { command, args, excludeTools: ['client_event'] }), withHooks(places, client, GEMINI_HOOKS)),
        remove: changesInOrder(unset(['mcpServers', SERVER]), withoutHooks(client, GEMINI_HOOKS)),
      },
    ];
  const hidden = ['tools', `${SERVER}_client_event`];
  return [
    {
      file: `${folder}/opencode.json`,
      add: changesInOrder(set(['mcp', SERVER], { type: 'local', command: [command, ...args], enabled: true }), set(hidden, false)),
      remove: changesInOrder(unset(['mcp', SERVER]), unset(hidden)),
    },
    {
      file: `${folder}/plugins/holdfast.js`,
      add: () => ok(read(places.opencodePlugin)?.replace("['holdfast']", () => JSON.stringify(places.program))),
      remove: () => ok(undefined),
    },
  ];
}
