import { ok, type Result } from '../../core/result.ts';
import { isObject } from '../../core/value.ts';
import { commentedValue, editCommented } from '../../render/json/comments.ts';
import { appendJsonItem, removeJsonItems } from '../../render/json/edit-list.ts';
import { setJsonValue, unsetJsonValue } from '../../render/json/edit.ts';
import { SERVER } from '../hooks/registration.ts';

/** Edits of clients' settings that leave every other byte as its owner wrote it. */

export type TextChange = (text: string | undefined) => Result<string | undefined>;

/** Applies changes in order until one is refused. */
export const changesInOrder =
  (...changes: readonly TextChange[]): TextChange =>
  (text) =>
    changes.reduce<Result<string | undefined>>((now, change) => (now.ok ? change(now.value) : now), ok(text));

const quoted = (word: string): string => (/^[\w./:@%+=-]+$/.test(word) ? word : `"${word.replace(/[\\"$`]/g, '\\$&')}"`);

export const shellCommand = (program: readonly string[], event: string, client: string): string =>
  [...program, 'hook', event, '--client', client].map(quoted).join(' ');

const runsHook = (client: string, hook: unknown): boolean =>
  isObject(hook) && new RegExp(`\\bhook \\w+ --client ${client}$`).test(String(hook['command'] ?? hook['bash']));

/** Whether a hook, or every hook of a group, runs Holdfast for the client, from any folder. */
const isClientHook =
  (client: string) =>
  (item: unknown): boolean => {
    if (!isObject(item)) return false;
    const { hooks } = item;
    return Array.isArray(hooks) ? hooks.length > 0 && hooks.every((hook) => runsHook(client, hook)) : runsHook(client, item);
  };

/** An event of a client with the entry for its list of hooks. */
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

/** The hooks of an event; none if the text cannot be parsed. */
function itemsIn(text: string | undefined, event: string): readonly unknown[] {
  const items: unknown[] = [];
  if (text !== undefined) {
    editCommented(text, (json) => removeJsonItems(json ?? '', ['hooks', event], (item) => (items.push(item), false)));
  }
  return items;
}

const PROGRAM = /(?:^|[\\/])(?:holdfast|dist[\\/](?:cli|mcp)\.js)$/;

/** Whether this command starts Holdfast's server, from any folder. */
export const isOurProgram = (words: readonly string[]): boolean =>
  /(?:^|[\\/])mcp(?:\.js)?$/.test(words.at(-1) ?? '') && words.some((word) => PROGRAM.test(word));

/** The command and arguments of a server's entry; some clients store them as one list. */
const wordsOf = ({ command, args }: Readonly<Record<string, unknown>>): readonly string[] => [command, args].flat().filter((word) => typeof word === 'string');

/** Adds an entry for Holdfast's server. An existing one keeps the user's additions; one that starts something else stays as it is. */
export const withServer =
  (list: string, entry: object): TextChange =>
  (text) => {
    const there = commentedValue(text, [list, SERVER]);
    if (!isObject(there)) return withValue([list, SERVER], entry)(text);
    if (!isOurProgram(wordsOf(there))) return ok(text);
    const outdated = Object.entries(entry).filter(([name, value]) =>
      name === 'command' || name === 'args' ? JSON.stringify(there[name]) !== JSON.stringify(value) : !(name in there),
    );
    return changesInOrder(...outdated.map(([name, value]) => withValue([list, SERVER, name], value)))(text);
  };

export const withoutServer =
  (list: string): TextChange =>
  (text) => {
    const there = commentedValue(text, [list, SERVER]);
    return isObject(there) && isOurProgram(wordsOf(there)) ? withoutValue([list, SERVER])(text) : ok(text);
  };

export const withValue =
  (names: readonly string[], value: unknown): TextChange =>
  (text) =>
    editCommented(text, (json) => setJsonValue(json, names, value));

export const withoutValue =
  (names: readonly string[]): TextChange =>
  (text) =>
    text === undefined ? ok(text) : editCommented(text, (json) => unsetJsonValue(json ?? '', names));
