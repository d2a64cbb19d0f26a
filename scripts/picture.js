import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './bundle.js';
import { ensureBuilt } from './fresh.js';

/** Draws what `npm start -- --once` prints, as it prints it, for the README. */
const LINE = 19;
const WIDTH = 900;

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** @param {string} line */
const colour = (line) => (/^\d\. |^Holdfast/.test(line) ? '#7ee787' : /^ {5}/.test(line) ? '#8b949e' : '#e6edf3');

/** @param {readonly string[]} lines */
export const picture = (lines) => {
  const height = lines.length * LINE + 40;
  const rows = lines.map((line, at) => `<text x="20" y="${34 + at * LINE}" fill="${colour(line)}" xml:space="preserve">${escaped(line)}</text>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Output of npm start -- --once">`,
    `<rect width="${WIDTH}" height="${height}" rx="8" fill="#0d1117"/>`,
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">',
    ...rows,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
};

process.exitCode = ensureBuilt();
const output = execFileSync(process.execPath, [path.join(root, 'dist/start.js'), '--once'], { encoding: 'utf8' });
const lines = ['$ npm start -- --once', ...output.trimEnd().split('\n')].map((line) => line.replace(/\/\S*holdfast-tour-\w+/, '/tmp/scratch'));
writeFileSync(path.join(root, 'docs/tour.svg'), picture(lines));
