import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';
import { root } from './bundle.js';

/** @param {string} file */
const sample = (file) => JSON.parse(readFileSync(path.join(root, 'assets', file), 'utf8'));
const PICTURES = /** @type {const} */ ([
  { file: 'view-injections.png', view: 'injections', colorScheme: 'light' },
  { file: 'view-inbox.png', view: 'inbox', colorScheme: 'dark' },
]);
const SIZE = { width: 1180, height: 720 };

/** A memory of the sample conversations: records, drafts in the inbox, and injections. @param {string} folder */
function fillMemory(folder) {
  const [home, project] = [path.join(folder, 'home'), path.join(folder, 'tidewatch')];
  mkdirSync(project, { recursive: true });
  const env = { PATH: process.env['PATH'], HOME: path.join(folder, 'user'), CLAUDE_CONFIG_DIR: home, CLAUDE_PROJECT_DIR: project, TZ: 'UTC' };
  /** @param {string} program @param {readonly string[]} words @param {unknown} [input] */
  const run = (program, words, input) =>
    execFileSync(process.execPath, [path.join(root, 'dist', program), ...words], { cwd: project, env, encoding: 'utf8', input: JSON.stringify(input) ?? '' });
  run('cli.js', ['import', path.join(root, 'assets/samples'), '--project', project]);
  run('cli.js', ['drafts', '--all', '--save']);
  for (const { category, ...draft } of sample('sample-records.json')) run('cli.js', ['save', category, '--input', '-'], draft);
  run('cli.js', ['start']);
  for (const prompt of sample('sample-prompts.json')) run('hook.js', ['UserPromptSubmit'], { ...prompt, cwd: project, transcript_path: '' });
  return { home, project, env };
}

/** Opens a browser with the same font on every machine, so that pictures look the same. @param {string} folder */
async function browserWith(folder) {
  const executablePath = await chromium.executablePath();
  const fonts = path.join(folder, 'fonts.conf');
  writeFileSync(fonts, `<?xml version="1.0"?><fontconfig><dir>${path.join(os.tmpdir(), 'fonts')}</dir><cachedir>${folder}/cache</cachedir></fontconfig>`);
  return playwright.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run'], env: { ...process.env, FONTCONFIG_FILE: fonts } });
}

/** Draws the README's pictures of the web page over the sample conversations. */
export async function drawView() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'holdfast-picture-'));
  const { home, project, env } = fillMemory(folder);
  const server = spawn(process.execPath, [path.join(root, 'dist/cli.js'), '--home', home, 'view', '--json'], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const browser = await browserWith(folder);
  try {
    const line = await new Promise((resolve) => createInterface({ input: server.stdout }).once('line', resolve));
    const { url } = JSON.parse(String(line));
    for (const { file, view, colorScheme } of PICTURES) {
      const page = await browser.newPage({ locale: 'en-US', timezoneId: 'UTC', viewport: SIZE, colorScheme });
      await page.goto(url.replace(/&to=.*/, `&to=${encodeURIComponent(`/tidewatch/${view}`)}`));
      await page.locator('.injection, .source').first().waitFor();
      await page.screenshot({ path: path.join(root, 'docs', file) });
      await page.close();
    }
    return 0;
  } finally {
    await browser.close();
    server.kill('SIGINT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
