import { ok } from '../../core/result.ts';
import { isObject } from '../../core/value.ts';
import { editCommented } from '../../render/json/comments.ts';
import { appendJsonItem, removeJsonItems } from '../../render/json/edit-list.ts';
import { setJsonValue, unsetJsonValue } from '../../render/json/edit.ts';
import { SERVER } from '../hooks/registration.ts';
import { changesInOrder, type TextChange } from './plan.ts';

/** Edits of clients' settings that leave every other byte as its owner wrote it. */

const quoted = (word: string): string => (/^[\w./:@%+=-]+$/.test(word) ? word : `"${word.replace(/[\\"$`]/g, '\\$&')}"`);

export const shellCommand = (program: readonly string[], event: string, client: string): string =>
  [...program, 'hook', event, '--client', client].map(quoted).join(' ');

const asks = (client: string, hook: unknown): boolean =>
  isObject(hook) && new RegExp(`\\bhook \\w+ --client ${client}$`).test(String(hook['command'] ?? hook['bash']));

/** Whether a hook, or all hooks of a group, ask our program on behalf of the client, wherever the program lies. */
const isClientHook =
  (client: string) =>
  (item: unknown): boolean => {
    if (!isObject(item)) return false;
    const { hooks } = item;
    return Array.isArray(hooks) ? hooks.length > 0 && hooks.every((hook) => asks(client, hook)) : asks(client, item);
  };

/** One event of a client with the item that its list of hooks gets. */
export interface ClientHook {
  readonly event: string;
  readonly item: object;
}

export const withHooks = (client: string, hooks: readonly ClientHook[]): TextChange =>
  changesInOrder(
    ...hooks.map(({ event, item }): TextChange => {
      const append: TextChange = (text) => editCommented(text, (json) => appendJsonItem(json, ['hooks', event], item));
      return (text) => {
        const ours = itemsIn(text, event).filter(isClientHook(client));
        return JSON.stringify(ours) === JSON.stringify([item]) ? ok(text) : changesInOrder(withoutHooks(client, [event]), append)(text);
      };
    }),
  );

export const withoutHooks = (client: string, events: readonly string[]): TextChange =>
  changesInOrder(
    ...events.map(
      (event): TextChange =>
        (text) =>
          text === undefined ? ok(text) : editCommented(text, (json) => removeJsonItems(json ?? '', ['hooks', event], isClientHook(client))),
    ),
  );

/** The hooks of an event; none where the text is not read. */
function itemsIn(text: string | undefined, event: string): readonly unknown[] {
  const found: unknown[] = [];
  if (text !== undefined) {
    editCommented(text, (json) => removeJsonItems(json ?? '', ['hooks', event], (item) => (found.push(item), false)));
  }
  return found;
}

export const withValue =
  (names: readonly string[], value: unknown): TextChange =>
  (text) =>
    editCommented(text, (json) => setJsonValue(json, names, value));

export const withoutValue =
  (names: readonly string[]): TextChange =>
  (text) =>
    text === undefined ? ok(text) : editCommented(text, (json) => unsetJsonValue(json ?? '', names));

const BEGIN = '# holdfast: begin (written by `holdfast init`)';
const END = '# holdfast: end';
const BLOCK = /[ \t]*# holdfast: begin[^\n]*\n[^]*?# holdfast: end(?:\r?\n|$)/;
const OWN_TABLE = new RegExp(`^\\s*\\[mcp_servers\\.(?:${SERVER}|"${SERVER}")\\]`, 'm');

/** A table at the end of Codex's TOML, between two comments. A table of that name that the user wrote stays as it is. */
export function withTomlServer(command: string, args: readonly string[]): TextChange {
  // TOML's basic strings are escaped as JSON's are.
  const lines = [BEGIN, `[mcp_servers.${SERVER}]`, `command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`];
  const block = [...lines, 'env_vars = ["HOLDFAST_HOME", "CLAUDE_CONFIG_DIR"]', END, ''].join('\n');
  return (text = '') => {
    if (BLOCK.test(text)) return ok(text.replace(BLOCK, () => block));
    return ok(OWN_TABLE.test(text) ? text : `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${block}`);
  };
}

export const withoutBlock: TextChange = (text) => ok(text?.replace(BLOCK, ''));

const EXTENSIONS = /^extensions:[ \t]*(?:#[^\n]*)?\r?\n/m;
const OWN_EXTENSION = new RegExp(`^[ \\t]+(?:${SERVER}|"${SERVER}"):`, 'm');

/** An entry at the head of the list of extensions in Goose's YAML, between two comments, indented as the others are. */
export function withGooseExtension(command: string, args: readonly string[]): TextChange {
  return (text = '') => {
    const there = EXTENSIONS.exec(text);
    const rest = there === null ? '' : text.slice(there.index + there[0].length);
    const indent = /^(?:[ \t]*(?:#[^\n]*)?\r?\n)*([ \t]+)\S/.exec(rest.replace(BLOCK, ''))?.[1] ?? '  ';
    const fields = [`enabled: true`, `type: stdio`, `name: ${SERVER}`, `cmd: ${JSON.stringify(command)}`, `args: ${JSON.stringify(args)}`, 'timeout: 60'];
    const lines = [BEGIN, `${SERVER}:`, ...fields.map((field) => `${indent}${field}`), END].map((line) => `${indent}${line}\n`).join('');
    if (BLOCK.test(text)) return ok(text.replace(BLOCK, () => lines));
    if (OWN_EXTENSION.test(rest)) return ok(text);
    if (there === null) return ok(`${text}${text === '' || text.endsWith('\n') ? '' : '\n'}extensions:\n${lines}`);
    const at = there.index + there[0].length;
    return ok(text.slice(0, at) + lines + text.slice(at));
  };
}

/** Takes the entry out, and the list if it held nothing else. */
export const withoutGooseExtension: TextChange = (text) => ok(text?.replace(BLOCK, '').replace(/(^|\n)extensions:[ \t]*\r?\n(?![ \t])/, '$1'));
