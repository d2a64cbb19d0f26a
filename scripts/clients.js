import { spawnSync } from 'node:child_process';
import { root } from './bundle.js';
import { ensureBuilt } from './fresh.js';
import { newerNode } from './newer-node.js';
import { NEWER_NODE } from './steps.js';
import { installClients, installPackages, isolationCommand } from './pinned-clients.js';

/**
 * The tests that run the real client, installed at pinned versions, against a scripted model on loopback.
 *   npm run test:clients                 what CI runs
 *   npm run test:clients -- --soak       the whole day: 20 sessions, 200 prompts; and the other clients
 *   npm run test:clients -- --others     Codex, Gemini CLI, opencode, Kilo, Copilot CLI, Qwen Code, Droid, Goose and Cline too (2.3 GB of them)
 *   npm run test:clients -- NAME…        only the files whose path holds a name
 */
const OPTIONS = ['--soak', '--others'];
const names = process.argv.slice(2).filter((argument) => !OPTIONS.includes(argument));
const [soak, others] = OPTIONS.map((option) => process.argv.includes(option));

/** Packages that tests find by a variable; without them the tests are skipped, with a line here. @param {string} variable @param {string} name */
const packagesFor = (variable, name) => {
  const installed = installPackages(name);
  if ('reason' in installed) console.log(`test/clients/${name} could not be installed (${installed.reason}): tests that need it are skipped`);
  return 'folder' in installed ? { [variable]: installed.folder } : {};
};

/** The Inspector and the conformance suite need a newer Node than Holdfast. */
const onNewerNode = () => {
  const node = newerNode(NEWER_NODE);
  if ('program' in node)
    return { HOLDFAST_NEWER_NODE: node.program, ...packagesFor('HOLDFAST_INSPECTOR', 'inspector'), ...packagesFor('HOLDFAST_CONFORMANCE', 'conformance') };
  console.log(`${node.reason}: the Inspector and the conformance suite are skipped`);
  return {};
};

const main = () => {
  const clients = installClients();
  const missing = clients.flatMap((client) => ('reason' in client ? [`  Claude Code ${client.version}: ${client.reason}`] : []));
  if (missing.length > 0) {
    console.error(`The tests with real clients could NOT run, because these could not be installed:\n${missing.join('\n')}`);
    console.error('They come from the npm registry; try again with a network.');
    return 1;
  }
  const built = ensureBuilt();
  if (built !== 0) return built;
  const isolate = isolationCommand();
  console.log(isolate.length > 0 ? 'network: loopback only' : 'network: no namespace can be created here, so unreachable proxies block it');
  const [program = process.execPath, ...args] = [
    ...isolate,
    process.execPath,
    'node_modules/vitest/vitest.mjs',
    'run',
    ...(names.length > 0 ? names.map((name) => `test/clients/${name}`) : ['test/clients']),
  ];
  if (!soak && !others) console.log('Codex, Gemini CLI, opencode, Kilo, Copilot CLI, Qwen Code, Droid, Goose and Cline are skipped; --others includes them');
  const env = {
    ...process.env,
    HOLDFAST_CLIENTS: JSON.stringify(clients),
    ...packagesFor('HOLDFAST_MCP_CLIENTS', 'official-mcp'),
    ...onNewerNode(),
    ...(soak || others ? packagesFor('HOLDFAST_OTHER_CLIENTS', 'other-clients') : {}),
    ...(soak || others ? packagesFor('HOLDFAST_MORE_CLIENTS', 'more-clients') : {}),
    ...(soak ? { HOLDFAST_SOAK: '1' } : {}),
  };
  return spawnSync(program, args, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
};

process.exitCode = main();
