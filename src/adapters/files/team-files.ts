import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TeamConnection, TeamFiles } from '../../core/ports/team/api.ts';
import type { HomePlaces } from '../../core/ports/machine.ts';
import { isObject } from '../../core/value.ts';
import { replaceFile } from './durable.ts';

const [CONNECTION, KEYS] = ['team.json', 'team-keys.json'];

function readJson(file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(value) ? value : {};
  } catch (cause) {
    if (cause instanceof SyntaxError || (cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw cause;
  }
}

const writeText = (file: string, text: string): void => replaceFile(file, text, `${file}.${process.pid}.tmp`, true);

const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Connections, tokens and the key under a home. */
export function teamFilesIn(places: Pick<HomePlaces, 'state' | 'ownState'>): TeamFiles {
  const connectionFile = (key: string): string => join(places.state(key), CONNECTION);
  const keysFile = join(places.ownState, KEYS);
  const stateFile = (key: string, space: string): string => join(places.state(key), `sync-${space}.json`);
  const removeState = (key: string): void => ['shared', 'private'].forEach((space) => rmSync(stateFile(key, space), { force: true }));
  const updateKeys = (change: (before: Readonly<Record<string, unknown>>) => object): void =>
    writeText(keysFile, `${JSON.stringify(change(readJson(keysFile)), null, 2)}\n`);
  return {
    connection: (key) => {
      const { url, project, private: isPrivateSynced } = readJson(connectionFile(key));
      return typeof url === 'string' && typeof project === 'string' ? { url, project, isPrivateSynced: isPrivateSynced === true } : undefined;
    },
    remember: (key, { url, project, isPrivateSynced }: TeamConnection) => {
      const { url: oldUrl, project: oldProject } = readJson(connectionFile(key));
      // The sync state of another server does not apply to this one.
      if (oldUrl !== url || oldProject !== project) removeState(key);
      writeText(connectionFile(key), `${JSON.stringify({ url, project, private: isPrivateSynced }, null, 2)}\n`);
    },
    disconnect: (key) => {
      rmSync(connectionFile(key), { force: true });
      removeState(key);
    },
    token: (url) => {
      const { tokens } = readJson(keysFile);
      return isObject(tokens) ? textIn(tokens[url]) : undefined;
    },
    setToken: (url, token) => updateKeys((before) => ({ ...before, tokens: { ...(isObject(before['tokens']) ? before['tokens'] : {}), [url]: token } })),
    sealingKey: () => textIn(readJson(keysFile)['key']),
    setSealingKey: (key) => updateKeys((before) => ({ ...before, key })),
    stateFile: (key, space) => {
      const file = stateFile(key, space);
      return { read: () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined), write: (text) => writeText(file, text) };
    },
  };
}

/** Writes the token of `server --try` to a file that only its owner can read, so that the printed command can be copied. Returns the file. */
export function writeTrialToken(folder: string, token: string): string {
  const file = join(folder, 'try-token');
  writeText(file, `${token}\n`);
  return file;
}
