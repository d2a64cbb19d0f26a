import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './bundle.js';
import { ensureBuilt } from './fresh.js';
import { drawView } from './view-pictures.js';
import { spansOf, terminalSvg } from './terminal-svg.js';

/**
 * Draws the pictures of the README from the real output of the programs:
 *   node scripts/picture.js tour           docs/tour.svg, the output of `npm start -- --once`
 *   node scripts/picture.js claude-code    docs/claude-code.svg, the terminal of the real Claude Code (needs tmux)
 *   node scripts/picture.js view           docs/view-*.png, the web page over the sample conversations (Linux x64)
 */

/** @param {string} line */
const colour = (line) => (/^\d\. |^Holdfast/.test(line) ? '#7ee787' : /^ {5}/.test(line) ? '#8b949e' : '#e6edf3');

const drawTour = () => {
  const output = execFileSync(process.execPath, [path.join(root, 'dist/start.js'), '--once'], { encoding: 'utf8' });
  const lines = ['$ npm start -- --once', ...output.trimEnd().split('\n')].map((line) => line.replace(/\/\S*holdfast-tour-\w+/, '/tmp/scratch'));
  const spans = lines.map((text) => [{ text, fill: colour(text) }]);
  writeFileSync(path.join(root, 'docs/tour.svg'), terminalSvg(spans, 'Output of npm start -- --once'));
  return 0;
};

/** Leaves out the client's own notices and its input box, and shortens the scratch folder. @param {string} captured */
const conversation = (captured) => {
  const lines = captured.replaceAll(/\/tmp\/holdfast-client-\w+\/shop/g, '~/shop').split('\n');
  const end = lines.findIndex((line) => /tmux detected|^\S*─{20}/.test(line));
  const visible = lines.slice(0, end === -1 ? undefined : end).filter((line) => !/▎|\/effort/.test(line));
  return visible
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
};

const drawClient = () => {
  const { status } = spawnSync(process.execPath, [path.join(root, 'scripts/clients.js'), 'picture'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) return status ?? 1;
  const captured = readFileSync(path.join(root, 'node_modules/.cache/captures/claude-code.ansi'), 'utf8');
  const label = 'Claude Code answers from a decision of an earlier session, searches the memory, and holdfast why shows what was injected';
  writeFileSync(path.join(root, 'docs/claude-code.svg'), terminalSvg(spansOf(conversation(captured)), label, 100));
  return 0;
};

const drawings = { tour: drawTour, 'claude-code': drawClient, view: drawView };
const requested = process.argv.slice(2);

process.exitCode = ensureBuilt();
for (const [name, draw] of Object.entries(drawings))
  if (process.exitCode === 0 && (requested.length === 0 || requested.includes(name))) process.exitCode = await draw();
