import { chmod, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loadTypeScript, root } from './bundle.js';

/** Bundles that only the project itself uses. */
const NOT_SHIPPED = new Set(['conformance.js', 'start.js']);
const PARTS = ['commands', 'skills', 'agents'];
const PACKAGE = 'holdfast-claude-code';

/** @param {string} file @param {unknown} value */
const writeJson = async (file, value) => {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
};

/** @param {string} from @param {string} to */
const copyFolder = async (from, to) => {
  const exists = await readdir(from).then(
    () => true,
    () => false,
  );
  if (exists) await cp(from, to, { recursive: true });
};

/** @param {string} folder */
const writeHooks = async (folder) => {
  const { REGISTERED_EVENTS, SERVER, hookGroups } = await loadTypeScript('src/app/hooks/registration.ts');
  const places = { node: 'node', script: '${CLAUDE_PLUGIN_ROOT}/dist/hook.js', form: 'plugin' };
  const hooks = Object.fromEntries(
    REGISTERED_EVENTS.map((/** @type {string} */ event) => [event, hookGroups(event, places)]).filter(
      (/** @type {[string, object[]]} */ [, groups]) => groups.length > 0,
    ),
  );
  await writeJson(path.join(folder, 'hooks', 'hooks.json'), { description: 'Recall, recovery and capture for the memory of this project', hooks });
  await writeJson(path.join(folder, '.mcp.json'), { mcpServers: { [SERVER]: { command: 'node', args: ['${CLAUDE_PLUGIN_ROOT}/dist/mcp.js'] } } });
};

/** A command line inside the plugin, which the client puts on the agent's path. @param {string} folder */
const writeCommandLine = async (folder) => {
  await mkdir(path.join(folder, 'bin'), { recursive: true });
  const file = path.join(folder, 'bin', 'holdfast');
  await writeFile(file, "#!/usr/bin/env node\nrequire('../dist/cli.js');\n");
  await chmod(file, 0o755);
  await writeFile(path.join(folder, 'bin', 'holdfast.cmd'), '@node "%~dp0..\\dist\\cli.js" %*\r\n');
};

/**
 * The Claude Code plugin in `dist/plugin/claude-code/`, complete: nothing is installed or fetched when it runs. The folder above it is a marketplace.
 * @param {string} dist
 */
export const assemblePlugin = async (dist) => {
  const marketplace = path.join(dist, 'plugin');
  const place = path.join(marketplace, 'claude-code');
  // Written to another folder first, so that a plugin in use is replaced as a whole.
  const folder = path.join(marketplace, '.next');
  const source = path.join(root, 'plugin', 'claude-code');
  const { version, description, license, engines } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const manifest = JSON.parse(await readFile(path.join(source, '.claude-plugin', 'plugin.json'), 'utf8'));
  await rm(folder, { recursive: true, force: true });
  await writeJson(path.join(folder, '.claude-plugin', 'plugin.json'), { ...manifest, version });
  await writeJson(path.join(folder, 'package.json'), { name: PACKAGE, version, description, license, type: 'commonjs', engines });
  for (const part of PARTS) await copyFolder(path.join(source, part), path.join(folder, part));
  await writeHooks(folder);
  await writeCommandLine(folder);
  for (const file of await readdir(dist))
    if ((file.endsWith('.js') && !NOT_SHIPPED.has(file)) || file === 'THIRD-PARTY.txt') await cp(path.join(dist, file), path.join(folder, 'dist', file));
  await copyFolder(path.join(dist, 'viewer'), path.join(folder, 'dist', 'viewer'));
  await cp(path.join(root, 'node_modules/@photostructure/sqlite/prebuilds'), path.join(folder, 'native'), { recursive: true });
  await cp(path.join(root, 'node_modules/@photostructure/sqlite/LICENSE'), path.join(folder, 'native', 'LICENSE'));
  for (const part of ['opencode', 'schemas']) await copyFolder(path.join(root, 'assets', part), path.join(folder, 'assets', part));
  await cp(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  const about = { name: 'holdfast', owner: { name: 'Holdfast' }, metadata: { description } };
  await rm(place, { recursive: true, force: true });
  await rename(folder, place);
  await writeJson(path.join(marketplace, '.claude-plugin', 'marketplace.json'), {
    ...about,
    plugins: [{ name: manifest.name, source: './claude-code', description }],
  });
  return place;
};
