import { spawnSync } from 'node:child_process';
import { root } from './bundle.js';
import { ensureBuilt } from './fresh.js';
import { installClients, installMcpClients, isolation } from './pinned-clients.js';

/**
 * The tests that run the real client, installed here at the versions we pin, against a scripted model on loopback.
 *   npm run test:clients                 what CI runs
 *   npm run test:clients -- --soak       the whole day: 20 sessions, 200 prompts
 *   npm run test:clients -- NAME…        only the files whose path holds a name
 */
const names = process.argv.slice(2).filter((argument) => argument !== '--soak');
const soak = process.argv.includes('--soak');

const main = () => {
  const found = installClients();
  const missing = found.flatMap((client) => ('reason' in client ? [`  Claude Code ${client.version}: ${client.reason}`] : []));
  if (missing.length > 0) {
    console.error(`The tests with real clients could NOT run, because these could not be installed:\n${missing.join('\n')}`);
    console.error('They come from the npm registry; try again with a network.');
    return 1;
  }
  const mcp = installMcpClients();
  if ('reason' in mcp) console.log(`the official MCP clients are not tried, because they could not be installed: ${mcp.reason}`);
  const built = ensureBuilt();
  if (built !== 0) return built;
  const alone = isolation();
  console.log(alone.length > 0 ? 'network: loopback only' : 'network: no namespace can be made here, so proxies that lead nowhere stand in');
  const [program = process.execPath, ...args] = [
    ...alone,
    process.execPath,
    'node_modules/vitest/vitest.mjs',
    'run',
    ...(names.length > 0 ? names.map((name) => `test/clients/${name}`) : ['test/clients']),
  ];
  const env = {
    ...process.env,
    HOLDFAST_CLIENTS: JSON.stringify(found),
    ...('folder' in mcp ? { HOLDFAST_MCP_CLIENTS: mcp.folder } : {}),
    ...(soak ? { HOLDFAST_SOAK: '1' } : {}),
  };
  return spawnSync(program, args, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
};

process.exitCode = main();
